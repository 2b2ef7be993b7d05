//! A picture, read back.

/// A rectangle of the picture, with its class.
#[derive(Clone, Debug)]
pub struct Rect {
    pub class: String,
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Rect {
    fn of(node: roxmltree::Node) -> Self {
        let number = |name: &str| -> f64 {
            node.attribute(name).and_then(|text| text.parse().ok()).unwrap_or(0.0)
        };
        let (left, top) = (number("x"), number("y"));
        let (right, bottom) = (left + number("width"), top + number("height"));
        let class = node.attribute("class").unwrap_or_default().to_owned();
        Rect { class, left, top, right, bottom }
    }

    fn has(&self, class: &str) -> bool {
        self.class.split(' ').any(|own| own == class)
    }

    /// Whether two have an area in common.
    pub fn overlaps(&self, other: &Rect) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    /// Whether all of another is in it.
    pub fn contains(&self, other: &Rect) -> bool {
        self.left <= other.left
            && other.right <= self.right
            && self.top <= other.top
            && other.bottom <= self.bottom
    }

    /// Whether a point is inside, and not at the border.
    pub fn holds(&self, (x, y): (f64, f64)) -> bool {
        let border = 0.5;
        x > self.left + border
            && x < self.right - border
            && y > self.top + border
            && y < self.bottom - border
    }
}

/// What is in a picture.
pub struct Sheet {
    pub width: f64,
    pub height: f64,
    pub nodes: Vec<Rect>,
    pub boxes: Vec<Rect>,
    /// What is marked as kept.
    pub marks: Vec<String>,
    /// Points on each edge, near to one another.
    pub edges: Vec<Vec<(f64, f64)>>,
}

/// Reads a picture; the keys of its legend apart.
pub fn read(svg: &str) -> Sheet {
    let document = roxmltree::Document::parse(svg).expect("well-formed XML");
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "svg");
    let size = |name: &str| root.attribute(name).expect("a size").parse().expect("a number");
    let named = |name: &'static str| {
        root.descendants()
            .filter(move |node| node.has_tag_name(("http://www.w3.org/2000/svg", name)))
    };
    let rects: Vec<Rect> = named("rect").map(Rect::of).filter(|rect| !rect.has("key")).collect();
    let of = |class: &str| rects.iter().filter(|rect| rect.has(class)).cloned().collect();
    let mut boxes: Vec<Rect> = of("loop");
    let branches: Vec<Rect> = of("branch");
    boxes.extend(branches);
    let marks = named("text").filter(|node| node.attribute("class") == Some("bytes"));
    let is_edge = |class: Option<&str>| matches!(class, Some("flow" | "still"));
    let edges = named("path").filter(|node| is_edge(node.attribute("class")));
    Sheet {
        width: size("width"),
        height: size("height"),
        nodes: of("node"),
        boxes,
        marks: marks.skip(1).map(|node| node.text().unwrap_or_default().to_owned()).collect(),
        edges: edges.map(|node| points(node.attribute("d").expect("a path"))).collect(),
    }
}

/// Points on a path of the commands `M`, `V` and `C`.
fn points(path: &str) -> Vec<(f64, f64)> {
    let mut points: Vec<(f64, f64)> = Vec::new();
    let starts = path.char_indices().filter(|(_, letter)| letter.is_ascii_alphabetic());
    let starts: Vec<usize> = starts.map(|(index, _)| index).chain([path.len()]).collect();
    for ends in starts.windows(2) {
        let (command, rest) = path[ends[0]..ends[1]].split_at(1);
        let numbers: Vec<f64> =
            rest.split_whitespace().map(|text| text.parse().expect("a number")).collect();
        let last = points.last().copied();
        match (command, &numbers[..], last) {
            ("M", [x, y], _) => points.push((*x, *y)),
            ("V", [y], Some(from)) => {
                points.extend(steps().map(|t| (from.0, from.1 + t * (y - from.1))));
            }
            ("C", [a, b, c, d, x, y], Some(from)) => {
                points.extend(steps().map(|t| bezier(t, [from, (*a, *b), (*c, *d), (*x, *y)])));
            }
            _ => panic!("an unknown command: {path}"),
        }
    }
    points
}

fn steps() -> impl Iterator<Item = f64> {
    (1..=20).map(|step| f64::from(step) / 20.0)
}

fn bezier(t: f64, [a, b, c, d]: [(f64, f64); 4]) -> (f64, f64) {
    let weights =
        [(1.0 - t).powi(3), 3.0 * t * (1.0 - t).powi(2), 3.0 * t * t * (1.0 - t), t.powi(3)];
    let sum = |of: fn((f64, f64)) -> f64| {
        [a, b, c, d].into_iter().zip(weights).map(|(point, weight)| weight * of(point)).sum()
    };
    (sum(|point| point.0), sum(|point| point.1))
}
