//! The fifteen models, as written in the `Model` section of each file.
//!
//! In: parameters `b` (differentiated) and predictors (constant). Out: the predicted response.
//! Each is an ordinary function; `#[differentiate(constant(..))]` adds the derivatives. [`MODELS`]
//! gives them one type, so that solver and plot need not know which model they have.

use cotangent::differentiate;

use super::data::{Observation, Problem};

/// A model function under a common signature.
pub struct Model {
    /// Name of the data set; `{name}.dat` is its file.
    pub name: &'static str,
    /// The formula of the file's `Model` section that the function implements.
    pub formula: &'static str,
    /// Predicted response for parameters and predictors.
    pub value: fn(&[f64], &[f64]) -> f64,
    /// Its derivatives by the parameters.
    pub gradient: fn(&[f64], &[f64]) -> Vec<f64>,
}

impl Model {
    /// Whether this is the model of `problem`: it has the formula, and gives the certified sum of
    /// squares at the certified parameters.
    pub fn check(&self, problem: &Problem) -> Result<(), String> {
        if problem.formula != self.formula {
            return Err(format!("expected the model `{}`", self.formula));
        }
        let (found, certified) = (self.sum_of_squares(problem), problem.residual_sum_of_squares);
        if (found - certified).abs() > 1e-9 * certified {
            return Err(format!("sum of squares {found:e}, certified {certified:e}"));
        }
        Ok(())
    }

    /// The sum of squared residuals at the certified parameters.
    fn sum_of_squares(&self, problem: &Problem) -> f64 {
        let predicted = |at: &Observation| (self.value)(&problem.certified, &at.predictors);
        problem.observations.iter().map(|at| (predicted(at) - at.response).powi(2)).sum()
    }
}

/// One row of [`MODELS`]: the function's arguments after `b` are the predictors.
macro_rules! model {
    ($name:literal, $model:ident(x), $formula:literal) => {
        Model {
            name: $name,
            formula: $formula,
            value: |b, x| $model(b, x[0]),
            gradient: |b, x| $model::gradient(b, x[0]),
        }
    };
    ($name:literal, $model:ident(x1, x2), $formula:literal) => {
        Model {
            name: $name,
            formula: $formula,
            value: |b, x| $model(b, x[0], x[1]),
            gradient: |b, x| $model::gradient(b, x[0], x[1]),
        }
    };
}

/// All models, by rising difficulty.
pub const MODELS: [Model; 15] = [
    model!("Misra1a", misra_1a(x), "y = b1*(1-exp[-b2*x]) + e"),
    model!("Chwirut2", chwirut(x), "y = exp(-b1*x)/(b2+b3*x) + e"),
    model!("Lanczos3", lanczos(x), "y = b1*exp(-b2*x) + b3*exp(-b4*x) + b5*exp(-b6*x) + e"),
    model!(
        "Gauss1",
        gauss(x),
        "y = b1*exp( -b2*x ) + b3*exp( -(x-b4)**2 / b5**2 ) + b6*exp( -(x-b7)**2 / b8**2 ) + e"
    ),
    model!("DanWood", dan_wood(x), "y = b1*x**b2 + e"),
    model!("Misra1b", misra_1b(x), "y = b1 * (1-(1+b2*x/2)**(-2)) + e"),
    model!("Kirby2", kirby(x), "y = (b1 + b2*x + b3*x**2) / (1 + b4*x + b5*x**2) + e"),
    model!("Hahn1", hahn(x), "y = (b1+b2*x+b3*x**2+b4*x**3) / (1+b5*x+b6*x**2+b7*x**3) + e"),
    model!("Nelson", nelson(x1, x2), "log[y] = b1 - b2*x1 * exp[-b3*x2] + e"),
    model!("MGH17", mgh_17(x), "y = b1 + b2*exp[-x*b4] + b3*exp[-x*b5] + e"),
    model!("Misra1d", misra_1d(x), "y = b1*b2*x*((1+b2*x)**(-1)) + e"),
    model!("Rat42", rat_42(x), "y = b1 / (1+exp[b2-b3*x]) + e"),
    model!("BoxBOD", box_bod(x), "y = b1*(1-exp[-b2*x]) + e"),
    model!("Eckerle4", eckerle(x), "y = (b1/b2) * exp[-0.5*((x-b3)/b2)**2] + e"),
    model!("MGH10", mgh_10(x), "y = b1 * exp[b2/(x+b3)] + e"),
];

#[differentiate(constant(x))]
fn misra_1a(b: &[f64], x: f64) -> f64 {
    b[0] * (1.0 - (-b[1] * x).exp())
}

