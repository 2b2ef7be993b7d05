//! Adam's method, for parameters of any type.
//!
//! In: parameters and gradients. Out: the parameters, one step on. The method is Adam (Kingma and Ba 2015), with its
//! authors' constants.

use cotangent::{Differentiable, Tangent};

/// What is remembered from step to step: the means of the gradients and of their squares.
pub struct Adam<T> {
    rate: f64,
    steps: i32,
    mean: T,
    square: T,
}

impl<T: Tangent> Adam<T> {
    /// Steps of at most about this length in each number. `zero` is the zero tangent of the parameters.
    pub fn new(rate: f64, zero: T) -> Self {
        Adam { rate, steps: 0, mean: zero.clone(), square: zero }
    }

    /// One step.
    pub fn step(&mut self, params: &mut impl Differentiable<Tangent = T>, gradient: &T) {
        self.steps += 1;
        self.mean.zip_floats(gradient, |mean, slope| 0.9 * mean + 0.1 * slope);
        self.square.zip_floats(gradient, |square, slope| 0.999 * square + 0.001 * slope * slope);
        let whole = [0.9_f64, 0.999].map(|decay| 1.0 - decay.powi(self.steps));
        let mut direction = self.mean.clone();
        direction.zip_floats(&self.square, |mean, square| {
            (mean / whole[0]) / ((square / whole[1]).sqrt() + 1e-8)
        });
        params.perturb(&direction, -self.rate);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first step is as long as the rate whatever the gradient, and against it.
    #[test]
    fn steps_are_those_of_the_paper() {
        let (mut params, mut adam) = ((1.0_f64, vec![2.0_f64]), Adam::new(0.1, (0.0, vec![0.0])));
        adam.step(&mut params, &(1e-3, vec![-50.0]));
        assert!((params.0 - 0.9).abs() < 1e-5 && (params.1[0] - 2.1).abs() < 1e-9);
        adam.step(&mut params, &(1e-3, vec![50.0]));
        let mean = (0.9 * -5.0 + 5.0) / 0.19;
        assert!((params.1[0] - (2.1 - 0.1 * mean / 50.0)).abs() < 1e-9);
    }
}
