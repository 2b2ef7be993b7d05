//! Dynamic time warping of a stretched and shifted template to a series: the least sum of squares over all alignments.

use cotangent::{Differentiable, differentiate};
use cotangent_examples::inputs::sequence;

use crate::style::{Algorithm, Size, data};

/// Returns the algorithm for series of `size`. Its parameters are the template's values.
pub(crate) fn algorithm(size: Size) -> Algorithm {
    let (n, m) = (size.pick(4, 60), size.pick(5, 60));
    let seen = data(sequence(m, -1.0..1.3));
    let parameters = sequence(n, -0.9..1.1);
    let mut all =
        Algorithm::new("dynamic time warping", parameters, move |p, p_bar| by_hand(p, p_bar, seen));
    let flat = || (vec![0.0; n],);
    style!(all, "flat table", table::distance, flat(), [0], [seen], []);
    style!(all, "rows of Vec", rows::distance, flat(), [0], [seen], []);
    style!(all, "two rows, swap", swap::distance, flat(), [0], [seen], []);
    style!(all, "one row in place", in_place::distance, flat(), [0], [seen], []);
    style!(all, "&mut helper", helper::distance, flat(), [0], [seen], []);
    style!(all, "chains, fold of rows", chains::distance, flat(), [0], [seen], []);
    style!(all, "struct, while", structs::distance, flat(), [0], [seen], []);
    all
}

mod table {
    use super::*;

    #[differentiate(constant(y))]
    pub(super) fn distance(x: &[f64], y: &[f64]) -> f64 {
        let (n, m) = (x.len(), y.len());
        let mut d = vec![f64::INFINITY; (n + 1) * (m + 1)];
        d[0] = 0.0;
        for i in 1..=n {
            for j in 1..=m {
                let cost = (x[i - 1] - y[j - 1]) * (x[i - 1] - y[j - 1]);
                let mut least = d[(i - 1) * (m + 1) + j - 1];
                if d[(i - 1) * (m + 1) + j] < least {
                    least = d[(i - 1) * (m + 1) + j];
                }
                if d[i * (m + 1) + j - 1] < least {
                    least = d[i * (m + 1) + j - 1];
                }
                d[i * (m + 1) + j] = cost + least;
            }
        }
        d[n * (m + 1) + m]
    }
}

mod rows {
    use super::*;

    #[differentiate(constant(y))]
    pub(super) fn distance(x: &[f64], y: &[f64]) -> f64 {
        let mut d = vec![vec![f64::INFINITY; y.len() + 1]; x.len() + 1];
        d[0][0] = 0.0;
        for i in 0..x.len() {
            for j in 0..y.len() {
                let least = d[i][j].min(d[i][j + 1]).min(d[i + 1][j]);
                d[i + 1][j + 1] = (x[i] - y[j]).powi(2) + least;
            }
        }
        d[x.len()][y.len()]
    }
}

mod swap {
    use super::*;

    #[differentiate(constant(y))]
    pub(super) fn distance(x: &[f64], y: &[f64]) -> f64 {
        let m = y.len();
        let mut above = vec![f64::INFINITY; m + 1];
        let mut row = vec![f64::INFINITY; m + 1];
        above[0] = 0.0;
        for i in 0..x.len() {
            row[0] = f64::INFINITY;
            for j in 0..m {
                let cost = (x[i] - y[j]) * (x[i] - y[j]);
                row[j + 1] = cost + above[j].min(above[j + 1]).min(row[j]);
            }
            std::mem::swap(&mut above, &mut row);
        }
        above[m]
    }
}

mod in_place {
    use super::*;

    #[differentiate(constant(y))]
    pub(super) fn distance(x: &[f64], y: &[f64]) -> f64 {
        let mut d = vec![f64::INFINITY; y.len() + 1];
        d[0] = 0.0;
        for &x in x {
            let mut corner = d[0];
            d[0] = f64::INFINITY;
            for j in 0..y.len() {
                let above = d[j + 1];
                let least = corner.min(above).min(d[j]);
                corner = above;
                d[j + 1] = (x - y[j]) * (x - y[j]) + least;
            }
        }
        d[y.len()]
    }
}

mod helper {
    use super::*;

