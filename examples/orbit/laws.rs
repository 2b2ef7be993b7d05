//! What the derivatives of the simulation must satisfy, whatever computes them.
//!
//! Out: for each [`Law`] how far it is from being true, and how far it may be. Laws of the discrete motion
//! hold to rounding: the method is symplectic, keeps both momenta, and knows no unit of length or time.
//! Laws of the true motion are approached with the square of the step, so that the error must fall to
//! a quarter when the steps are halved: energy, and Kepler's ellipse.

use std::ops::RangeInclusive;

use cotangent::{Differentiable, Tangent};
use nalgebra::{DMatrix, Vector3};

use super::ellipse;
use super::motion::{Motion, deviation, largest, numbers};
use super::system::{Body, Leg, System, SystemTangent, energy, energy_after};

/// A statement about the derivatives.
pub struct Law {
    /// What holds.
    pub name: &'static str,
    /// How far it is from holding, or by how much the error fell.
    pub found: f64,
    /// What `found` may be.
    pub allowed: RangeInclusive<f64>,
}

impl Law {
    /// Whether `found` is within its bounds.
    pub fn holds(&self) -> bool {
        self.allowed.contains(&self.found)
    }
}

/// Numbers that a body contributes to a tangent: position, velocity, mass.
const NUMBERS: usize = 7;
/// What rounding may do to the derivatives of a few hundred steps, which are a hundred times the state.
const ROUNDING: f64 = 1e-12;
/// Four, but for higher powers of the step.
const QUARTERED: RangeInclusive<f64> = 3.95..=4.05;

/// Every law, tested.
pub fn laws() -> Vec<Law> {
    let (start, legs) = three_bodies();
    let motion = Motion::new(&start, &legs);
    let exact = [
        ("the Jacobian is symplectic", symplectic(&motion)),
        ("columns from jvp are rows from vjp", columns_against_rows(&motion)),
        ("momentum depends on its own start only", momentum(&motion)),
        ("angular momentum likewise", angular_momentum(&motion)),
        ("no unit of length", without_unit(&motion, [1.0, 1.0, 3.0, 0.0], 0.0)),
        ("no unit of time", without_unit(&motion, [0.0, -1.0, -2.0, 0.0], 1.0)),
        ("only gravity times mass matters", without_unit(&motion, [0.0, 0.0, -1.0, 1.0], 0.0)),
    ];
    let limits = [
        ("energy: error over that with half steps", quartered(energy_drift)),
        ("ellipse: error over that with half steps", quartered(ellipse::error)),
    ];
    let exact = exact.map(|(name, found)| Law { name, found, allowed: 0.0..=ROUNDING });
    let limits = limits.map(|(name, found)| Law { name, found, allowed: QUARTERED });
    exact.into_iter().chain(limits).collect()
}

/// Three unequal bodies that pass each other in space, with two lengths of steps.
fn three_bodies() -> (System, [Leg; 2]) {
    let body = |position, velocity, mass| Body { position, velocity, mass };
    let bodies = vec![
        body([0.97, -0.24, 0.1], [0.47, 0.43, -0.1], 1.0),
        body([-0.97, 0.24, 0.0], [0.47, 0.43, 0.2], 0.8),
        body([0.0, 0.05, -0.1], [-0.93, -0.86, 0.0], 1.1),
    ];
    let legs = [Leg { step: 0.01, steps: 150 }, Leg { step: 0.005, steps: 200 }];
    (System { bodies, gravity: 0.9 }, legs)
}

/// The largest entry of `Jᵀ Ω J - Ω`, as a part of the largest of `|J|ᵀ |Ω| |J|`, the sum without signs.
/// Momenta are masses times velocities, so that `Ω` holds the masses.
fn symplectic(motion: &Motion<'_>) -> f64 {
    let jacobian = jacobian(motion);
    let form = DMatrix::from_fn(jacobian.nrows(), jacobian.ncols(), |row, column| {
        let mass = motion.start.bodies[row / 6].mass;
        if row % 6 < 3 && column == row + 3 {
            mass
        } else if row % 6 >= 3 && row == column + 3 {
            -mass
        } else {
            0.0
        }
    });
    let size = jacobian.abs().transpose() * form.abs() * jacobian.abs();
    (jacobian.transpose() * &form * jacobian - form).amax() / size.amax()
}

/// The derivative of positions and velocities by positions and velocities.
fn jacobian(motion: &Motion<'_>) -> DMatrix<f64> {
    let coordinates = coordinates(motion.start);
    let columns = coordinates.iter().map(|&index| {
        let column = numbers(&motion.push(unit(motion.start, index), 0.0));
        coordinates.iter().map(|&row| column[row]).collect::<Vec<_>>()
    });
    let entries: Vec<f64> = columns.flatten().collect();
    DMatrix::from_column_slice(coordinates.len(), coordinates.len(), &entries)
}

/// Which numbers of a tangent are positions or velocities.
fn coordinates(system: &System) -> Vec<usize> {
    (0..NUMBERS * system.bodies.len()).filter(|index| index % NUMBERS < 6).collect()
}

