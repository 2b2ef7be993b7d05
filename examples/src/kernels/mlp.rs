//! A perceptron with one hidden layer: products of matrices, all of which are active.

use cotangent::{differentiate, linalg};

/// ‖y − W₂ relu(W₁ x)‖², the sum over all columns.
///
/// `w1` is `hidden` by `inputs`, `w2` has `hidden` columns; samples are the columns of `x` and `y`. All are row by row.
///
/// # Panics
///
/// If sizes do not fit.
#[differentiate]
pub fn mlp(w2: &[f64], w1: &[f64], y: &[f64], x: &[f64], hidden: usize, samples: usize) -> f64 {
    let mut layer = product(w1, x, x.len() / samples, samples);
    for i in 0..layer.len() {
        layer[i] = layer[i].max(0.0);
    }
    let output = product(w2, &layer, hidden, samples);
    let mut loss = 0.0;
    for i in 0..y.len() {
        let error = y[i] - output[i];
        loss += error * error;
    }
    loss
}

/// The product of a matrix with `inner` columns and one with `columns`.
#[differentiate]
fn product(a: &[f64], b: &[f64], inner: usize, columns: usize) -> Vec<f64> {
    let rows = a.len() / inner;
    let mut c = vec![0.0; rows * columns];
    for i in 0..rows {
        for k in 0..inner {
            for j in 0..columns {
                c[i * columns + j] += a[i * inner + k] * b[k * columns + j];
            }
        }
    }
    c
}

/// [`mlp()`] with the products of [`linalg`], which have rules.
///
/// # Panics
///
/// If sizes do not fit.
#[differentiate]
pub fn mlp_by_rules(
    w2: &[f64],
    w1: &[f64],
    y: &[f64],
    x: &[f64],
    hidden: usize,
    samples: usize,
) -> f64 {
    let inputs = x.len() / samples;
    let mut layer = linalg::matmul(w1, x, hidden, inputs, samples);
    for i in 0..layer.len() {
        layer[i] = layer[i].max(0.0);
    }
    let output = linalg::matmul(w2, &layer, w2.len() / hidden, hidden, samples);
    let mut loss = 0.0;
    for i in 0..y.len() {
        let error = y[i] - output[i];
        loss += error * error;
    }
    loss
}

/// The sizes of [`mlp_by_hand`].
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Rows of the first matrix and columns of the second.
    pub hidden: usize,
    /// Columns of the data.
    pub samples: usize,
}

/// [`mlp()`] and its gradient, added to the shadows of W₂, W₁, y and x.
///
/// Both adjoints of a product are found in one pass over the right factor, the sums in four lanes. The cotangent of the output replaces the
/// output.
///
/// # Panics
///
/// If sizes do not fit.
pub fn mlp_by_hand(
    [w2, w1, y, x]: [&[f64]; 4],
    [w2_bar, w1_bar, y_bar, x_bar]: [&mut [f64]; 4],
    Sizes { hidden, samples }: Sizes,
) -> f64 {
    let inputs = x.len() / samples;
    let mut layer = product_by_hand(w1, x, inputs, samples);
    for value in &mut layer {
        *value = value.max(0.0);
    }
    let mut output = product_by_hand(w2, &layer, hidden, samples);
    let loss = loss_and_slopes(&mut output, y, y_bar);
    let mut layer_bar = vec![0.0; layer.len()];
    pull_product(&output, (w2, w2_bar), (&layer, &mut layer_bar), samples);
    mask(&mut layer_bar, &layer);
    pull_product(&layer_bar, (w1, w1_bar), (x, x_bar), samples);
    loss
}

/// [`mlp_by_rules()`] and its gradient, added to the shadows of W₂, W₁, y and x, with products of [`linalg`].
///
/// # Panics
///
/// If sizes do not fit.
pub fn mlp_of_products_by_hand(
    [w2, w1, y, x]: [&[f64]; 4],
    [w2_bar, w1_bar, y_bar, x_bar]: [&mut [f64]; 4],
    Sizes { hidden, samples }: Sizes,
) -> f64 {
    let (inputs, outputs) = (x.len() / samples, y.len() / samples);
    let mut layer = linalg::matmul(w1, x, hidden, inputs, samples);
    for value in &mut layer {
        *value = value.max(0.0);
    }
    let mut output = linalg::matmul(w2, &layer, outputs, hidden, samples);
    let loss = loss_and_slopes(&mut output, y, y_bar);
    add(w2_bar, &linalg::matmul_nt(&output, &layer, outputs, samples, hidden));
    let mut layer_bar = linalg::matmul_tn(w2, &output, hidden, outputs, samples);
    mask(&mut layer_bar, &layer);
    add(w1_bar, &linalg::matmul_nt(&layer_bar, x, hidden, samples, inputs));
    add(x_bar, &linalg::matmul_tn(w1, &layer_bar, inputs, hidden, samples));
    loss
}

