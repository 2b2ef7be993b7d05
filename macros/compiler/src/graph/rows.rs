//! Nodes in rows.
//!
//! In: an area and the sizes of its nodes. Out: cells in rows, and links between cells of neighbouring rows. What the
//! area begins with stands above, what it gives below, and between them no source line begins above the one before it;
//! each node stands below what it uses, and a box below all that is written before it. An edge over several rows goes through a *bend* in each row between, and all
//! edges from one value share their bends, so that there is one line for each value that lives.

use super::model::{Area, Kind, Node, Tip};
use std::collections::BTreeMap;

/// No row of nodes is wider, as far as that is up to rows.
const WIDEST: f64 = 860.0;

/// What stands in a row: the nodes of the area by their numbers, then the bends.
pub struct Cell {
    pub width: f64,
    pub row: usize,
    pub is_bend: bool,
}

/// A piece of an edge, from a row to the next.
pub struct Link {
    pub from: usize,
    pub to: usize,
    /// Where it leaves and arrives, as a distance from the cell's middle.
    pub leaves: f64,
    pub arrives: f64,
    /// Whether it arrives at a port of its own.
    pub is_fixed: bool,
    pub is_active: bool,
}

/// Cells and links.
pub struct Rows {
    pub cells: Vec<Cell>,
    pub rows: Vec<Vec<usize>>,
    pub links: Vec<Link>,
}

/// Where a port of a box is, from its middle; the box's own middle without one.
pub type Ports<'p> = &'p dyn Fn(Tip) -> f64;

/// Puts the nodes of an area into rows. In a box, what comes in and what goes out has one row each.
pub fn rows(area: &Area, widths: &[f64], ports: Ports, is_box: bool) -> Rows {
    let mut rows = Rows { cells: Vec::new(), rows: Vec::new(), links: Vec::new() };
    let numbers = Numbers::new(area, widths, is_box).assign();
    for (width, row) in widths.iter().zip(numbers) {
        rows.add(Cell { width: *width, row, is_bend: false });
    }
    let mut nets: BTreeMap<Tip, Vec<(Tip, bool)>> = BTreeMap::new();
    for edge in &area.edges {
        nets.entry(edge.from).or_default().push((edge.to, edge.is_active));
    }
    for (from, targets) in nets {
        rows.net(from, &targets, ports);
    }
    rows
}

impl Rows {
    fn add(&mut self, cell: Cell) -> usize {
        if self.rows.len() <= cell.row {
            self.rows.resize_with(cell.row + 1, Vec::new);
        }
        self.rows[cell.row].push(self.cells.len());
        self.cells.push(cell);
        self.cells.len() - 1
    }

    /// The edges from one value.
    fn net(&mut self, from: Tip, targets: &[(Tip, bool)], ports: Ports) {
        let first = self.cells[from.node].row;
        let placed: Vec<(usize, Tip, bool)> =
            targets.iter().map(|(to, active)| (self.cells[to.node].row, *to, *active)).collect();
        let last = placed.iter().map(|(row, ..)| *row).max().unwrap_or(first);
        let is_active = targets.iter().any(|(_, is_active)| *is_active);
        let (mut cell, mut leaves) = (from.node, ports(from));
        for row in first + 1..=last {
            for (_, to, is_active) in placed.iter().filter(|(at, ..)| *at == row) {
                let (arrives, is_fixed) = (ports(*to), to.port.is_some());
                let (to, is_active) = (to.node, *is_active);
                self.links.push(Link { from: cell, to, leaves, arrives, is_fixed, is_active });
            }
            if row < last {
                let bend = self.add(Cell { width: 0.0, row, is_bend: true });
                let (arrives, is_fixed) = (0.0, true);
                let to = bend;
                self.links.push(Link { from: cell, to, leaves, arrives, is_fixed, is_active });
                (cell, leaves) = (bend, 0.0);
            }
        }
    }
}

/// The rows' numbers, under way.
struct Numbers<'a> {
    area: &'a Area,
    widths: &'a [f64],
    is_box: bool,
    rows: Vec<usize>,
    /// How wide each row is.
    filled: Vec<f64>,
}

impl<'a> Numbers<'a> {
    fn new(area: &'a Area, widths: &'a [f64], is_box: bool) -> Self {
        let rows = vec![0; area.nodes.len()];
        Numbers { area, widths, is_box, rows, filled: Vec::new() }
    }

    fn assign(mut self) -> Vec<usize> {
        self.each(Node::is_input, 0);
        let begin = self.filled.len();
        self.steps(begin);
        let end = self.filled.len();
        self.each(|node| node.kind == Kind::Result, end);
        self.rows
    }

    /// Nodes that stand side by side.
    fn each(&mut self, is_meant: fn(&Node) -> bool, row: usize) {
        for index in 0..self.area.nodes.len() {
            if is_meant(&self.area.nodes[index]) {
                self.put(index, row, !self.is_box);
            }
        }
    }

    fn steps(&mut self, begin: usize) {
        let (mut band, mut last_was_box) = (begin, false);
        let (mut line, mut first) = (None, begin);
        for index in 0..self.area.nodes.len() {
            let node = &self.area.nodes[index];
            if node.is_input() || node.kind == Kind::Result {
                continue;
            }
            let is_box = !node.inside.is_empty();
            if is_box || last_was_box {
                band = self.filled.len().max(begin);
            }
            if line != Some(node.line) {
                // A line begins where the one before it does, or below.
                band = band.max(first);
                (line, first) = (Some(node.line), usize::MAX);
            }
            last_was_box = is_box;
            let row = self.below(index).max(band);
            self.put(index, row, true);
            first = first.min(self.rows[index]);
        }
    }

    /// The first row below all that a node uses.
    fn below(&self, index: usize) -> usize {
        let edges = self.area.edges.iter().filter(|edge| edge.to.node == index);
        edges.map(|edge| self.rows[edge.from.node] + 1).max().unwrap_or(0)
    }

    /// Puts a node into a row, or into the next one that has room.
    fn put(&mut self, index: usize, mut row: usize, may_wrap: bool) {
        let width = self.widths[index];
        let is_full = |filled: &[f64], row: usize| {
            filled.get(row).is_some_and(|filled| *filled > 0.0 && filled + width > WIDEST)
        };
        while may_wrap && is_full(&self.filled, row) {
            row += 1;
        }
        if self.filled.len() <= row {
            self.filled.resize(row + 1, 0.0);
        }
        self.filled[row] += width;
        self.rows[index] = row;
    }
}
