//! Where the cells of each row stand, from left to right.
//!
//! In: rows and links. Out: the middle of each cell. First cells are put in an order in which few links cross, by the
//! barycentre method of K. Sugiyama, S. Tagawa and M. Toda (1981), of which the best sweep is kept. Then each row is put
//! as near to the neighbours of its cells as the order and the gaps allow, which is a regression under an order and is
//! solved exactly by pooling.

use super::rows::{Cell, Link, Rows};
use rustc_hash::FxHashMap as HashMap;

const SWEEPS: usize = 12;
/// Between two nodes, and beside a bend.
const GAP: f64 = 18.0;
const NARROW: f64 = 9.0;

/// Which neighbours a sweep looks at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    Up,
    Down,
    Both,
}

/// Puts each row in an order, and gives the middles of all cells. The leftmost cell begins at zero.
pub fn arrange(rows: &mut Rows) -> Vec<f64> {
    let neighbours = Neighbours::of(rows);
    order(rows, &neighbours);
    let mut middles = vec![0.0; rows.cells.len()];
    for row in &rows.rows {
        place(rows, row, &mut middles, |_| (0.0, 1.0));
    }
    for sweep in 0..SWEEPS {
        let look = if sweep % 2 == 0 { Look::Up } else { Look::Down };
        settle(rows, &neighbours, look, &mut middles);
    }
    settle(rows, &neighbours, Look::Both, &mut middles);
    settle(rows, &neighbours, Look::Up, &mut middles);
    let left = |(cell, middle): (&Cell, &f64)| middle - cell.width / 2.0;
    let least = rows.cells.iter().zip(&middles).map(left).fold(f64::INFINITY, f64::min);
    middles.iter_mut().for_each(|middle| *middle -= least);
    middles
}

/// For each cell its links, upwards and downwards: the other cell, and how far to its right this one would stand.
struct Neighbours {
    up: Vec<Vec<(usize, f64)>>,
    down: Vec<Vec<(usize, f64)>>,
}

impl Neighbours {
    fn of(rows: &Rows) -> Self {
        let none = vec![Vec::new(); rows.cells.len()];
        let mut neighbours = Neighbours { up: none.clone(), down: none };
        for Link { from, to, leaves, arrives, .. } in &rows.links {
            neighbours.up[*to].push((*from, leaves - arrives));
            neighbours.down[*from].push((*to, arrives - leaves));
        }
        neighbours
    }

    fn of_cell(&self, cell: usize, look: Look) -> impl Iterator<Item = (usize, f64)> + '_ {
        let up = self.up[cell].iter().filter(move |_| look != Look::Down);
        let down = self.down[cell].iter().filter(move |_| look != Look::Up);
        up.chain(down).copied()
    }
}

/// Sweeps over the rows, and keeps the order with the fewest crossings.
fn order(rows: &mut Rows, neighbours: &Neighbours) {
    let mut best = (crossings(rows), rows.rows.clone());
    for sweep in 0..SWEEPS {
        let look = if sweep % 2 == 0 { Look::Up } else { Look::Down };
        let count = rows.rows.len();
        for step in 0..count {
            let row = if look == Look::Up { step } else { count - 1 - step };
            sort(rows, neighbours, row, look);
        }
        let found = crossings(rows);
        if found < best.0 {
            best = (found, rows.rows.clone());
        }
    }
    rows.rows = best.1;
}

/// Sorts a row by the middles of its neighbours, in the order that these have.
fn sort(rows: &mut Rows, neighbours: &Neighbours, row: usize, look: Look) {
    let mut places: HashMap<usize, f64> = HashMap::default();
    for cells in &rows.rows {
        let mut x = 0.0;
        for cell in cells {
            x += rows.cells[*cell].width / 2.0 + NARROW;
            places.insert(*cell, x);
            x += rows.cells[*cell].width / 2.0 + NARROW;
        }
    }
    let wanted = |cell: &usize| {
        let each: Vec<f64> =
            neighbours.of_cell(*cell, look).map(|(other, by)| places[&other] + by).collect();
        match each.is_empty() {
            true => places[cell],
            false => each.iter().sum::<f64>() / each.len() as f64,
        }
    };
    let mut keyed: Vec<(f64, usize)> =
        rows.rows[row].iter().map(|cell| (wanted(cell), *cell)).collect();
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    rows.rows[row] = keyed.into_iter().map(|(_, cell)| cell).collect();
}

