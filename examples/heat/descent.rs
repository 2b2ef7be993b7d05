//! Gradient descent with the step lengths of Barzilai and Borwein.
//!
//! In: a start and a function that gives value and gradient. Out: where it ended, with the way there. The
//! length of a step comes from how the gradient changed over the last one. The value may rise for a
//! few steps, which is what makes the method fast, but must stay below the worst of the last ones.

/// Value and gradient at a point.
pub type Sample = (f64, Vec<f64>);

/// One point of the way.
pub struct Visit {
    /// Where.
    pub point: Vec<f64>,
    /// The value there.
    pub value: f64,
    /// The length of the gradient there.
    pub slope: f64,
}

/// How many values back a step may not exceed.
const MEMORY: usize = 8;
/// What a step must gain, as a part of what the gradient promises.
const GAIN: f64 = 1e-4;
/// More halvings than this are no step any more.
const MOST_HALVINGS: usize = 40;

/// How to begin, and when to stop.
pub struct Descent {
    /// Length of the first step.
    pub first: f64,
    /// The gradient at the end is to be shorter than this part of that at the start.
    pub tolerance: f64,
    /// No more steps than this.
    pub most: usize,
}

impl Descent {
    /// Goes down from `start`. All points of the way are returned, with the start.
    pub fn run(&self, start: &[f64], sample: impl Fn(&[f64]) -> Sample) -> Vec<Visit> {
        let (value, mut gradient) = sample(start);
        let mut way = vec![Visit { point: start.to_vec(), value, slope: length(&gradient) }];
        let mut factor = self.first / way[0].slope;
        while way.len() <= self.most && way[way.len() - 1].slope > self.tolerance * way[0].slope {
            let Some((visit, next)) = step(&way, &gradient, factor, &sample) else { break };
            let last = &way[way.len() - 1].point;
            factor = barzilai_borwein(last, &visit.point, &gradient, &next).unwrap_or(2.0 * factor);
            gradient = next;
            way.push(visit);
        }
        way
    }
}

/// A step against the gradient, halved until it gains enough.
fn step(
    way: &[Visit],
    gradient: &[f64],
    factor: f64,
    sample: impl Fn(&[f64]) -> Sample,
) -> Option<(Visit, Vec<f64>)> {
    let here = &way[way.len() - 1];
    let recent = way.iter().rev().take(MEMORY).map(|visit| visit.value);
    let worst = recent.fold(f64::NEG_INFINITY, f64::max);
    let mut factor = factor;
    for _ in 0..MOST_HALVINGS {
        let point: Vec<f64> =
            here.point.iter().zip(gradient).map(|(x, slope)| x - factor * slope).collect();
        let (value, gradient) = sample(&point);
        if value <= worst - GAIN * factor * here.slope * here.slope {
            return Some((Visit { point, value, slope: length(&gradient) }, gradient));
        }
        factor *= 0.5;
    }
    None
}

/// The inverse of the curvature along the last step, if the function is curved upwards there.
fn barzilai_borwein(from: &[f64], to: &[f64], before: &[f64], after: &[f64]) -> Option<f64> {
    let step: Vec<f64> = to.iter().zip(from).map(|(b, a)| b - a).collect();
    let change: Vec<f64> = after.iter().zip(before).map(|(b, a)| b - a).collect();
    let curvature = dot(&step, &change);
    (curvature > 0.0).then(|| dot(&step, &step) / curvature)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn length(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A valley, a hundred times as steep across as along.
    fn valley(point: &[f64]) -> Sample {
        let [x, y] = [point[0] - 3.0, point[1] + 1.0];
        (0.5 * (x * x + 100.0 * y * y), vec![x, 100.0 * y])
    }

    #[test]
    fn the_bottom_of_a_valley_is_found() {
        let descent = Descent { first: 0.1, tolerance: 1e-10, most: 200 };
        let way = descent.run(&[0.0, 0.0], valley);
        let last = &way[way.len() - 1];
        assert!((last.point[0] - 3.0).abs() < 1e-7 && (last.point[1] + 1.0).abs() < 1e-9);
        assert!(way.len() < 60, "{}", way.len());
    }

    #[test]
    fn a_step_that_is_too_long_is_halved() {
        let way = Descent { first: 1e6, tolerance: 1e-10, most: 200 }.run(&[0.0, 0.0], valley);
        assert!(way[1].value < way[0].value);
    }

    #[test]
    fn values_that_are_no_numbers_are_avoided() {
        let log = |x: &[f64]| (x[0] - x[0].ln(), vec![1.0 - 1.0 / x[0]]);
        let way = Descent { first: 100.0, tolerance: 1e-10, most: 200 }.run(&[5.0], log);
        assert!((way[way.len() - 1].point[0] - 1.0).abs() < 1e-9);
    }
}