#[differentiate(constant(x))]
fn chwirut(b: &[f64], x: f64) -> f64 {
    (-b[0] * x).exp() / (b[1] + b[2] * x)
}

#[differentiate(constant(x))]
fn lanczos(b: &[f64], x: f64) -> f64 {
    b[0] * (-b[1] * x).exp() + b[2] * (-b[3] * x).exp() + b[4] * (-b[5] * x).exp()
}

#[differentiate(constant(x))]
fn gauss(b: &[f64], x: f64) -> f64 {
    let left = (x - b[3]) / b[4];
    let right = (x - b[6]) / b[7];
    b[0] * (-b[1] * x).exp() + b[2] * (-left * left).exp() + b[5] * (-right * right).exp()
}

#[differentiate(constant(x))]
fn dan_wood(b: &[f64], x: f64) -> f64 {
    b[0] * x.powf(b[1])
}

#[differentiate(constant(x))]
fn misra_1b(b: &[f64], x: f64) -> f64 {
    b[0] * (1.0 - (1.0 + b[1] * x / 2.0).powi(-2))
}

#[differentiate(constant(x))]
fn kirby(b: &[f64], x: f64) -> f64 {
    (b[0] + b[1] * x + b[2] * x.powi(2)) / (1.0 + b[3] * x + b[4] * x.powi(2))
}

#[differentiate(constant(x))]
fn hahn(b: &[f64], x: f64) -> f64 {
    let numerator = b[0] + x * (b[1] + x * (b[2] + x * b[3]));
    let denominator = 1.0 + x * (b[4] + x * (b[5] + x * b[6]));
    numerator / denominator
}

/// The response is the logarithm of the breakdown strength.
#[differentiate(constant(weeks, celsius))]
fn nelson(b: &[f64], weeks: f64, celsius: f64) -> f64 {
    b[0] - b[1] * weeks * (-b[2] * celsius).exp()
}

#[differentiate(constant(x))]
fn mgh_17(b: &[f64], x: f64) -> f64 {
    b[0] + b[1] * (-x * b[3]).exp() + b[2] * (-x * b[4]).exp()
}

#[differentiate(constant(x))]
fn misra_1d(b: &[f64], x: f64) -> f64 {
    let product = b[1] * x;
    b[0] * product / (1.0 + product)
}

#[differentiate(constant(x))]
fn rat_42(b: &[f64], x: f64) -> f64 {
    b[0] / (1.0 + (b[1] - b[2] * x).exp())
}

#[differentiate(constant(x))]
fn box_bod(b: &[f64], x: f64) -> f64 {
    b[0] * (1.0 - (-b[1] * x).exp())
}

#[differentiate(constant(x))]
fn eckerle(b: &[f64], x: f64) -> f64 {
    let deviation = (x - b[2]) / b[1];
    b[0] / b[1] * (-0.5 * deviation * deviation).exp()
}

#[differentiate(constant(x))]
fn mgh_10(b: &[f64], x: f64) -> f64 {
    b[0] * (b[1] / (x + b[2])).exp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_problem;
    use approx::assert_relative_eq;
    use std::path::Path;

    fn read(model: &Model) -> Problem {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/nist");
        read_problem(&folder, model).unwrap()
    }

    #[test]
    fn another_model_is_noticed() {
        let [misra, chwirut, ..] = &MODELS;
        let problem = read(misra);
        assert_eq!(misra.check(&problem), Ok(()));
        assert!(chwirut.check(&problem).unwrap_err().contains("expected the model"));
        let wrong = Model { value: chwirut.value, ..*misra };
        let padded = Problem { certified: vec![1.0; 3], ..problem };
        assert!(wrong.check(&padded).unwrap_err().contains("sum of squares"));
    }

    #[test]
    fn gradients_agree_with_differences() {
        for model in &MODELS {
            let problem = read(model);
            let (b, x) = (&problem.certified, &problem.observations[0].predictors);
            let gradient = (model.gradient)(b, x);
            assert_eq!(gradient.len(), b.len());
            for (index, by_parameter) in gradient.into_iter().enumerate() {
                assert_relative_eq!(by_parameter, slope(model, b, x, index), max_relative = 1e-6);
            }
        }
    }

    /// Central difference by parameter `index`.
    fn slope(model: &Model, b: &[f64], x: &[f64], index: usize) -> f64 {
        let step = b[index].abs() * 1e-5;
        let moved = |by: f64| {
            let mut b = b.to_vec();
            b[index] += by;
            (model.value)(&b, x)
        };
        (moved(step) - moved(-step)) / (2.0 * step)
    }
}
