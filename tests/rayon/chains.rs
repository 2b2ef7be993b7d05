//! Each source, adaptor and end of a chain.

use cotangent::differentiate;
use rayon::prelude::*;

const X: [f64; 5] = [1.0, 2.0, 3.0, 0.5, 0.7];
const Y: [f64; 5] = [0.3, 0.4, 0.1, 0.7, 0.2];

#[differentiate]
#[differentiate]
fn total(xs: &[f64], k: f64) -> f64 {
    xs.par_iter().map(|x| (x * k).sin()).sum()
}

#[differentiate]
#[differentiate]
fn misfit(xs: &[f64], ys: &[f64], rate: f64) -> f64 {
    let sum: f64 = xs.par_iter().zip(ys).map(|(x, y)| (y - (-rate * x).exp()).powi(2)).sum();
    sum / xs.len() as f64
}

#[differentiate]
#[differentiate]
fn of_indices(xs: &[f64], n: usize) -> f64 {
    (1..n).into_par_iter().map(|i| xs[i] * xs[i - 1]).sum::<f64>()
}

#[differentiate]
#[differentiate]
fn weighted(xs: &[f64]) -> f64 {
    xs.par_iter()
        .enumerate()
        .filter(|(i, _)| i % 2 == 0)
        .map(|(i, x)| i as f64 * x * x)
        .sum::<f64>()
}

#[differentiate]
#[differentiate]
fn collected(xs: &[f64], k: f64) -> Vec<f64> {
    xs.par_iter().map(|x| (x * k).sin()).collect()
}

#[differentiate]
#[differentiate]
fn largest(xs: &[f64], k: f64) -> f64 {
    xs.par_iter().map(|x| x * k).reduce(|| f64::NEG_INFINITY, f64::max)
}

#[differentiate]
#[differentiate]
fn relaxed(out: &mut [f64], xs: &[f64], k: f64) {
    out.par_iter_mut().zip(xs.par_iter()).for_each(|(o, x)| *o = *o * x * k);
}

#[differentiate]
#[differentiate]
fn rows(out: &mut [f64], a: &[f64], x: &[f64], n: usize) {
    out.par_chunks_mut(n).enumerate().for_each(|(i, row)| {
        for (j, value) in row.iter_mut().enumerate() {
            *value = *value * a[i] + x[j];
        }
    });
}

#[differentiate]
#[differentiate]
fn smooth(xs: &[f64]) -> Vec<f64> {
    let inner: Vec<f64> =
        xs.par_windows(3).map(|w| 0.25 * w[0] + 0.5 * w[1] * w[1] + 0.25 * w[2]).collect();
    inner
}

#[differentiate]
#[differentiate]
fn blocks(xs: &[f64]) -> f64 {
    xs.par_chunks(3).map(|c| c.iter().product::<f64>()).sum::<f64>()
}

#[differentiate]
#[differentiate]
fn whole_blocks(xs: &[f64]) -> f64 {
    xs.par_chunks_exact(2).enumerate().map(|(i, c)| c[0] * c[1] * i as f64).sum::<f64>()
}

#[differentiate]
#[differentiate]
fn written_blocks(xs: &mut [f64], k: f64) {
    xs.par_chunks_exact_mut(2).for_each(|pair| {
        let first = pair[0];
        pair[0] = pair[1] * k;
        pair[1] = first * first;
    });
}

#[differentiate]
#[differentiate]
fn written_between(xs: &mut [f64], ys: &[f64]) {
    let n = xs.len();
    xs[1..n - 1].par_iter_mut().zip(ys.par_windows(2)).for_each(|(x, w)| *x *= w[0] - w[1]);
}

#[differentiate]
#[differentiate]
fn to_the_end(xs: &[f64], n: usize) -> f64 {
    (1..=n).into_par_iter().map(|i| xs[i - 1].powi(i as i32)).sum::<f64>()
}