    #[differentiate(constant(y))]
    pub(super) fn distance(x: &[f64], y: &[f64]) -> f64 {
        let m = y.len();
        let mut above = vec![f64::INFINITY; m + 1];
        let mut row = vec![0.0; m + 1];
        above[0] = 0.0;
        for i in 0..x.len() {
            fill_row(x[i], y, &above, &mut row);
            above.copy_from_slice(&row);
        }
        above[m]
    }

    #[differentiate(constant(y))]
    fn fill_row(x: f64, y: &[f64], above: &[f64], row: &mut [f64]) {
        row[0] = f64::INFINITY;
        for j in 0..y.len() {
            row[j + 1] = (x - y[j]).powi(2) + least(above[j], above[j + 1], row[j]);
        }
    }

    #[differentiate]
    fn least(a: f64, b: f64, c: f64) -> f64 {
        if a <= b && a <= c {
            a
        } else if b <= c {
            b
        } else {
            c
        }
    }
}

mod chains {
    use super::*;

    #[differentiate(constant(y))]
    pub(super) fn distance(x: &[f64], y: &[f64]) -> f64 {
        let mut above = vec![f64::INFINITY; y.len() + 1];
        above[0] = 0.0;
        for x in x {
            let mut left = f64::INFINITY;
            let mut row = vec![f64::INFINITY];
            for (y, w) in y.iter().zip(above.windows(2)) {
                left = (x - y).powi(2) + w[0].min(w[1]).min(left);
                row.push(left);
            }
            above = row;
        }
        above[y.len()]
    }
}

mod structs {
    use super::*;

    #[derive(Clone, Debug, Differentiable)]
    pub(super) struct Table {
        cells: Vec<f64>,
        columns: usize,
    }

    #[differentiate]
    impl Table {
        fn new(rows: usize, columns: usize) -> Table {
            Table { cells: vec![0.0; rows * columns], columns }
        }

        fn at(&self, i: usize, j: usize) -> f64 {
            self.cells[i * self.columns + j]
        }

        fn set(&mut self, i: usize, j: usize, cell: f64) {
            self.cells[i * self.columns + j] = cell;
        }
    }

    #[differentiate(constant(y))]
    pub(super) fn distance(x: &[f64], y: &[f64]) -> f64 {
        let mut table = Table::new(x.len(), y.len());
        let mut i = 0;
        while i < x.len() {
            let mut j = 0;
            while j < y.len() {
                let cost = (x[i] - y[j]) * (x[i] - y[j]);
                let before = if i == 0 && j == 0 {
                    0.0
                } else if i == 0 {
                    table.at(0, j - 1)
                } else if j == 0 {
                    table.at(i - 1, 0)
                } else {
                    table.at(i - 1, j - 1).min(table.at(i - 1, j)).min(table.at(i, j - 1))
                };
                table.set(i, j, cost + before);
                j += 1;
            }
            i += 1;
        }
        table.at(x.len() - 1, y.len() - 1)
    }
}

/// Keeps the table and walks back along the one alignment that counts.
fn by_hand(x: &[f64], x_bar: &mut [f64], y: &[f64]) -> f64 {
    let (n, m) = (x.len(), y.len());
    let columns = m + 1;
    let mut d = vec![f64::INFINITY; (n + 1) * columns];
    d[0] = 0.0;
    for i in 0..n {
        let (above, row) = d[i * columns..(i + 2) * columns].split_at_mut(columns);
        let mut left = f64::INFINITY;
        for j in 0..m {
            left = (x[i] - y[j]) * (x[i] - y[j]) + above[j].min(above[j + 1]).min(left);
            row[j + 1] = left;
        }
    }
    let (mut i, mut j) = (n, m);
    while i > 0 && j > 0 {
        x_bar[i - 1] += 2.0 * (x[i - 1] - y[j - 1]);
        let corner = d[(i - 1) * columns + j - 1];
        let (above, left) = (d[(i - 1) * columns + j], d[i * columns + j - 1]);
        if corner <= above && corner <= left {
            (i, j) = (i - 1, j - 1);
        } else if above <= left {
            i -= 1;
        } else {
            j -= 1;
        }
    }
    d[n * columns + m]
}
