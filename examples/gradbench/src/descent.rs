//! Gradient descent with a step that doubles and halves, as the suite fixes it.
//!
//! In: a function, its gradient, and a start. Out: the point where the gradient or the step is small.

/// A gradient or a step of at most this norm ends the descent.
pub const TOLERANCE: f64 = 1e-5;
/// The length of the first step, by the gradient's norm.
pub const FIRST_RATE: f64 = 1e-5;
/// After so many steps the rate doubles.
pub const STEPS_OF_A_RATE: usize = 10;

fn norm<const N: usize>(x: &[f64; N]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Minimises `f`, whose gradient is `slope`.
pub fn minimize<const N: usize>(
    f: impl Fn(&[f64; N]) -> f64,
    slope: impl Fn(&[f64; N]) -> [f64; N],
    start: [f64; N],
) -> [f64; N] {
    let (mut x, mut lowest, mut gradient) = (start, f(&start), slope(&start));
    let (mut rate, mut steps) = (FIRST_RATE, 0);
    while norm(&gradient) > TOLERANCE {
        if steps == STEPS_OF_A_RATE {
            (rate, steps) = (2.0 * rate, 0);
            continue;
        }
        let step = gradient.map(|part| rate * part);
        if norm(&step) <= TOLERANCE {
            break;
        }
        let next = std::array::from_fn(|i| x[i] - step[i]);
        let height = f(&next);
        if height < lowest {
            (x, lowest, gradient) = (next, height, slope(&next));
            steps += 1;
        } else {
            (rate, steps) = (0.5 * rate, 0);
        }
    }
    x
}