#[differentiate]
#[differentiate]
fn multiplied(xs: &[f64]) -> f64 {
    xs.par_iter().map(|x| 1.0 + x * x).product::<f64>()
}

#[differentiate]
#[differentiate]
fn of_references(xs: &[f64], ys: &[f64]) -> f64 {
    (&xs[1..]).into_par_iter().zip(ys.into_par_iter()).map(|(x, y)| x * y).sum::<f64>()
}

#[differentiate]
#[differentiate]
fn owned(xs: Vec<f64>, k: f64) -> f64 {
    xs.into_par_iter().map(|x| x.powi(3) * k).sum::<f64>()
}

#[differentiate]
#[differentiate]
fn filtered(xs: &[f64], k: f64) -> Vec<f64> {
    xs.par_iter().filter_map(|x| if *x > k { Some(x * x) } else { None }).collect()
}

#[differentiate]
#[differentiate]
fn flattened(xs: &[f64], n: usize) -> f64 {
    xs.par_iter().flat_map_iter(|x| (0..n).map(move |i| x * i as f64)).map(|y| y * y).sum::<f64>()
}

#[differentiate]
#[differentiate]
fn hinted(xs: &[f64]) -> f64 {
    xs.par_iter().copied().with_min_len(2).map(|x| x.tanh()).with_max_len(3).sum::<f64>()
}

#[differentiate]
#[differentiate]
fn folded(xs: &[f64], k: f64) -> f64 {
    xs.par_iter().fold(|| 0.0, |sum, x| sum + x * k).reduce(|| 0.0, |a, b| a + b)
}

#[differentiate]
#[differentiate]
fn gated(xs: &[f64], k: f64) -> f64 {
    let n = xs.par_iter().filter(|x| **x > k).count();
    xs.par_iter().filter(|x| **x > k).map(|x| x * x).sum::<f64>() / n as f64
}

#[differentiate]
#[differentiate]
fn looked_at(xs: &[f64]) -> f64 {
    xs.par_iter().cloned().inspect(|x| assert!(*x > 0.0)).map(|x| x.ln()).sum::<f64>()
}

checked! {
    sums: [total(&X, 0.5), rounded];
    sums_of_nothing: [total(&[], 0.5), rounded];
    zipped: [misfit(&X, &Y, 0.5), rounded];
    ranges: [of_indices(&X, 5), rounded];
    ranges_of_nothing: [of_indices(&X, 0), rounded];
    closed_ranges: [to_the_end(&X, 4), rounded];
    enumerated: [weighted(&X), rounded];
    vectors: [collected(&X, 0.5)];
    reduced: [largest(&X, 0.5)];
    written: [relaxed(&mut [1.0, 2.0, 3.0], &[0.5, 0.7, 0.1], 0.5)];
    written_where_the_other_is_shorter: [relaxed(&mut [1.0, 2.0, 3.0], &[0.5, 0.7], 0.5)];
    written_rows: [rows(&mut [1.0, 2.0, 3.0, 1.5, 2.5, 3.5, 9.0], &Y[..3], &X[..3], 3)];
    windows: [smooth(&X)];
    chunks: [blocks(&X), rounded];
    exact_chunks: [whole_blocks(&X), rounded];
    written_chunks: [written_blocks(&mut [1.0, 2.0, 3.0, 0.5, 0.7], 0.5)];
    written_parts: [written_between(&mut [1.0, 2.0, 3.0, 0.5, 0.7], &Y)];
    products: [multiplied(&X), rounded];
    references: [of_references(&X, &Y), rounded];
    values: [owned(vec![0.5, 0.6, 0.7], 0.4), rounded];
    filters: [filtered(&X, 0.6)];
    flat: [flattened(&X, 3), rounded];
    hints: [hinted(&X), rounded];
    folds: [folded(&X, 0.4), rounded];
    inspected: [looked_at(&X), rounded];
    counts: [gated(&X, 0.6), rounded];
}
