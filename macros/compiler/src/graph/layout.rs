//! Coordinates.
//!
//! In: an area. Out: where its nodes, its boxes with what is in them, and its wires are, in pixels from its upper left
//! corner. Boxes are laid out first, so that an area takes them as nodes of a known size whose ports are where the nodes
//! inside are.

use super::model::{Area, Kind, Node, Tip};
use super::order;
use super::rows::{self, Rows};

/// The width of a character of the text, which is monospaced.
pub const CHARACTER: f64 = 7.25;
/// The height of a node, and that of a box's title.
pub const HEIGHT: f64 = 26.0;
pub const TITLE: f64 = 30.0;
/// Between a box and what is in it.
pub const PADDING: f64 = 16.0;
/// Between two rows, where edges turn.
const TURN: f64 = 26.0;
/// Where a box is told how often it runs, from its left side: above its title.
const BESIDE: f64 = 20.0;
/// Between two lanes for what is carried.
const LANE: f64 = 7.0;
/// What is written for the rest of a text that is longer.
const LONGEST: usize = 52;

/// A laid out area.
pub struct Placed {
    pub width: f64,
    pub height: f64,
    pub label: Option<&'static str>,
    pub nodes: Vec<Frame>,
    pub wires: Vec<Wire>,
}

/// A node with its place.
pub struct Frame {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
    pub node: Node,
    /// What is in a box, from its upper left corner.
    pub inside: Vec<(f64, f64, Placed)>,
}

impl Frame {
    fn middle(&self) -> f64 {
        self.x + self.width / 2.0
    }

    fn bottom(&self) -> f64 {
        self.y + self.height
    }
}

/// What a wire is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// From a value to its use, or to a bend.
    Data { is_active: bool, arrives: bool },
    /// From an iteration to the next one.
    Carried,
}

/// A line through points; between rows it is a curve.
pub struct Wire {
    pub points: Vec<(f64, f64)>,
    pub of: Use,
}

/// Lays out a function's area.
pub fn lay_out(area: Area) -> Placed {
    place(area, false)
}

/// What a node's text is, and how many characters it takes.
pub fn shown(node: &Node) -> String {
    if node.text.chars().count() <= LONGEST {
        return node.text.clone();
    }
    let begin: String = node.text.chars().take(LONGEST - 1).collect();
    format!("{begin}…")
}

/// How wide a mark for what is kept is, with the gap before it.
pub fn badge(text: &str) -> f64 {
    text.chars().count() as f64 * 6.4 + 18.0
}

/// How wide the number of a line is.
pub fn number(line: usize) -> f64 {
    line.to_string().len() as f64 * 6.0 + 8.0
}

/// The width of a node's text with all that stands beside it.
fn text_width(node: &Node) -> f64 {
    let text = shown(node).chars().count() as f64 * CHARACTER + 20.0;
    let kept = node.kept.as_deref().map_or(0.0, badge);
    text + kept + node.line.map_or(0.0, number)
}

fn place(mut area: Area, is_box: bool) -> Placed {
    let nodes = std::mem::take(&mut area.nodes);
    let mut frames: Vec<Frame> = nodes.into_iter().map(frame).collect();
    area.nodes = frames.iter_mut().map(|frame| bare(&mut frame.node)).collect();
    let widths: Vec<f64> = frames.iter().map(|frame| frame.width).collect();
    let mut rows = rows::rows(&area, &widths, &|tip| port(&frames, tip), is_box);
    let middles = order::arrange(&mut rows);
    let lanes = if area.carried.len() <= 6 { area.carried.len() } else { 0 };
    let above = lanes as f64 * LANE;
    let levels = levels(&rows, &frames, &middles, above);
    for (index, frame) in frames.iter_mut().enumerate() {
        frame.x = middles[index] - frame.width / 2.0;
        frame.y = levels[rows.cells[index].row].0;
    }
    let mut wires = wires(&rows, &frames, &middles, &levels);
    let width = frames.iter().map(|frame| frame.x + frame.width);
    let reach = middles.iter().copied().chain(width).fold(0.0, f64::max);
    let bottom = levels.last().map_or(0.0, |level| level.1);
    if lanes > 0 {
        wires.extend(lanes_of(&area, &frames, reach, bottom));
    }
    let (width, height) = (reach + above * 1.5, bottom + above);
    Placed { width, height, label: area.label, nodes: frames, wires }
}

/// A node of the same kind for rows, while the frame keeps what is shown.
fn bare(node: &mut Node) -> Node {
    let inside = node.inside.iter().map(|_| Area::default()).collect();
    Node {
        kind: node.kind,
        text: String::new(),
        line: node.line,
        is_active: false,
        kept: None,
        inside,
    }
}

