//! Logistic regression: a matrix-vector product and two library calls a row.

use cotangent::differentiate;

/// Negative log-likelihood Σ log(1 + exp(−yᵢ ⟨w, fᵢ⟩)) of labels −1 and 1.
///
/// `features` has one row of `w.len()` elements for each label, row by row. The branch keeps the
/// argument of `exp` negative, so that it cannot overflow.
#[differentiate(constant(features, labels))]
#[differentiate]
pub fn logistic(w: &[f64], features: &[f64], labels: &[f64]) -> f64 {
    let n = w.len();
    let mut loss = 0.0;
    for i in 0..labels.len() {
        let mut z = 0.0;
        for j in 0..n {
            z += features[i * n + j] * w[j];
        }
        let margin = labels[i] * z;
        if margin > 0.0 {
            loss += (-margin).exp().ln_1p();
        } else {
            loss += margin.exp().ln_1p() - margin;
        }
    }
    loss
}

/// [`logistic()`] and its gradient by `w`, added to `w_bar` (of the length of `w`).
///
/// The loss of a row is known as soon as its product is, so each row is read once while it is in the
/// cache, and its exponential serves value and derivative.
///
/// # Panics
///
/// If `w` is empty.
pub fn logistic_by_hand(w: &[f64], w_bar: &mut [f64], features: &[f64], labels: &[f64]) -> f64 {
    let mut loss = 0.0;
    for (row, label) in features.chunks_exact(w.len()).zip(labels) {
        let mut z = 0.0;
        for (feature, w) in row.iter().zip(w) {
            z += feature * w;
        }
        let (term, margin_bar) = log_loss(label * z);
        loss += term;
        let z_bar = label * margin_bar;
        for (w_bar, feature) in w_bar.iter_mut().zip(row) {
            *w_bar += z_bar * feature;
        }
    }
    loss
}

/// The Hessian of [`logistic()`] by `w`, times `v` (of the length of `w`).
///
/// # Panics
///
/// If `w` is empty.
#[must_use]
pub fn logistic_product_by_hand(w: &[f64], v: &[f64], features: &[f64]) -> Vec<f64> {
    let mut product = vec![0.0; w.len()];
    for row in features.chunks_exact(w.len()) {
        let (mut z, mut z_dot) = (0.0, 0.0);
        for ((feature, w), v) in row.iter().zip(w).zip(v) {
            z += feature * w;
            z_dot += feature * v;
        }
        // The second derivative does not depend on the sign, so it does not depend on the label.
        let exp = (-z.abs()).exp();
        let z_bar_dot = z_dot * exp / ((1.0 + exp) * (1.0 + exp));
        for (product, feature) in product.iter_mut().zip(row) {
            *product += z_bar_dot * feature;
        }
    }
    product
}

/// log(1 + exp(−margin)) and its derivative.
fn log_loss(margin: f64) -> (f64, f64) {
    if margin > 0.0 {
        let exp = (-margin).exp();
        (exp.ln_1p(), -exp / (1.0 + exp))
    } else {
        let exp = margin.exp();
        (exp.ln_1p() - margin, -1.0 / (1.0 + exp))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::{labels, sequence};
    use crate::kernels::agreement::{assert_agreement, assert_gradient, assert_product};

    fn assert_gradients_agree(w: &[f64]) {
        let (features, labels) = (sequence(23 * w.len(), -2.0..2.0), labels(23));
        let (mut ours, mut by_hand) = (vec![0.25; w.len()], vec![0.25; w.len()]);
        let (value, ()) = logistic::accumulate_gradient(w, &mut ours, &features, &labels);
        assert_eq!(value, logistic(w, &features, &labels));
        assert_eq!(logistic_by_hand(w, &mut by_hand, &features, &labels), value);
        assert_agreement(&ours, &by_hand);
        assert_gradient(|w| logistic(w, &features, &labels), w, &by_hand, 0.25);
    }

    #[test]
    fn gradients_agree() {
        assert_gradients_agree(&sequence(7, -1.0..1.0));
    }

    /// Where every margin is 0 and both arms of the branch meet.
    #[test]
    fn gradients_agree_at_the_usual_start() {
        assert_gradients_agree(&[0.0; 7]);
    }

    #[test]
    fn products_agree() {
        let (w, v) = (sequence(7, -1.0..1.0), sequence(7, -1.0..2.0));
        let (features, labels) = (sequence(23 * 7, -2.0..2.0), labels(23));
        let by_hand = logistic_product_by_hand(&w, &v, &features);
        assert_agreement(&logistic::hvp(&w, &v, &features, &labels), &by_hand);
        let gradient = |w: &[f64]| logistic::gradient(w, &features, &labels);
        assert_product(gradient, &w, &v, &by_hand);
    }

    #[test]
    fn large_margins_do_not_overflow() {
        let (features, labels) = ([1000.0, -1000.0], [1.0, 1.0]);
        let mut w_bar = [0.0];
        let (value, ()) = logistic::accumulate_gradient(&[1.0], &mut w_bar, &features, &labels);
        assert_eq!((value, w_bar), (1000.0, [1000.0]));
    }
}
