//! The text of the picture.
//!
//! In: a laid out area, and what stands around it. Out: an SVG: head, legend, the source with its line numbers, and
//! beside it the graph. All coordinates are those of the whole picture. Wires are drawn first, so that a title stands
//! in front of the edges that pass it.

use super::layout::{self, CHARACTER, Frame, HEIGHT, Placed, Use, Wire};
use super::model::Kind;
use crate::source::Source;
use std::fmt::Write;

/// What stands around the graph.
pub struct Sheet<'s> {
    /// The function's head.
    pub title: String,
    pub source: Option<&'s Source>,
    /// The derivative whose tapes are marked.
    pub derivative: Option<&'s str>,
}

const MARGIN: f64 = 24.0;
/// The height of head and legend.
const HEAD: f64 = 96.0;
/// Between two lines of the source.
const LINE: f64 = 17.0;
/// The width of a character of the source.
const SOURCE_CHARACTER: f64 = 6.65;

/// How each kind of thing looks. A fallback is named for each font, since the viewer's machine chooses.
const STYLE: &str = "\
text{font:12px 'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#0f172a}\
.head{font-weight:bold;font-size:15px}\
.note{font:12px 'DejaVu Sans',Helvetica,Arial,sans-serif;fill:#475569}\
.source{font-size:11px;fill:#334155}\
.number{font-size:10px;fill:#94a3b8}\
.node{fill:#f8fafc;stroke:#94a3b8;stroke-width:1.2}\
.active{fill:#dbeafe;stroke:#2563eb;stroke-width:1.5}\
.taken{stroke-dasharray:3 2;stroke-width:1}\
.gives.active{fill:#2563eb}\
.gives.node:not(.active){fill:#64748b}\
.given{fill:#ffffff}\
.loop{fill:#7c3aed;fill-opacity:.05;stroke:#7c3aed;stroke-width:1.4}\
.branch{fill:#059669;fill-opacity:.06;stroke:#059669;stroke-width:1.4}\
.strip{fill:#ffffff;fill-opacity:.92}\
.of-loop{fill:#6d28d9;font-weight:bold}\
.of-branch{fill:#047857;font-weight:bold}\
.kept{fill:#f59e0b}\
.bytes{font-size:10.5px;font-weight:bold;fill:#1c1917}\
path{fill:none;stroke:#94a3b8;stroke-width:1.1}\
.flow{stroke:#2563eb;stroke-width:1.5}\
.carried{stroke:#7c3aed;stroke-width:1.3;stroke-dasharray:5 3}\
.quiet{fill:#94a3b8;stroke:none}\
.loud{fill:#2563eb;stroke:none}\
.again{fill:#7c3aed;stroke:none}";

/// Writes the picture.
pub fn write(sheet: &Sheet, area: &Placed) -> String {
    let listing = sheet.source.map(Source::listing).unwrap_or_default();
    let longest = listing.iter().map(|(_, text)| text.chars().count()).max().unwrap_or(0);
    let aside = if listing.is_empty() { 0.0 } else { longest as f64 * SOURCE_CHARACTER + 76.0 };
    let lines = listing.len() as f64 * LINE;
    let head = sheet.title.chars().count() as f64 * 9.1;
    let width = (aside + area.width).max(head).max(1010.0) + 2.0 * MARGIN;
    let height = HEAD + area.height.max(lines) + MARGIN;
    let mut svg = Svg { text: String::new(), wires: String::new() };
    svg.around(sheet, &listing);
    svg.area(area, MARGIN + aside, HEAD);
    let Svg { text, wires } = svg;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\">\n<title>{}</title>\n<style>{STYLE}</style>\n{ARROWS}\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{wires}{text}</svg>\n",
        escaped(&sheet.title)
    )
}

/// The heads of edges.
const ARROWS: &str = "<defs>\n\
<marker id=\"quiet\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path class=\"quiet\" d=\"M0 0L8 4L0 8z\"/></marker>\n\
<marker id=\"loud\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path class=\"loud\" d=\"M0 0L8 4L0 8z\"/></marker>\n\
<marker id=\"again\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path class=\"again\" d=\"M0 0L8 4L0 8z\"/></marker>\n\
</defs>\n";

/// The text under way. What is behind everything else comes first.
struct Svg {
    text: String,
    wires: String,
}