/// How many pairs of links cross.
fn crossings(rows: &Rows) -> usize {
    let mut at = vec![0; rows.cells.len()];
    for row in &rows.rows {
        row.iter().enumerate().for_each(|(position, cell)| at[*cell] = position);
    }
    let mut gaps: HashMap<usize, Vec<(usize, usize)>> = HashMap::default();
    for link in &rows.links {
        let row = rows.cells[link.from].row;
        gaps.entry(row).or_default().push((at[link.from], at[link.to]));
    }
    let cross = |a: &(usize, usize), b: &(usize, usize)| {
        (a.0 < b.0) == (a.1 > b.1) && a.0 != b.0 && a.1 != b.1
    };
    let within = |links: &Vec<(usize, usize)>| {
        let each = links.iter().enumerate();
        each.map(|(index, a)| links[index + 1..].iter().filter(|b| cross(a, b)).count())
            .sum::<usize>()
    };
    gaps.values().map(within).sum()
}

/// Moves the cells of each row towards their neighbours.
fn settle(rows: &Rows, neighbours: &Neighbours, look: Look, middles: &mut [f64]) {
    let count = rows.rows.len();
    for step in 0..count {
        let row = if look == Look::Down { count - 1 - step } else { step };
        let before = middles.to_vec();
        let wanted = |cell: usize| {
            let (mut sum, mut weights) = (0.05 * before[cell], 0.05);
            for (other, by) in neighbours.of_cell(cell, look) {
                let weight = match (rows.cells[cell].is_bend, rows.cells[other].is_bend) {
                    (true, true) => 6.0,
                    (false, false) => 1.0,
                    _ => 2.0,
                };
                sum += weight * (before[other] + by);
                weights += weight;
            }
            (sum / weights, weights)
        };
        place(rows, &rows.rows[row], middles, wanted);
    }
}

/// A block of cells that stand as near to one another as they may.
struct Pool {
    sum: f64,
    weight: f64,
    cells: usize,
}

/// Puts a row as near to what its cells want, by least squares with their weights, as order and gaps allow.
fn place(rows: &Rows, row: &[usize], middles: &mut [f64], wanted: impl Fn(usize) -> (f64, f64)) {
    let offsets = offsets(rows, row);
    let mut pools: Vec<Pool> = Vec::new();
    for (cell, offset) in row.iter().zip(&offsets) {
        let (want, weight) = wanted(*cell);
        let mut pool = Pool { sum: weight * (want - offset), weight, cells: 1 };
        while let Some(last) = pools.pop_if(|last| last.sum * pool.weight > pool.sum * last.weight)
        {
            pool.sum += last.sum;
            pool.weight += last.weight;
            pool.cells += last.cells;
        }
        pools.push(pool);
    }
    let starts = pools.iter().flat_map(|pool| vec![pool.sum / pool.weight; pool.cells]);
    for ((cell, offset), start) in row.iter().zip(&offsets).zip(starts) {
        middles[*cell] = start + offset;
    }
}

/// How far each cell of a row stands from the first one at least.
fn offsets(rows: &Rows, row: &[usize]) -> Vec<f64> {
    let mut offsets = vec![0.0; row.len()];
    for position in 1..row.len() {
        let (left, right) = (&rows.cells[row[position - 1]], &rows.cells[row[position]]);
        let gap = if left.is_bend || right.is_bend { NARROW } else { GAP };
        offsets[position] = offsets[position - 1] + (left.width + right.width) / 2.0 + gap;
    }
    offsets
}
