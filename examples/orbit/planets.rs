//! The Sun, three planets and a probe that has just left Earth, on 20 August 1977.
//!
//! Out: a [`System`] in astronomical units, days and masses of the Sun, in the ecliptic of J2000. The
//! elements of the planets are those that the Jet Propulsion Laboratory publishes for approximate
//! positions between 1800 and 2050; they err by up to 0.01 au at Jupiter and 0.03 au at Saturn.

use nalgebra::Vector3;

use super::kepler::Elements;
use super::system::{Body, System};

/// Index of a body in the system of [`departure`].
pub const SUN: usize = 0;
/// Index of Earth, which stands for Earth and Moon.
pub const EARTH: usize = 1;
/// Index of Jupiter.
pub const JUPITER: usize = 2;
/// Index of Saturn.
pub const SATURN: usize = 3;
/// Index of the probe, which has no mass.
pub const PROBE: usize = 4;

/// Kilometres in an astronomical unit.
pub const KILOMETRES: f64 = 149_597_870.7;
/// Metres a second in an astronomical unit a day.
pub const METRES_PER_SECOND: f64 = KILOMETRES * 1000.0 / 86400.0;

/// Gravity in these units: the square of the constant of Gauss.
const GRAVITY: f64 = 0.01720209895 * 0.01720209895;
/// 1977-08-20 14:29, as a Julian date.
const LAUNCH: f64 = 2_443_376.1;
/// 2000-01-01 12:00, as a Julian date.
const J2000: f64 = 2_451_545.0;
const DAYS_IN_CENTURY: f64 = 36525.0;

/// Where the pull of the Sun takes over from that of Earth, in au.
const SPHERE_OF_INFLUENCE: f64 = 0.0062;

/// Semi-major axis (au), eccentricity, inclination, mean longitude, longitudes of perihelion and node
/// (degrees) at J2000, with the changes in a century.
struct Planet {
    elements: [f64; 6],
    rates: [f64; 6],
    /// Mass of the Sun over the mass of the planet and its moons.
    inverse_mass: f64,
}

const PLANETS: [Planet; 3] = [
    Planet {
        elements: [1.00000261, 0.01671123, -0.00001531, 100.46457166, 102.93768193, 0.0],
        rates: [0.00000562, -0.00004392, -0.01294668, 35999.37244981, 0.32327364, 0.0],
        inverse_mass: 328_900.56,
    },
    Planet {
        elements: [5.20288700, 0.04838624, 1.30439695, 34.39644051, 14.72847983, 100.47390909],
        rates: [-0.00011607, -0.00013253, -0.00183714, 3034.74612775, 0.21252668, 0.20469106],
        inverse_mass: 1047.3486,
    },
    Planet {
        elements: [9.53667594, 0.05386179, 2.48599187, 49.95424423, 92.59887831, 113.66242448],
        rates: [-0.00125060, -0.00050991, 0.00193609, 1222.49362201, -0.41897216, -0.28867794],
        inverse_mass: 3497.898,
    },
];

/// The system with a probe at the edge of Earth's sphere of influence, which goes ahead of Earth with
/// `excess` metres a second.
pub fn departure(excess: f64) -> System {
    let sun = Body { position: [0.0; 3], velocity: [0.0; 3], mass: 1.0 };
    let [earth, jupiter, saturn] = PLANETS.map(|planet| planet.at_launch());
    let probe = ahead_of(&earth, excess / METRES_PER_SECOND);
    System { bodies: vec![sun, earth, jupiter, saturn, probe], gravity: GRAVITY }
}

/// How fast the probe goes away from Earth, in metres a second.
pub fn excess(system: &System) -> f64 {
    let [probe, earth] = [PROBE, EARTH].map(|index| Vector3::from(system.bodies[index].velocity));
    (probe - earth).norm() * METRES_PER_SECOND
}

fn ahead_of(planet: &Body, excess: f64) -> Body {
    let velocity = Vector3::from(planet.velocity);
    let ahead = velocity.normalize();
    let position = Vector3::from(planet.position) + ahead * SPHERE_OF_INFLUENCE;
    Body { position: position.into(), velocity: (velocity + ahead * excess).into(), mass: 0.0 }
}

impl Planet {
    fn at_launch(&self) -> Body {
        let mass = 1.0 / self.inverse_mass;
        let state = self.elements_at_launch().at(GRAVITY * (1.0 + mass), 0.0);
        Body { position: state.position, velocity: state.velocity, mass }
    }

    fn elements_at_launch(&self) -> Elements {
        let centuries = (LAUNCH - J2000) / DAYS_IN_CENTURY;
        let element = |k: usize| self.elements[k] + self.rates[k] * centuries;
        Elements {
            semi_major_axis: element(0),
            eccentricity: element(1),
            inclination: element(2).to_radians(),
            mean_longitude: element(3).to_radians(),
            perihelion: element(4).to_radians(),
            node: element(5).to_radians(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions of the ephemeris of the Jet Propulsion Laboratory on the day of launch, relative to the
    /// centre of mass, which is up to 0.01 au from the Sun.
    #[test]
    fn planets_are_where_the_ephemeris_has_them() {
        let system = departure(0.0);
        for (body, x, y) in [(EARTH, 0.8578, -0.5443), (JUPITER, 0.8262, 5.0206)] {
            let [found_x, found_y, _] = system.bodies[body].position;
            assert!((found_x - x).hypot(found_y - y) < 0.02, "{body}: {found_x} {found_y}");
        }
    }

    #[test]
    fn the_probe_goes_ahead_of_earth() {
        let system = departure(9000.0);
        let [earth, probe] = [EARTH, PROBE].map(|index| &system.bodies[index]);
        let between = Vector3::from(probe.position) - Vector3::from(earth.position);
        assert!((excess(&system) - 9000.0).abs() < 1e-6);
        assert!((between.norm() - SPHERE_OF_INFLUENCE).abs() < 1e-12);
        assert!(between.cross(&Vector3::from(earth.velocity)).norm() < 1e-12);
    }
}