impl Svg {
    fn around(&mut self, sheet: &Sheet, listing: &[(usize, &str)]) {
        self.words("head", MARGIN, 30.0, &sheet.title);
        let marks = match sheet.derivative {
            Some(name) => format!("Bytes are those that {name} keeps on its tapes."),
            None => "There is no reverse derivative, and so no tape.".to_owned(),
        };
        self.words("note", MARGIN, 50.0, &format!("Its SSA, from top to bottom. {marks}"));
        self.legend();
        for (position, (number, text)) in listing.iter().enumerate() {
            let y = HEAD + 16.0 + LINE * position as f64;
            self.words("number", MARGIN, y, &format!("{number:>4}"));
            // Viewers do not agree on spaces at the beginning of a text.
            let indent = (text.len() - text.trim_start().len()) as f64 * SOURCE_CHARACTER;
            self.words("source", MARGIN + 34.0 + indent, y, text.trim_start());
        }
    }

    fn legend(&mut self) {
        let mut x = MARGIN;
        for (class, radius, text) in [
            ("node active", 4.0_f64, "active"),
            ("node", 4.0, "constant"),
            ("node given active", 10.0, "parameter"),
            ("node given taken active", 10.0, "from outside"),
            ("node gives active", 10.0, "result"),
            ("loop", 4.0, "loop"),
            ("branch", 4.0, "branch"),
        ] {
            self.rect(&format!("key {class}"), (x, 64.0, 26.0, 14.0), radius.min(7.0));
            self.words("note", x + 32.0, 75.5, text);
            x += 32.0 + text.len() as f64 * 7.0 + 20.0;
        }
        self.badge(x, 63.0, "8 B");
        self.words("note", x + 48.0, 75.5, "on a tape");
        let _ = writeln!(
            self.text,
            "<path class=\"carried\" marker-end=\"url(#again)\" d=\"M{:.1} 71h34\"/>",
            x + 122.0
        );
        self.words("note", x + 164.0, 75.5, "to the next iteration");
    }

    fn area(&mut self, area: &Placed, x: f64, y: f64) {
        area.wires.iter().for_each(|wire| self.wire(wire, x, y));
        for frame in &area.nodes {
            match frame.inside.is_empty() {
                true => self.node(frame, x, y),
                false => self.enclosure(frame, x, y),
            }
        }
    }

    fn node(&mut self, frame: &Frame, x: f64, y: f64) {
        let (node, x, y) = (&frame.node, x + frame.x, y + frame.y);
        let look = match node.kind {
            Kind::Parameter | Kind::Index | Kind::Carried => " given",
            Kind::Taken => " given taken",
            Kind::Result => " gives",
            Kind::Step | Kind::Loop | Kind::Branch => "",
        };
        let active = if node.is_active { " active" } else { "" };
        let radius = if look.is_empty() { 4.0 } else { HEIGHT / 2.0 };
        let _ = writeln!(self.text, "<g><title>{}</title>", escaped(&node.text));
        self.rect(&format!("node{active}{look}"), (x, y, frame.width, frame.height), radius);
        let mut at = x + 10.0;
        if let Some(line) = node.line {
            self.words("number", at - 4.0, y + 17.0, &line.to_string());
            at += layout::number(line) - 4.0;
        }
        let text = layout::shown(node);
        match node.kind {
            Kind::Result => {
                let text = escaped(&text);
                let _ = writeln!(
                    self.text,
                    "<text x=\"{at:.1}\" y=\"{:.1}\" style=\"fill:#ffffff\">{text}</text>",
                    y + 17.5
                );
            }
            _ => self.words("", at, y + 17.5, &text),
        }
        if let Some(kept) = &node.kept {
            self.badge(at + text.chars().count() as f64 * CHARACTER + 6.0, y + 5.0, kept);
        }
        self.text.push_str("</g>\n");
    }

    /// A box with its title and what is in it.
    fn enclosure(&mut self, frame: &Frame, x: f64, y: f64) {
        let (node, x, y) = (&frame.node, x + frame.x, y + frame.y);
        let class = if node.kind == Kind::Loop { "loop" } else { "branch" };
        self.behind(class, (x, y, frame.width, frame.height));
        for (left, top, inner) in &frame.inside {
            self.ports(frame, (x, y), (*left, *top), inner);
            self.area(inner, x + left, y + top);
        }
        let text = layout::shown(node);
        let wide = text.chars().count() as f64 * CHARACTER + node.line.map_or(0.0, layout::number);
        let strip = wide + node.kept.as_deref().map_or(0.0, layout::badge) + 8.0;
        self.rect("strip", (x + 6.0, y + 5.0, strip, 20.0), 4.0);
        let mut at = x + 10.0;
        if let Some(line) = node.line {
            self.words("number", at, y + 19.0, &line.to_string());
            at += layout::number(line);
        }
        self.words(&format!("of-{class}"), at, y + 19.5, &text);
        if let Some(kept) = &node.kept {
            self.badge(at + text.chars().count() as f64 * CHARACTER + 8.0, y + 7.0, kept);
        }
        for (left, top, inner) in frame.inside.iter().filter(|(.., inner)| inner.width > 0.0) {
            if let Some(label) = inner.label {
                let (left, top) = (x + left - 4.0, y + top - 10.0);
                self.rect(
                    "strip",
                    (left - 3.0, top - 11.0, label.len() as f64 * 7.5 + 6.0, 15.0),
                    3.0,
                );
                self.words("of-branch", left, top, label);
            }
        }
    }

