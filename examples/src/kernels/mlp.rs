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
/// Six products. The cotangent of the output replaces the output, and that of the hidden layer is masked in place.
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
    let mut layer = vec![0.0; hidden * samples];
    add_product(&mut layer, w1, x, inputs, samples);
    for value in &mut layer {
        *value = value.max(0.0);
    }
    let mut output = vec![0.0; y.len()];
    add_product(&mut output, w2, &layer, hidden, samples);
    let mut loss = 0.0;
    for ((output, y), y_bar) in output.iter_mut().zip(y).zip(y_bar) {
        let error = y - *output;
        loss += error * error;
        *y_bar += 2.0 * error;
        *output = -2.0 * error;
    }
    add_product_nt(w2_bar, &output, &layer, samples, hidden);
    let mut layer_bar = vec![0.0; layer.len()];
    add_product_tn(&mut layer_bar, w2, &output, hidden, samples);
    for (layer_bar, value) in layer_bar.iter_mut().zip(&layer) {
        *layer_bar = if *value > 0.0 { *layer_bar } else { 0.0 };
    }
    add_product_nt(w1_bar, &layer_bar, x, samples, inputs);
    add_product_tn(x_bar, w1, &layer_bar, inputs, samples);
    loss
}

/// C += A B, row by row.
fn add_product(c: &mut [f64], a: &[f64], b: &[f64], inner: usize, columns: usize) {
    for (c, a) in c.chunks_exact_mut(columns).zip(a.chunks_exact(inner)) {
        for (a, b) in a.iter().zip(b.chunks_exact(columns)) {
            for (c, b) in c.iter_mut().zip(b) {
                *c += a * b;
            }
        }
    }
}

/// C += Aᵀ B: each row of B is added to all rows of C.
fn add_product_tn(c: &mut [f64], a: &[f64], b: &[f64], width: usize, columns: usize) {
    for (a, b) in a.chunks_exact(width).zip(b.chunks_exact(columns)) {
        for (a, c) in a.iter().zip(c.chunks_exact_mut(columns)) {
            for (c, b) in c.iter_mut().zip(b) {
                *c += a * b;
            }
        }
    }
}

/// C += A Bᵀ, in the order of [`add_product`]: B is transposed before.
fn add_product_nt(c: &mut [f64], a: &[f64], b: &[f64], inner: usize, columns: usize) {
    let mut transposed = vec![0.0; b.len()];
    for (column, row) in b.chunks_exact(inner).enumerate() {
        for (index, entry) in row.iter().enumerate() {
            transposed[index * columns + column] = *entry;
        }
    }
    add_product(c, a, &transposed, inner, columns);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::sequence;
    use crate::kernels::agreement::{assert_agreement, assert_gradient};

    const SIZES: Sizes = Sizes { hidden: 5, samples: 4 };

    #[test]
    fn gradients_agree() {
        // Three inputs and two outputs.
        let [w2, w1, y, x] = &[10, 15, 8, 12].map(|len| sequence(len, -1.0..1.5));
        let shadows = || [10, 15, 8, 12].map(|len| vec![0.25; len]);
        let (mut ours, mut by_rules, mut by_hand) = (shadows(), shadows(), shadows());
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
        for ((ours, by_rules), by_hand) in ours.iter().zip(&by_rules).zip(&by_hand) {
            assert_agreement(ours, by_hand);
            assert_agreement(by_rules, by_hand);
        }
        assert_gradient(|w2| mlp(w2, w1, y, x, hidden, samples), w2, &by_hand[0], 0.25);
        assert_gradient(|w1| mlp(w2, w1, y, x, hidden, samples), w1, &by_hand[1], 0.25);
        assert_gradient(|y| mlp(w2, w1, y, x, hidden, samples), y, &by_hand[2], 0.25);
        assert_gradient(|x| mlp(w2, w1, y, x, hidden, samples), x, &by_hand[3], 0.25);
    }
}
