//! Chains that are shorter than what they go through: the loops of windows and of what is skipped are guarded.

corpus! {
    fn products_of_neighbours(x: &[f64]) -> f64 {
        x.windows(2).map(|w| w[0] * w[1]).sum()
    }
    at (&[1.3, 0.6, -0.4, 0.9]), (&[1.3, 0.6]), (&[1.3]), (&[]);

    fn windows_of_one(x: &[f64]) -> f64 {
        x.windows(1).map(|w| w[0].sin()).sum()
    }
    at (&[1.3, 0.6]), (&[]);

    fn windows_of_given_length(x: &[f64], k: usize) -> f64 {
        let mut product = 1.0;
        for w in x.windows(k) {
            product *= 0.3 + w.iter().sum::<f64>() * w[k - 1];
        }
        product
    }
    at (&[1.3, 0.6, -0.4, 0.9], 1), (&[1.3, 0.6, -0.4, 0.9], 3), (&[1.3, 0.6], 5), (&[], 1);

    fn windows_beside_weights(x: &[f64], y: &[f64]) -> f64 {
        x.windows(2).zip(y).map(|(w, y)| y * (w[1] - w[0]).powi(2)).sum()
    }
    at (&[1.3, 0.6, -0.4], &[0.5, 2.0, 0.7]), (&[1.3, 0.6, -0.4], &[0.5]), (&[], &[0.5]);

    fn windows_beside_windows(x: &[f64], y: &[f64]) -> f64 {
        x.windows(3).zip(y.windows(2)).map(|(x, y)| (x[0] - x[2]).tanh() * y[1]).sum()
    }
    at (&[1.3, 0.6, -0.4, 0.8], &[0.5, 2.0, 0.7]), (&[1.3, 0.6], &[0.5, 1.0]), (&[1.3, 0.6, 0.1], &[0.5]);

    fn skipped_beside_itself(x: &[f64], n: usize) -> f64 {
        x.iter().zip(x.iter().skip(n)).map(|(a, b)| (a * b).sin()).sum()
    }
    at (&[1.3, 0.6, -0.4], 1), (&[1.3, 0.6, -0.4], 0), (&[1.3], 3), (&[], 0);

    fn some_windows_backwards(x: &[f64]) -> f64 {
        let mut level = 0.7;
        for w in x.windows(2).rev().skip(1).take(2) {
            level = (level * w[0] + w[1]).sin();
        }
        level
    }
    at (&[1.3, 0.6, -0.4, 0.2, 0.8]), (&[1.3, 0.6]), (&[]);

    fn windows_in_windows(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for outer in x.windows(3) {
            for inner in outer.windows(2) {
                sum += inner[0].exp() * inner[1];
            }
        }
        sum
    }
    at (&[1.3, 0.6, -0.4, 0.2, 0.8]), (&[1.3, 0.6]);

    fn windows_into_places(x: &[f64], out: &mut [f64]) {
        for (w, out) in x.windows(2).zip(out.iter_mut()) {
            *out *= w[0] - w[1];
        }
    }
    at (&[1.3, 0.6, -0.4], &mut [0.5, 2.0, 0.7]), (&[1.3], &mut [0.5]);

    fn until_a_saturating_end(x: &[f64], n: usize) -> f64 {
        let mut level = 1.0;
        for i in 1..x.len().saturating_sub(n) {
            level *= 1.0 + x[i - 1] * x[i];
        }
        level
    }
    at (&[1.3, 0.6, -0.4], 1), (&[1.3, 0.6, -0.4], 0), (&[1.3, 0.6], 4);

    fn until_a_saturating_end_with_exits(x: &[f64]) -> f64 {
        let mut level = 1.0;
        for i in 0..x.len().saturating_sub(1) {
            level += x[i] * x[i + 1];
            if level > 1.5 {
                break;
            }
        }
        level
    }
    at (&[1.3, 0.6, -0.4]), (&[0.3, -0.6, -0.4]), (&[0.3]);
}

/// The panics are those of the source.
#[test]
#[should_panic(expected = "window size must be non-zero")]
fn windows_of_nothing() {
    let _ = windows_of_given_length::windows_of_given_length::gradient(&[1.0, 2.0], 0);
}
