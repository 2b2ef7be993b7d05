//! The sum of a Kronecker product: a large intermediate result, every entry of which is needed once.

use cotangent::differentiate;

/// The sum of the entries of x ⊗ y, where x is `n` by `n` and y is `m` by `m`, row by row.
///
/// # Panics
///
/// If a matrix has fewer entries.
#[differentiate]
pub fn kron_sum(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
    let mut product = vec![0.0; n * n * m * m];
    for i in 0..n {
        for k in 0..m {
            let row = (i * m + k) * n * m;
            for j in 0..n {
                for l in 0..m {
                    product[row + j * m + l] = x[i * n + j] * y[k * m + l];
                }
            }
        }
    }
    let mut sum = 0.0;
    for entry in &product {
        sum += entry;
    }
    sum
}

/// [`kron_sum()`] and its gradient, added to the shadows.
///
/// The product is not stored. The additions to the value are a chain, and those to the shadows are hidden behind it.
/// (That the sum is one of x times one of y is algebra, and would give another value in the last digits.)
///
/// # Panics
///
/// If a matrix or a shadow has fewer entries.
pub fn kron_sum_by_hand(
    (x, x_bar): (&[f64], &mut [f64]),
    (y, y_bar): (&[f64], &mut [f64]),
    n: usize,
    m: usize,
) -> f64 {
    let mut sum = 0.0;
    for (x, x_bar) in x[..n * n].chunks_exact(n).zip(x_bar.chunks_exact_mut(n)) {
        for (y, y_bar) in y[..m * m].chunks_exact(m).zip(y_bar.chunks_exact_mut(m)) {
            for (x, x_bar) in x.iter().zip(&mut *x_bar) {
                *x_bar += scaled_row(*x, y, y_bar, &mut sum);
            }
        }
    }
    sum
}

/// Adds `x` times each entry of `y` to `sum`, and `x` to each of `y_bar`; returns the sum of `y`.
fn scaled_row(x: f64, y: &[f64], y_bar: &mut [f64], sum: &mut f64) -> f64 {
    let mut x_bar = 0.0;
    for (y, y_bar) in y.iter().zip(y_bar) {
        *sum += x * y;
        x_bar += y;
        *y_bar += x;
    }
    x_bar
}

/// The sum of the entries of v ⊗ u, where v is the upper left `n` by `n` block of x, which has rows of `width`, and u is
/// the upper triangle of y, which is `m` by `m`, with zeros below.
///
/// # Panics
///
/// If a matrix has fewer entries.
#[differentiate]
pub fn kron_view_sum(x: &[f64], y: &[f64], n: usize, width: usize, m: usize) -> f64 {
    let mut product = vec![0.0; n * n * m * m];
    for i in 0..n {
        for k in 0..m {
            let row = (i * m + k) * n * m;
            for j in 0..n {
                for l in 0..m {
                    let u = if l >= k { y[k * m + l] } else { 0.0 };
                    product[row + j * m + l] = x[i * width + j] * u;
                }
            }
        }
    }
    let mut sum = 0.0;
    for entry in &product {
        sum += entry;
    }
    sum
}

/// [`kron_view_sum()`] and its gradient, added to the shadows.
///
/// As [`kron_sum_by_hand`]. What is below the diagonal adds zeros, which change nothing.
///
/// # Panics
///
/// If a matrix or a shadow has fewer entries.
pub fn kron_view_sum_by_hand(
    (x, x_bar): (&[f64], &mut [f64]),
    (y, y_bar): (&[f64], &mut [f64]),
    n: usize,
    width: usize,
    m: usize,
) -> f64 {
    let mut sum = 0.0;
    for (x, x_bar) in x.chunks(width).zip(x_bar.chunks_mut(width)).take(n) {
        for k in 0..m {
            let (y, y_bar) = (&y[k * m + k..(k + 1) * m], &mut y_bar[k * m + k..(k + 1) * m]);
            for (x, x_bar) in x[..n].iter().zip(&mut *x_bar) {
                *x_bar += scaled_row(*x, y, y_bar, &mut sum);
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::sequence;
    use crate::kernels::agreement::{assert_agreement, assert_gradient};

    const INITIAL: f64 = 0.25;

    #[test]
    fn gradients_agree() {
        let (x, y) = (sequence(9, -1.0..2.0), sequence(16, -2.0..1.0));
        let (mut x_bar, mut y_bar) = (vec![INITIAL; 9], vec![INITIAL; 16]);
        let (mut x_hand, mut y_hand) = (x_bar.clone(), y_bar.clone());
        let (value, ()) = kron_sum::accumulate_gradient(&x, &mut x_bar, &y, &mut y_bar, 3, 4);
        assert_eq!(value, kron_sum(&x, &y, 3, 4));
        assert_eq!(kron_sum_by_hand((&x, &mut x_hand), (&y, &mut y_hand), 3, 4), value);
        assert_agreement(&x_bar, &x_hand);
        assert_agreement(&y_bar, &y_hand);
        assert_gradient(|x| kron_sum(x, &y, 3, 4), &x, &x_hand, INITIAL);
        assert_gradient(|y| kron_sum(&x, y, 3, 4), &y, &y_hand, INITIAL);
    }

    #[test]
    fn gradients_of_views_agree() {
        let (x, y) = (sequence(15, -1.0..2.0), sequence(16, -2.0..1.0));
        let (mut x_bar, mut y_bar) = (vec![INITIAL; 15], vec![INITIAL; 16]);
        let (mut x_hand, mut y_hand) = (x_bar.clone(), y_bar.clone());
        let (value, ()) =
            kron_view_sum::accumulate_gradient(&x, &mut x_bar, &y, &mut y_bar, 2, 5, 4);
        assert_eq!(value, kron_view_sum(&x, &y, 2, 5, 4));
        assert_eq!(kron_view_sum_by_hand((&x, &mut x_hand), (&y, &mut y_hand), 2, 5, 4), value);
        assert_agreement(&x_bar, &x_hand);
        assert_agreement(&y_bar, &y_hand);
        assert_gradient(|x| kron_view_sum(x, &y, 2, 5, 4), &x, &x_hand, INITIAL);
        assert_gradient(|y| kron_view_sum(&x, y, 2, 5, 4), &y, &y_hand, INITIAL);
    }
}
