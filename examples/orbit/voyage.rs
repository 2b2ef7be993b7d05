//! The flight of Voyager 2 from Earth by way of Jupiter to Saturn, planned in two shots.
//!
//! Out: a [`Voyage`] with three departures: a guess, one that passes behind Jupiter, and one that is
//! thrown by Jupiter to Saturn. The second is where the search for the third starts, because from the guess
//! no small change leads to Saturn.

use nalgebra::Vector3;

use super::mission::{Aim, Shot, shoot};
use super::motion::Motion;
use super::planets::{JUPITER, KILOMETRES, SATURN, SUN, departure};
use super::system::{Leg, System};

/// How much faster than Earth, in metres a second. Less than nine does not reach Jupiter at all.
const GUESSED_EXCESS: f64 = 10_000.0;
/// How far behind Jupiter the first shot aims, in kilometres.
pub const BEHIND_JUPITER: f64 = 2.0e6;
/// How far from Saturn the second shot aims, in kilometres.
pub const BEFORE_SATURN: f64 = 1.0e6;
/// Days from the launch of Voyager 2 until it passed Jupiter, 1979-07-09 22:29.
pub const DAYS_TO_JUPITER: f64 = 688.3;
/// Days from the launch of Voyager 2 until it passed Saturn, 1981-08-26 03:24.
pub const DAYS_TO_SATURN: f64 = 1466.5;
/// Days before and after a planet in which the steps are small.
const DAYS_AT_PLANET: f64 = 28.0;
const DAYS_AT_EARTH: f64 = 20.0;

/// Departures, and where they lead.
pub struct Voyage {
    /// Before any correction.
    pub guess: System,
    /// Aimed at Jupiter.
    pub to_jupiter: Shot,
    /// Aimed at Saturn.
    pub to_saturn: Shot,
    /// Where the second shot aims.
    pub saturn: Aim,
    /// Steps for the whole way.
    pub legs: Vec<Leg>,
}

/// Plans the voyage.
pub fn plan() -> Voyage {
    let guess = departure(GUESSED_EXCESS);
    let short_way = [
        Leg::lasting(DAYS_AT_EARTH, 0.02),
        Leg::lasting(DAYS_TO_JUPITER - DAYS_AT_EARTH - DAYS_AT_PLANET, 0.2),
        Leg::lasting(DAYS_AT_PLANET, 0.02),
    ];
    let to_jupiter = shoot(&guess, &short_way, &behind_jupiter(&guess, &short_way));
    let legs = schedule();
    let saturn = sunward_of_saturn(&guess, &legs);
    let to_saturn = shoot(&to_jupiter.start, &legs, &saturn);
    Voyage { guess, to_jupiter, to_saturn, saturn, legs }
}

/// Steps from Earth to Saturn: small where a planet is close, smallest where Jupiter turns the probe.
fn schedule() -> Vec<Leg> {
    let until_jupiter = DAYS_TO_JUPITER - DAYS_AT_PLANET;
    let after_jupiter = DAYS_TO_JUPITER + DAYS_AT_PLANET;
    let until_saturn = DAYS_TO_SATURN - DAYS_AT_PLANET;
    vec![
        Leg::lasting(DAYS_AT_EARTH, 0.02),
        Leg::lasting(until_jupiter - DAYS_AT_EARTH, 0.2),
        Leg::lasting(after_jupiter - until_jupiter, 0.005),
        Leg::lasting(until_saturn - after_jupiter, 0.2),
        Leg::lasting(DAYS_AT_PLANET, 0.02),
    ]
}

/// A place that Jupiter has just left. The probe has no mass, so that any departure shows where Jupiter
/// is going to be.
fn behind_jupiter(start: &System, legs: &[Leg]) -> Aim {
    let end = Motion::new(start, legs).end;
    let ahead = Vector3::from(end.bodies[JUPITER].velocity).normalize();
    let offset = ahead * (-BEHIND_JUPITER / KILOMETRES);
    Aim { planet: JUPITER, offset: offset.into() }
}

/// A place between Saturn and the Sun.
fn sunward_of_saturn(start: &System, legs: &[Leg]) -> Aim {
    let end = Motion::new(start, legs).end;
    let [sun, saturn] = [SUN, SATURN].map(|index| Vector3::from(end.bodies[index].position));
    let offset = (sun - saturn).normalize() * (BEFORE_SATURN / KILOMETRES);
    Aim { planet: SATURN, offset: offset.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orbit::mission::CLOSE_ENOUGH;
    use crate::orbit::track::closest;

    /// Voyager 2 passed Jupiter at 721 670 km from its centre. The elements of the planets are off by some
    /// days of flight, and the aim at Saturn is not that of Voyager 2.
    #[test]
    fn the_plan_resembles_the_flight_of_voyager() {
        let voyage = plan();
        assert!(voyage.to_jupiter.miss < CLOSE_ENOUGH);
        assert!(voyage.to_saturn.miss < CLOSE_ENOUGH);
        let (day, distance) = closest(&voyage.to_saturn.start, &voyage.legs, JUPITER);
        assert!((day - DAYS_TO_JUPITER).abs() < 7.0, "{day}");
        assert!((distance * KILOMETRES / 721_670.0 - 1.0).abs() < 0.1, "{distance}");
    }
}