/// The loss, whose derivatives by the output replace that.
fn loss_and_slopes(output: &mut [f64], y: &[f64], y_bar: &mut [f64]) -> f64 {
    let mut loss = 0.0;
    for ((output, y), y_bar) in output.iter_mut().zip(y).zip(y_bar) {
        let error = y - *output;
        loss += error * error;
        *y_bar += 2.0 * error;
        *output = -2.0 * error;
    }
    loss
}

/// Where a value was cut off, it has no derivative.
fn mask(bar: &mut [f64], values: &[f64]) {
    for (bar, value) in bar.iter_mut().zip(values) {
        *bar = if *value > 0.0 { *bar } else { 0.0 };
    }
}

fn add(shadow: &mut [f64], bar: &[f64]) {
    for (shadow, bar) in shadow.iter_mut().zip(bar) {
        *shadow += bar;
    }
}

fn product_by_hand(a: &[f64], b: &[f64], inner: usize, columns: usize) -> Vec<f64> {
    let mut c = vec![0.0; a.len() / inner * columns];
    for (c, a) in c.chunks_exact_mut(columns).zip(a.chunks_exact(inner)) {
        for (a, b) in a.iter().zip(b.chunks_exact(columns)) {
            for (c, b) in c.iter_mut().zip(b) {
                *c += a * b;
            }
        }
    }
    c
}

/// Adds to the shadows of both factors of a product what its cotangent `c_bar` is for them.
fn pull_product(
    c_bar: &[f64],
    (a, a_bar): (&[f64], &mut [f64]),
    (b, b_bar): (&[f64], &mut [f64]),
    columns: usize,
) {
    let inner = b.len() / columns;
    for (row, c_bar) in c_bar.chunks_exact(columns).enumerate() {
        for k in 0..inner {
            let b_bar = &mut b_bar[k * columns..(k + 1) * columns];
            let index = row * inner + k;
            a_bar[index] += dot_and_add(c_bar, &b[k * columns..(k + 1) * columns], a[index], b_bar);
        }
    }
}

/// ⟨x, y⟩, by four partial sums; and `z += a x`.
#[inline(always)]
fn dot_and_add(x: &[f64], y: &[f64], a: f64, z: &mut [f64]) -> f64 {
    let (x, x_rest) = x.as_chunks::<4>();
    let (y, y_rest) = y.as_chunks::<4>();
    let (z, z_rest) = z.as_chunks_mut::<4>();
    let mut sums = [0.0; 4];
    for ((x, y), z) in x.iter().zip(y).zip(z) {
        for lane in 0..4 {
            sums[lane] += x[lane] * y[lane];
            z[lane] += a * x[lane];
        }
    }
    let mut sum = 0.0;
    for ((x, y), z) in x_rest.iter().zip(y_rest).zip(z_rest) {
        sum += x * y;
        *z += a * x;
    }
    sum + (sums[0] + sums[1]) + (sums[2] + sums[3])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::sequence;
    use crate::kernels::agreement::{assert_agreement, assert_gradient};

    const SIZES: Sizes = Sizes { hidden: 5, samples: 4 };

    #[test]
    fn gradients_agree() {
        // Three inputs and six outputs.
        let [w2, w1, y, x] = &[30, 15, 24, 12].map(|len| sequence(len, -1.0..1.5));
        let shadows = || [30, 15, 24, 12].map(|len| vec![0.25; len]);
        let (mut ours, mut by_rules) = (shadows(), shadows());
        let (mut by_hand, mut of_products) = (shadows(), shadows());
        let Sizes { hidden, samples } = SIZES;
        let primal = mlp(w2, w1, y, x, hidden, samples);
        let [a, b, c, d] = &mut ours;
        let (value, ()) = mlp::accumulate_gradient(w2, a, w1, b, y, c, x, d, hidden, samples);
        assert_eq!(value, primal);
        let [a, b, c, d] = &mut by_rules;
        let (value, ()) =
            mlp_by_rules::accumulate_gradient(w2, a, w1, b, y, c, x, d, hidden, samples);
        assert!((value - primal).abs() < 1e-12 * primal);
        let shadows = by_hand.each_mut().map(Vec::as_mut_slice);
        assert_eq!(mlp_by_hand([w2, w1, y, x], shadows, SIZES), primal);
        let shadows = of_products.each_mut().map(Vec::as_mut_slice);
        assert_eq!(mlp_of_products_by_hand([w2, w1, y, x], shadows, SIZES), value);
        for found in [&ours, &by_rules, &of_products] {
            for (found, by_hand) in found.iter().zip(&by_hand) {
                assert_agreement(found, by_hand);
            }
        }
        assert_gradient(|w2| mlp(w2, w1, y, x, hidden, samples), w2, &by_hand[0], 0.25);
        assert_gradient(|w1| mlp(w2, w1, y, x, hidden, samples), w1, &by_hand[1], 0.25);
        assert_gradient(|y| mlp(w2, w1, y, x, hidden, samples), y, &by_hand[2], 0.25);
        assert_gradient(|x| mlp(w2, w1, y, x, hidden, samples), x, &by_hand[3], 0.25);
    }
}
