//! Shooting: which departure takes the probe to a given place at a given time?
//!
//! In: the system at departure, the schedule, and the place, relative to a planet at the end. Out: the
//! departure, with the iterations of Newton's method that led to it, and how the arrival depends on
//! everything that the simulation starts from. The three columns of the Jacobian come from `jvp`, which
//! needs no memory; the dependence on everything from one `vjp` for each coordinate of the arrival.

use cotangent::{Differentiable, differentiate};
use nalgebra::{Matrix3, Vector3};

use super::planets::{KILOMETRES, METRES_PER_SECOND, PROBE};
use super::system::{Leg, System, SystemTangent, simulate};

/// A place that moves with a planet.
#[derive(Clone, Copy, Debug)]
pub struct Aim {
    /// Index of the planet.
    pub planet: usize,
    /// From the planet to the place.
    pub offset: [f64; 3],
}

/// One step of Newton's method.
pub struct Iteration {
    /// Distance between probe and aim before the step, in kilometres.
    pub miss: f64,
    /// Change of the departure, in metres a second.
    pub correction: f64,
    /// Which part of the step of Newton's method this is.
    pub share: f64,
}

/// A departure that hits.
pub struct Shot {
    /// The system at that departure.
    pub start: System,
    /// The steps that led to it.
    pub iterations: Vec<Iteration>,
    /// Distance between probe and aim, in kilometres.
    pub miss: f64,
}

/// A hit, in kilometres: rounding in 1500 days of flight amounts to some metres.
pub const CLOSE_ENOUGH: f64 = 0.05;
/// Newton's method from a useful start takes ten steps.
const MOST_ITERATIONS: usize = 30;
/// A step that does not help is halved, but no more often than this.
const MOST_HALVINGS: i32 = 10;

/// From the aim to the probe, after the flight.
#[differentiate(constant(legs, aim))]
fn arrival(system: &mut System, legs: &[Leg], aim: &Aim) -> [f64; 3] {
    simulate(system, legs);
    let mut miss = [0.0; 3];
    for (k, part) in miss.iter_mut().enumerate() {
        let goal = system.bodies[aim.planet].position[k] + aim.offset[k];
        *part = system.bodies[PROBE].position[k] - goal;
    }
    miss
}

/// Changes the departure until the probe hits, or until nothing helps any more.
pub fn shoot(start: &System, legs: &[Leg], aim: &Aim) -> Shot {
    let mut shot = Shot { start: start.clone(), iterations: vec![], miss: f64::NAN };
    let mut miss = miss(start, legs, aim);
    while miss.norm() * KILOMETRES > CLOSE_ENOUGH && shot.iterations.len() < MOST_ITERATIONS {
        let Some(step) = jacobian(&shot.start, legs, aim).lu().solve(&-miss) else { break };
        let Some((share, better, smaller)) = search(&shot.start, legs, aim, &step, miss.norm())
        else {
            break;
        };
        let correction = share * step.norm() * METRES_PER_SECOND;
        shot.iterations.push(Iteration { miss: miss.norm() * KILOMETRES, correction, share });
        (shot.start, miss) = (better, smaller);
    }
    shot.miss = miss.norm() * KILOMETRES;
    shot
}

/// The largest share of a step, halved again and again, that brings the probe closer.
fn search(
    start: &System,
    legs: &[Leg],
    aim: &Aim,
    step: &Vector3<f64>,
    distance: f64,
) -> Option<(f64, System, Vector3<f64>)> {
    (0..=MOST_HALVINGS).find_map(|halvings| {
        let share = 0.5_f64.powi(halvings);
        let changed = departing(start, &(step * share));
        let miss = miss(&changed, legs, aim);
        (miss.norm() < distance).then_some((share, changed, miss))
    })
}

/// The system with a change of the probe's velocity.
fn departing(start: &System, change: &Vector3<f64>) -> System {
    let mut system = start.clone();
    let velocity = Vector3::from(system.bodies[PROBE].velocity) + change;
    system.bodies[PROBE].velocity = velocity.into();
    system
}

fn miss(start: &System, legs: &[Leg], aim: &Aim) -> Vector3<f64> {
    arrival(&mut start.clone(), legs, aim).into()
}

/// The derivative of the arrival by the velocity at departure.
pub fn jacobian(start: &System, legs: &[Leg], aim: &Aim) -> Matrix3<f64> {
    Matrix3::from_columns(&[0, 1, 2].map(|axis| {
        let mut system = start.clone();
        let mut system_dot = system.zero_tangent();
        system_dot.bodies[PROBE].velocity[axis] = 1.0;
        let (_, column) = arrival::jvp(&mut system, &mut system_dot, legs, aim);
        Vector3::from(column)
    }))
}

/// The derivative of each coordinate of the arrival by everything at the start.
pub fn rows(start: &System, legs: &[Leg], aim: &Aim) -> [SystemTangent; 3] {
    [0, 1, 2].map(|axis| {
        let mut system = start.clone();
        let mut system_bar = system.zero_tangent();
        let mut seed = [0.0; 3];
        seed[axis] = 1.0;
        let (_, pullback) = arrival::vjp(&mut system, legs, aim);
        pullback(&mut system, &mut system_bar, legs, aim, seed);
        system_bar
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orbit::planets::{EARTH, departure};

    const LEGS: [Leg; 2] = [Leg { step: 0.1, steps: 100 }, Leg { step: 0.5, steps: 180 }];

    /// Where a departure leads, as an aim.
    fn end_of(start: &System) -> Aim {
        let nowhere = Aim { planet: EARTH, offset: [0.0; 3] };
        Aim { offset: miss(start, &LEGS, &nowhere).into(), ..nowhere }
    }

    #[test]
    fn a_known_departure_is_found_again() {
        let known = departure(9000.0);
        let aim = end_of(&known);
        let change = Vector3::new(300.0, -200.0, 100.0) / METRES_PER_SECOND;
        let shot = shoot(&departing(&known, &change), &LEGS, &aim);
        assert!(shot.miss < CLOSE_ENOUGH);
        let [found, known] = [&shot.start, &known].map(|system| system.bodies[PROBE].velocity);
        let difference = Vector3::from(found) - Vector3::from(known);
        assert!(difference.norm() * METRES_PER_SECOND < 1e-5, "{difference}");
    }

    /// Quadratic convergence: from half as far away, one step leads four times as close.
    #[test]
    fn misses_are_squared() {
        let known = departure(9000.0);
        let aim = end_of(&known);
        let after_one_step = |metres_per_second: f64| {
            let change = Vector3::new(metres_per_second / METRES_PER_SECOND, 0.0, 0.0);
            shoot(&departing(&known, &change), &LEGS, &aim).iterations[1].miss
        };
        let ratio = after_one_step(100.0) / after_one_step(50.0);
        assert!((ratio - 4.0).abs() < 0.1, "{ratio}");
    }

    #[test]
    fn rows_and_columns_are_of_one_jacobian() {
        let start = departure(9000.0);
        let aim = end_of(&start);
        let columns = jacobian(&start, &LEGS, &aim);
        for (axis, row) in rows(&start, &LEGS, &aim).iter().enumerate() {
            let difference =
                Vector3::from(row.bodies[PROBE].velocity) - columns.row(axis).transpose();
            assert!(difference.norm() < 1e-12 * columns.norm());
        }
    }
}
