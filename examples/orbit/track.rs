//! What happens on the way.
//!
//! In: a start and a schedule. Out: [`Moment`]s of the flight, relative to the Sun, for pictures, and the
//! closest approach to a planet. The simulation runs in pieces here, with the same steps as in one piece.

use nalgebra::Vector3;

use super::planets::{PROBE, SUN};
use super::system::{Leg, System, simulate};

/// The system at a time.
pub struct Moment {
    /// Days since departure.
    pub day: f64,
    /// Positions of all bodies, relative to the Sun.
    pub positions: Vec<Vector3<f64>>,
    /// Speed of the probe, relative to the Sun.
    pub speed: f64,
}

/// Every `stride`-th moment, and the first and the last.
pub fn track(start: &System, legs: &[Leg], stride: usize) -> Vec<Moment> {
    let mut moments = vec![];
    visit(start, legs, |day, step, system| {
        if step % stride == 0 {
            moments.push(moment(day, system));
        }
    });
    moments
}

/// Day and distance of the closest approach of the probe to a planet.
pub fn closest(start: &System, legs: &[Leg], planet: usize) -> (f64, f64) {
    let mut closest = (0.0, f64::INFINITY);
    visit(start, legs, |day, _, system| {
        let [probe, planet] = [PROBE, planet].map(|i| Vector3::from(system.bodies[i].position));
        let distance = (probe - planet).norm();
        if distance < closest.1 {
            closest = (day, distance);
        }
    });
    closest
}

/// Calls `see` with the day, the number of the step within its leg, and the system.
fn visit(start: &System, legs: &[Leg], mut see: impl FnMut(f64, usize, &System)) {
    let (mut system, mut begin) = (start.clone(), 0.0);
    for leg in legs {
        for step in 0..leg.steps {
            see(begin + leg.step * step as f64, step, &system);
            simulate(&mut system, &[Leg { steps: 1, ..*leg }]);
        }
        begin += leg.step * leg.steps as f64;
    }
    see(begin, 0, &system);
}

fn moment(day: f64, system: &System) -> Moment {
    let sun = &system.bodies[SUN];
    let relative = |at: &[f64; 3], to: &[f64; 3]| Vector3::from(*at) - Vector3::from(*to);
    Moment {
        day,
        positions: system.bodies.iter().map(|b| relative(&b.position, &sun.position)).collect(),
        speed: relative(&system.bodies[PROBE].velocity, &sun.velocity).norm(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orbit::planets::{EARTH, departure};

    const LEGS: [Leg; 2] = [Leg { step: 0.1, steps: 20 }, Leg { step: 0.5, steps: 10 }];

    #[test]
    fn the_last_moment_is_where_the_simulation_ends() {
        let start = departure(9000.0);
        let mut end = start.clone();
        simulate(&mut end, &LEGS);
        let moments = track(&start, &LEGS, 5);
        let days: Vec<f64> = moments.iter().map(|moment| moment.day).collect();
        assert_eq!(days, [0.0, 0.5, 1.0, 1.5, 2.0, 4.5, 7.0]);
        let last = moments.last().unwrap();
        for (body, position) in end.bodies.iter().zip(&last.positions) {
            let [body, sun] = [body, &end.bodies[SUN]].map(|b| Vector3::from(b.position));
            assert_eq!(*position, body - sun);
        }
    }

    #[test]
    fn a_probe_that_leaves_is_closest_at_the_start() {
        let (day, distance) = closest(&departure(9000.0), &LEGS, EARTH);
        assert_eq!(day, 0.0);
        assert!((distance - 0.0062).abs() < 1e-12);
    }
}