/// A node's size; what is in a box is laid out.
fn frame(mut node: Node) -> Frame {
    let own = text_width(&node);
    let areas = std::mem::take(&mut node.inside);
    if areas.is_empty() {
        return Frame { x: 0.0, y: 0.0, width: own, height: HEIGHT, node, inside: Vec::new() };
    }
    node.inside = areas.iter().map(|_| Area::default()).collect();
    let (mut x, mut height, mut inside) = (PADDING, 0.0, Vec::new());
    for area in areas {
        let placed = place(area, true);
        height = placed.height.max(height);
        let (at, width) = (x, placed.width);
        if width > 0.0 {
            x += width + PADDING;
        }
        inside.push((at, top(&placed), placed));
    }
    let height =
        height + TITLE + 2.0 * PADDING + if node.kind == Kind::Branch { 14.0 } else { 0.0 };
    let width = x.max(own + PADDING);
    let spare = (width - x) / 2.0;
    inside.iter_mut().for_each(|(at, ..)| *at += spare);
    Frame { x: 0.0, y: 0.0, width, height, node, inside }
}

/// Where what is in a box begins.
fn top(placed: &Placed) -> f64 {
    TITLE + PADDING + if placed.label.is_some() { 14.0 } else { 0.0 }
}

/// Where an edge meets a node, from the node's middle.
fn port(frames: &[Frame], tip: Tip) -> f64 {
    let frame = &frames[tip.node];
    let Some((area, inner)) = tip.port else {
        let is_box = !frame.inside.is_empty();
        return if is_box { BESIDE - frame.width / 2.0 } else { 0.0 };
    };
    let (x, _, placed) = &frame.inside[area];
    x + placed.nodes[inner].middle() - frame.width / 2.0
}

/// The upper and the lower end of each row.
fn levels(rows: &Rows, frames: &[Frame], middles: &[f64], above: f64) -> Vec<(f64, f64)> {
    let (mut y, mut levels) = (above, Vec::new());
    for (row, cells) in rows.rows.iter().enumerate() {
        let nodes = cells.iter().filter(|cell| !rows.cells[**cell].is_bend);
        let height = nodes.map(|cell| frames[*cell].height).fold(0.0, f64::max);
        levels.push((y, y + height));
        let links = rows.links.iter().filter(|link| rows.cells[link.from].row == row);
        let aside = links
            .map(|link| (middles[link.from] + link.leaves - middles[link.to] - link.arrives).abs());
        let widest = aside.fold(0.0, f64::max);
        y += height + TURN + (widest / 14.0).min(34.0);
    }
    levels
}

fn wires(rows: &Rows, frames: &[Frame], middles: &[f64], levels: &[(f64, f64)]) -> Vec<Wire> {
    let arrivals = arrivals(rows, frames, middles);
    let mut wires = Vec::new();
    for (index, link) in rows.links.iter().enumerate() {
        let (from, to) = (&rows.cells[link.from], &rows.cells[link.to]);
        let start = middles[link.from] + link.leaves;
        let upper = if from.is_bend { levels[from.row].0 } else { frames[link.from].bottom() };
        let mut points = vec![(start, upper), (start, levels[from.row].1)];
        points.push((arrivals[index], levels[to.row].0));
        if to.is_bend {
            points.push((arrivals[index], levels[to.row].1));
        }
        let of = Use::Data { is_active: link.is_active, arrives: !to.is_bend };
        wires.push(Wire { points, of });
    }
    wires
}

/// Where each link arrives: edges to one node are spread over its upper side, in the order in which they come.
fn arrivals(rows: &Rows, frames: &[Frame], middles: &[f64]) -> Vec<f64> {
    let mut arrivals: Vec<f64> =
        rows.links.iter().map(|link| middles[link.to] + link.arrives).collect();
    for (node, frame) in frames.iter().enumerate() {
        let each = rows.links.iter().enumerate();
        let mut own: Vec<usize> = each
            .filter(|(_, link)| link.to == node && !link.is_fixed)
            .map(|(index, _)| index)
            .collect();
        let start = |index: &usize| middles[rows.links[*index].from] + rows.links[*index].leaves;
        own.sort_by(|a, b| start(a).total_cmp(&start(b)));
        if !frame.inside.is_empty() {
            let begin = middles[node] - frame.width / 2.0 + BESIDE;
            for (position, index) in own.into_iter().enumerate() {
                arrivals[index] = begin + 12.0 * position as f64;
            }
            continue;
        }
        let step = (frame.width - 16.0).min(40.0 * own.len() as f64) / (own.len() + 1) as f64;
        let begin = middles[node] - step * (own.len() + 1) as f64 / 2.0;
        for (position, index) in own.into_iter().enumerate() {
            arrivals[index] = begin + step * (position + 1) as f64;
        }
    }
    arrivals
}

/// What an iteration leaves for the next one, around the right side.
fn lanes_of(area: &Area, frames: &[Frame], reach: f64, bottom: f64) -> Vec<Wire> {
    let each = area.carried.iter().enumerate();
    each.map(|(position, (from, to))| {
        let (from, to) = (&frames[*from], &frames[*to]);
        let aside = LANE * (position + 1) as f64;
        let (below, above) = (bottom + aside * 0.8, to.y - aside * 0.8);
        let right = reach + aside;
        // Beside the edges that come in and go out.
        let (start, end) = (from.middle() + 8.0, to.middle() + 8.0);
        let points = vec![
            (start, from.bottom()),
            (start, below),
            (right, below),
            (right, above),
            (end, above),
            (end, to.y),
        ];
        Wire { points, of: Use::Carried }
    })
    .collect()
}