/// The derivatives by everything: positions, velocities, masses, gravity.
fn columns_against_rows(motion: &Motion<'_>) -> f64 {
    let count = numbers(&motion.start.zero_tangent()).len();
    let line = |index: usize| unit(motion.start, index);
    let columns: Vec<f64> =
        (0..count).flat_map(|index| numbers(&motion.push(line(index), 0.0))).collect();
    let rows: Vec<f64> =
        (0..count).flat_map(|index| numbers(&motion.pull(line(index)).0)).collect();
    let columns = DMatrix::from_column_slice(count, count, &columns);
    let rows = DMatrix::from_row_slice(count, count, &rows);
    (&columns - rows).amax() / columns.amax()
}

/// One in one number, zero in the others.
fn unit(system: &System, index: usize) -> SystemTangent {
    let (mut tangent, mut at) = (system.zero_tangent(), 0);
    tangent.visit_mut(&mut |number| {
        *number = if at == index { 1.0 } else { 0.0 };
        at += 1;
    });
    tangent
}

/// The gradient of the momentum at the end, taken back, is the gradient of the momentum at the start.
fn momentum(motion: &Motion<'_>) -> f64 {
    kept(motion, |body, axis| {
        let velocity = Vector3::from(body.velocity);
        (Vector3::zeros(), axis * body.mass, axis.dot(&velocity))
    })
}

/// The same for the angular momentum `m r × v`.
fn angular_momentum(motion: &Motion<'_>) -> f64 {
    kept(motion, |body, axis| {
        let [r, v] = [body.position, body.velocity].map(Vector3::from);
        (v.cross(axis) * body.mass, axis.cross(&r) * body.mass, axis.dot(&r.cross(&v)))
    })
}

/// How far what is conserved is from having one gradient at start and end, and none by gravity and steps.
/// `gradient` gives the derivatives of its part along an axis by position, velocity and mass of a body.
fn kept(
    motion: &Motion<'_>,
    gradient: impl Fn(&Body, &Vector3<f64>) -> (Vector3<f64>, Vector3<f64>, f64),
) -> f64 {
    let of_system = |system: &System, axis: &Vector3<f64>| {
        let mut tangent = system.zero_tangent();
        for (body, tangent) in system.bodies.iter().zip(&mut tangent.bodies) {
            let (position, velocity, mass) = gradient(body, axis);
            tangent.position = position.into();
            tangent.velocity = velocity.into();
            tangent.mass = mass;
        }
        tangent
    };
    largest([Vector3::x(), Vector3::y(), Vector3::z()].map(|axis| {
        let (start_bar, legs_bar) = motion.pull(of_system(&motion.end, &axis));
        let by_steps = largest(legs_bar.iter().map(|leg| leg.step));
        largest([by_steps, deviation(&start_bar, &of_system(motion.start, &axis))])
    }))
}

/// When positions, velocities, masses and gravity at the start grow by these powers of a unit, and the
/// steps by `stretch`, then those at the end grow by the same powers.
fn without_unit(motion: &Motion<'_>, powers: [f64; 4], stretch: f64) -> f64 {
    let scaled = |system: &System| {
        let [position, velocity, mass, gravity] = powers;
        let mut tangent = system.zero_tangent();
        tangent.gravity = gravity * system.gravity;
        for (body, tangent) in system.bodies.iter().zip(&mut tangent.bodies) {
            tangent.position = body.position.map(|x| position * x);
            tangent.velocity = body.velocity.map(|x| velocity * x);
            tangent.mass = mass * body.mass;
        }
        tangent
    };
    deviation(&motion.push(scaled(motion.start), stretch), &scaled(&motion.end))
}

/// By how much an error falls when there are twice as many steps.
fn quartered(error: impl Fn(usize) -> f64) -> f64 {
    error(1000) / error(2000)
}

/// The gradient of the energy at the end by the start, against that of the energy at the start.
fn energy_drift(steps: usize) -> f64 {
    let (mut start, _) = three_bodies();
    let legs = [Leg { step: 1.0 / steps as f64, steps }];
    let expected = energy::gradient(&start);
    let (found, _legs_bar) = energy_after::gradient(&mut start, &legs);
    deviation(&found, &expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_law_holds() {
        for law in laws() {
            assert!(law.holds(), "{}: {:e}", law.name, law.found);
        }
    }

    /// The laws would notice a wrong derivative: here, one of a motion that is not the one at hand.
    #[test]
    fn no_law_holds_for_another_motion() {
        let (start, legs) = three_bodies();
        let other = System { gravity: 0.901, ..start.clone() };
        let mut motion = Motion::new(&start, &legs);
        motion.end = Motion::new(&other, &legs).end;
        assert!(momentum(&motion) > 1e-6);
        assert!(angular_momentum(&motion) > 1e-6);
        assert!(without_unit(&motion, [1.0, 1.0, 3.0, 0.0], 0.0) > 1e-6);
    }

    #[test]
    fn powers_that_are_no_unit_are_noticed() {
        let (start, legs) = three_bodies();
        let motion = Motion::new(&start, &legs);
        assert!(without_unit(&motion, [1.0, 1.0, 2.0, 0.0], 0.0) > 1e-3);
        assert!(without_unit(&motion, [0.0, -1.0, -2.0, 0.0], 0.9) > 1e-3);
    }

    #[test]
    fn the_rule_tester_agrees() {
        let (mut start, _) = three_bodies();
        let legs = [Leg { step: 0.01, steps: 4 }, Leg { step: 0.02, steps: 3 }];
        cotangent::check!(energy_after(&mut start, &legs)).unwrap();
    }
}
