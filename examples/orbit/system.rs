//! Bodies that attract each other, moved on by the leapfrog method.
//!
//! In: bodies, the constant of gravity and a schedule of steps. Out: the bodies at the end of the
//! schedule, in place. All of it is ordinary code under `#[differentiate]`; positions, velocities, masses,
//! the constant of gravity and the lengths of the steps are active.
//!
//! A step is symplectic, and what one body of a pair gains in momentum the other loses: linear and angular
//! momentum are constant but for rounding, and the error of the energy goes with the square of the step.

use cotangent::{Differentiable, differentiate};

/// A point with a mass.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Body {
    /// Where it is.
    pub position: [f64; 3],
    /// Where it goes.
    pub velocity: [f64; 3],
    /// May be zero: such a body is attracted and does not attract.
    pub mass: f64,
}

/// Bodies and the law that holds between them.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct System {
    /// In any order; all pairs interact.
    pub bodies: Vec<Body>,
    /// The constant of gravity, in the units of the bodies.
    pub gravity: f64,
}

/// A stretch of time with steps of one length.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct Leg {
    /// Length of a step.
    pub step: f64,
    /// How many steps.
    pub steps: usize,
}

impl Leg {
    /// The steps of about the length `step` that fill `time`.
    pub fn lasting(time: f64, step: f64) -> Self {
        let steps = (time / step).round().max(1.0);
        Self { step: time / steps, steps: steps as usize }
    }
}

/// Moves the system through all legs, one after the other.
#[differentiate]
pub fn simulate(system: &mut System, legs: &[Leg]) {
    for leg in legs {
        for _ in 0..leg.steps {
            drift(system, 0.5 * leg.step);
            kick(system, leg.step);
            drift(system, 0.5 * leg.step);
        }
    }
}

/// All bodies go straight on for the time `h`.
#[differentiate]
fn drift(system: &mut System, h: f64) {
    for body in &mut system.bodies {
        for k in 0..3 {
            body.position[k] += h * body.velocity[k];
        }
    }
}

/// All bodies pull at each other for the time `h`.
#[differentiate]
fn kick(system: &mut System, h: f64) {
    let strength = system.gravity * h;
    for i in 0..system.bodies.len() {
        for j in 0..i {
            attract(&mut system.bodies, i, j, strength);
        }
    }
}

/// What the bodies `i` and `j` do to each other's velocities.
#[differentiate]
fn attract(bodies: &mut [Body], i: usize, j: usize, strength: f64) {
    let square = distance_squared(&bodies[i].position, &bodies[j].position);
    let factor = strength / (square * square.sqrt());
    for k in 0..3 {
        let pull = factor * (bodies[j].position[k] - bodies[i].position[k]);
        bodies[i].velocity[k] += bodies[j].mass * pull;
        bodies[j].velocity[k] -= bodies[i].mass * pull;
    }
}

#[differentiate]
fn distance_squared(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    let mut sum = 0.0;
    for k in 0..3 {
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    }
    sum
}

/// Kinetic and potential energy.
#[differentiate]
pub fn energy(system: &System) -> f64 {
    let origin = [0.0; 3];
    let bodies = &system.bodies;
    let mut sum = 0.0;
    for i in 0..bodies.len() {
        sum += 0.5 * bodies[i].mass * distance_squared(&bodies[i].velocity, &origin);
        for j in 0..i {
            let distance = distance_squared(&bodies[i].position, &bodies[j].position).sqrt();
            sum -= system.gravity * bodies[i].mass * bodies[j].mass / distance;
        }
    }
    sum
}

/// The energy after the schedule; `system` is moved.
#[differentiate]
pub fn energy_after(system: &mut System, legs: &[Leg]) -> f64 {
    simulate(system, legs);
    energy(system)
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;
    use std::f64::consts::TAU;

    /// Two bodies of masses 1 and 3 at distance 2, on circles around their common centre.
    fn circles() -> System {
        let speed = 2.0_f64.sqrt();
        let light =
            Body { position: [1.5, 0.0, 0.0], velocity: [0.0, 0.75 * speed, 0.0], mass: 1.0 };
        let heavy =
            Body { position: [-0.5, 0.0, 0.0], velocity: [0.0, -0.25 * speed, 0.0], mass: 3.0 };
        System { bodies: vec![light, heavy], gravity: 1.0 }
    }

    #[test]
    fn bodies_on_circles_come_back() {
        let period = TAU * 2.0_f64.sqrt();
        let mut system = circles();
        simulate(&mut system, &[Leg::lasting(period, 1e-4)]);
        for (body, start) in system.bodies.iter().zip(circles().bodies) {
            assert_relative_eq!(body.position[..], start.position[..], epsilon = 1e-7);
            assert_relative_eq!(body.velocity[..], start.velocity[..], epsilon = 1e-7);
        }
    }

    #[test]
    fn energy_on_circles_is_half_the_potential() {
        assert_relative_eq!(energy(&circles()), -0.75, epsilon = 1e-15);
    }

    #[test]
    fn a_leg_lasts_as_long_as_asked() {
        let leg = Leg::lasting(10.0, 0.3);
        assert_eq!(leg.steps, 33);
        assert_relative_eq!(leg.step * 33.0, 10.0, epsilon = 1e-14);
    }
}