    /// From the box's border to what comes in, and from what goes out to the border.
    fn ports(&mut self, frame: &Frame, (x, y): (f64, f64), at: (f64, f64), inner: &Placed) {
        for port in &inner.nodes {
            let middle = x + at.0 + port.x + port.width / 2.0;
            let (top, bottom) = (y + at.1 + port.y, y + at.1 + port.y + port.height);
            let flow = if port.node.is_active { "flow" } else { "still" };
            let ends = match port.node.kind {
                Kind::Taken | Kind::Carried => (y, top),
                Kind::Result => (bottom, y + frame.height),
                _ => continue,
            };
            let _ = writeln!(
                self.wires,
                "<path class=\"{flow}\" d=\"M{middle:.1} {:.1}V{:.1}\"/>",
                ends.0, ends.1
            );
        }
    }

    fn wire(&mut self, wire: &Wire, x: f64, y: f64) {
        let at = |index: usize| (wire.points[index].0 + x, wire.points[index].1 + y);
        let (class, arrow, path) = match wire.of {
            Use::Data { is_active, arrives } => {
                let (class, head) = if is_active { ("flow", "loud") } else { ("still", "quiet") };
                (class, arrives.then_some(head), curve(&at, wire.points.len()))
            }
            Use::Carried => ("carried", Some("again"), bends(&at, wire.points.len())),
        };
        let arrow = arrow.map_or_else(String::new, |head| format!(" marker-end=\"url(#{head})\""));
        let _ = writeln!(self.wires, "<path class=\"{class}\"{arrow} d=\"{path}\"/>");
    }

    fn behind(&mut self, class: &str, (x, y, width, height): (f64, f64, f64, f64)) {
        let _ = writeln!(
            self.wires,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"8\"/>"
        );
    }

    fn rect(&mut self, class: &str, (x, y, width, height): (f64, f64, f64, f64), radius: f64) {
        let _ = writeln!(
            self.text,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"{radius}\"/>"
        );
    }

    fn badge(&mut self, x: f64, y: f64, text: &str) {
        let width = layout::badge(text) - 8.0;
        self.rect("kept", (x, y, width, 16.0), 3.0);
        self.words("bytes", x + 5.0, y + 12.0, text);
    }

    fn words(&mut self, class: &str, x: f64, y: f64, text: &str) {
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        let text = escaped(text);
        let _ = writeln!(self.text, "<text{class} x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>");
    }
}

/// Down to the end of the row, over to the next row, and down through that.
fn curve(at: &dyn Fn(usize) -> (f64, f64), points: usize) -> String {
    let ((x, y), (_, turn), (to, end)) = (at(0), at(1), at(2));
    let middle = f64::midpoint(turn, end);
    let mut path = format!("M{x:.1} {y:.1}");
    if turn > y {
        let _ = write!(path, "V{turn:.1}");
    }
    if (to - x).abs() < 0.5 {
        let _ = write!(path, "V{end:.1}");
    } else {
        let _ = write!(path, "C{x:.1} {middle:.1} {to:.1} {middle:.1} {to:.1} {end:.1}");
    }
    if points > 3 && at(3).1 > end {
        let _ = write!(path, "V{:.1}", at(3).1);
    }
    path
}

/// A line with right angles.
fn bends(at: &dyn Fn(usize) -> (f64, f64), points: usize) -> String {
    let each = (0..points).map(|index| {
        let ((x, y), step) = (at(index), if index == 0 { 'M' } else { 'L' });
        format!("{step}{x:.1} {y:.1}")
    });
    each.collect()
}

/// Text as XML takes it.
fn escaped(text: &str) -> String {
    let shown = |letter: char| if letter.is_control() { ' ' } else { letter };
    let text: String = text.chars().map(shown).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
