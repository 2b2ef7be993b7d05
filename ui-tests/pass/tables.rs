//! Constants as tables: loops, chains, names for parts, several views at once.
#![deny(warnings, unused, missing_docs)]

use cotangent::differentiate;

const DATA: [(f64, f64); 2] = [(0.0, 1.0), (1.0, 0.5)];
const ROWS: &[[f64; 2]] = &[[0.5, 1.0], [1.5, 0.3]];

#[differentiate]
fn squares(rate: f64, gain: f64) -> f64 {
    let mut sum = 0.0;
    for (t, y) in DATA {
        sum += (y - gain * (rate * t).exp()).powi(2);
    }
    for &(t, y) in &DATA {
        sum += t * y * gain;
    }
    for row in ROWS {
        for v in row {
            sum += v * rate;
        }
    }
    sum
}

#[differentiate]
fn chains(x: &[f64]) -> f64 {
    let (first, rest) = (x[0], &x[1..]);
    let (data, row) = (&DATA, ROWS[1]);
    let weighted: f64 = rest.iter().zip(DATA).map(|(x, (t, y))| x * t * y).sum();
    weighted + data[0].1 * first + row[1] * first + data.iter().map(|(t, _)| t * first).sum::<f64>()
}

fn main() {
    let _ = squares::gradient(0.1, 0.2);
    let _ = chains::gradient(&[0.1, 0.2, 0.3]);
}
