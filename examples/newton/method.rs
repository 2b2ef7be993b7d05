//! Newton's method in a trust region.
//!
//! In: a problem and a starting point. Out: where the way down from there ends. A step minimises the quadratic model
//! that Hessian and gradient give, in an ellipsoid around the point: it solves `(H + d S) p = -g` by Cholesky's
//! factorisation, with a damping `d` that is zero, or such that the step ends at the edge of the ellipsoid. That is
//! found by a Newton method of its own (J. J. Moré, D. C. Sorensen, "Computing a Trust Region Step", SIAM Journal on
//! Scientific and Statistical Computing 4, 1983). The scales `S` are the largest magnitudes that the diagonal of `H` has
//! had. The region grows where the function does what the model says, and shrinks where not.

use cotangent::Matrix;
use cotangent::linalg::{cholesky, dot, norm2, solve_lower, solve_lower_t};

use super::problem::Problem;

/// The first region, as a part of the step of steepest descent in scaled variables.
const FIRST_REGION: f64 = 0.3;
/// The method stops where a step promises less than the rounding of a value, and of this where the value is zero.
const NO_VALUE: f64 = 1e-10;
/// Steps that are tried at most.
const MOST_TRIALS: usize = 1000;
/// Dampings that are tried at most for one step.
const MOST_DAMPINGS: usize = 50;

/// Where the method ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The value.
    pub value: f64,
    /// The length of the gradient.
    pub gradient: f64,
    /// That at the start.
    pub gradient_at_start: f64,
    /// Steps taken, each of which needs one Hessian.
    pub steps: usize,
    /// Steps tried, each of which needs one value.
    pub trials: usize,
}

/// Minimises a function from a starting point.
pub fn minimise(problem: &Problem, start: &[f64]) -> Outcome {
    let mut x = start.to_vec();
    let (mut value, mut model) = Model::at(problem, &x, &vec![0.0; x.len()]);
    let gradient_at_start = norm2(&model.gradient);
    let mut radius = FIRST_REGION * model.length_of_descent();
    let (mut steps, mut trials) = (0, 0);
    while trials < MOST_TRIALS {
        let Some(step) = model.step(radius) else { break };
        if step.promised <= f64::EPSILON * (value + NO_VALUE) {
            break;
        }
        let there: Vec<f64> = x.iter().zip(&step.p).map(|(x, p)| x + p).collect();
        let gain = (value - (problem.value)(&there)) / step.promised;
        trials += 1;
        if gain > 0.75 && step.damping > 0.0 {
            radius = radius.max(2.0 * step.length);
        } else if gain.is_nan() || gain < 0.25 {
            radius = 0.25 * step.length;
        }
        if gain > 1e-4 {
            x = there;
            (value, model) = Model::at(problem, &x, &model.scale);
            steps += 1;
        }
    }
    let gradient = norm2(&model.gradient);
    Outcome { value, gradient, gradient_at_start, steps, trials }
}

/// A function around a point, as far as its second derivatives.
struct Model {
    gradient: Vec<f64>,
    hessian: Matrix,
    scale: Vec<f64>,
}

/// A step.
struct Step {
    p: Vec<f64>,
    damping: f64,
    /// Its length in scaled variables.
    length: f64,
    /// How much smaller the model is there.
    promised: f64,
    /// The derivative of the length by the damping, as a part of the length.
    shortening: f64,
}

impl Model {
    /// The value at a point, and the model, with scales that are at least as large as others.
    fn at(problem: &Problem, x: &[f64], least: &[f64]) -> (f64, Self) {
        let (value, gradient, hessian) = (problem.derivatives)(x);
        let scale = |(i, least): (usize, &f64)| match hessian[(i, i)].abs().max(*least) {
            0.0 => 1.0,
            scale => scale,
        };
        let scale = least.iter().enumerate().map(scale).collect();
        (value, Model { gradient, hessian, scale })
    }

    /// The length in scaled variables of the gradient's negative, scaled.
    fn length_of_descent(&self) -> f64 {
        self.gradient.iter().zip(&self.scale).map(|(g, s)| g * g / s).sum::<f64>().sqrt()
    }

    /// The best step within a radius, which the length meets to a tenth.
    fn step(&self, radius: f64) -> Option<Step> {
        let (mut low, mut high) = (0.0_f64, f64::INFINITY);
        let (mut damping, mut best) = (0.0, None);
        for _ in 0..MOST_DAMPINGS {
            let mut next = f64::NAN;
            match self.damped_step(damping) {
                Some(step) => {
                    next = damping - (step.length / radius - 1.0) / step.shortening;
                    if step.length > 1.1 * radius {
                        low = damping;
                    } else {
                        high = damping;
                        let full = damping == 0.0 || step.length >= 0.9 * radius;
                        best = Some(step);
                        if full {
                            break;
                        }
                    }
                }
                None => low = damping,
            }
            damping = if low < next && next < high { next } else { between(low, high) };
        }
        best
    }

    /// The step with a damping; none where the damped Hessian is not positive definite.
    fn damped_step(&self, damping: f64) -> Option<Step> {
        let n = self.scale.len();
        let mut damped = self.hessian.clone();
        for (i, scale) in self.scale.iter().enumerate() {
            damped[(i, i)] += damping * scale;
        }
        let factor = cholesky(damped.as_slice(), n)?;
        let downhill: Vec<f64> = self.gradient.iter().map(|g| -g).collect();
        let p = solve_lower_t(&factor, &solve_lower(&factor, &downhill, n), n);
        let stretched: Vec<f64> = p.iter().zip(&self.scale).map(|(p, s)| p * s).collect();
        let square = dot(&p, &stretched);
        Some(Step {
            damping,
            length: square.sqrt(),
            promised: 0.5 * (dot(&downhill, &p) + damping * square),
            shortening: -(norm2(&solve_lower(&factor, &stretched, n)).powi(2) / square),
            p,
        })
    }
}

/// A damping between one that is too small and one that is large enough, if that is known.
fn between(low: f64, high: f64) -> f64 {
    if high.is_finite() { (low.max(1e-3 * high) * high).sqrt() } else { (10.0 * low).max(1e-10) }
}
