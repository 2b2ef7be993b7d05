//! The derivative of two simulated bodies against that of Kepler's ellipse.
//!
//! In: a number of steps. Out: the error of the derivative of the final state. The two are compared along
//! seven directions, the elements of the ellipse and the mass of its centre: the closed form says how the
//! state at the start changes with each, and how the state at the end does. What the closed form has as
//! derivatives are differences of it, good to eleven digits.

use cotangent::Differentiable;

use super::kepler::{Elements, State};
use super::motion::{Motion, deviation, largest};
use super::system::{Body, Leg, System};

/// Semi-major axis, eccentricity, inclination, mean longitude, perihelion, node; mass of the centre.
const PARAMETERS: [f64; 7] = [1.1, 0.3, 0.4, 0.8, 0.2, 1.7, 0.9];
/// Which of them is the mass.
const MASS: usize = 6;
/// Mass of the body on the ellipse.
const COMPANION: f64 = 0.1;
/// A good half of the period.
const TIME: f64 = 4.0;

/// The largest deviation along a direction, with this many steps.
pub fn error(steps: usize) -> f64 {
    let start = two_bodies();
    let legs = [Leg::lasting(TIME, TIME / steps as f64)];
    let motion = Motion::new(&start, &legs);
    let along = |index: usize| deviation(&simulated(&motion, index), &derivative(index, TIME));
    largest((0..PARAMETERS.len()).map(along))
}

/// The centre at rest in the origin, and its companion at time zero.
fn two_bodies() -> System {
    let [position, velocity] = state(&PARAMETERS, 0.0);
    let centre = Body { position: [0.0; 3], velocity: [0.0; 3], mass: PARAMETERS[MASS] };
    System { bodies: vec![centre, Body { position, velocity, mass: COMPANION }], gravity: 1.0 }
}

/// How the state at the end, relative to the centre, changes with a parameter.
fn simulated(motion: &Motion<'_>, index: usize) -> [[f64; 3]; 2] {
    let mut start_dot = motion.start.zero_tangent();
    [start_dot.bodies[1].position, start_dot.bodies[1].velocity] = derivative(index, 0.0);
    if index == MASS {
        start_dot.bodies[0].mass = 1.0;
    }
    let end_dot = motion.push(start_dot, 0.0);
    let [centre, companion] =
        [0, 1].map(|i| [end_dot.bodies[i].position, end_dot.bodies[i].velocity]);
    combined(1.0, &companion, -1.0, &centre)
}

/// Position and velocity relative to the centre, in closed form.
fn state(parameters: &[f64; 7], time: f64) -> [[f64; 3]; 2] {
    let [semi_major_axis, eccentricity, inclination, mean_longitude, perihelion, node, mass] =
        *parameters;
    let elements =
        Elements { semi_major_axis, eccentricity, inclination, mean_longitude, perihelion, node };
    let State { position, velocity } = elements.at(mass + COMPANION, time);
    [position, velocity]
}

/// The derivative of [`state`] by a parameter: two central differences, extrapolated.
fn derivative(index: usize, time: f64) -> [[f64; 3]; 2] {
    let central = |h: f64| {
        let at = |shift: f64| {
            let mut parameters = PARAMETERS;
            parameters[index] += shift;
            state(&parameters, time)
        };
        combined(0.5 / h, &at(h), -0.5 / h, &at(-h))
    };
    combined(4.0 / 3.0, &central(1e-3), -1.0 / 3.0, &central(2e-3))
}

/// `p * a + q * b`
fn combined(p: f64, a: &[[f64; 3]; 2], q: f64, b: &[[f64; 3]; 2]) -> [[f64; 3]; 2] {
    std::array::from_fn(|row| std::array::from_fn(|k| p * a[row][k] + q * b[row][k]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_derivative_tends_to_that_of_the_ellipse() {
        assert!(error(4000) < 1e-5);
    }

    #[test]
    fn the_mean_longitude_moves_along_the_orbit() {
        let motion = ((PARAMETERS[MASS] + COMPANION) / PARAMETERS[0].powi(3)).sqrt();
        let [_, velocity] = state(&PARAMETERS, TIME);
        let [position_dot, _] = derivative(3, TIME);
        assert!(deviation(&position_dot, &velocity.map(|v| v / motion)) < 1e-10);
    }
}
