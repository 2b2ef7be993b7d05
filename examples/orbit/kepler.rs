//! The problem of two bodies in closed form.
//!
//! In: the elements of an ellipse, the strength of the centre and a time. Out: position and velocity
//! relative to the centre. Nothing here is differentiated or shared with the simulation: it is what the
//! simulation is compared with.

/// An ellipse with the centre of attraction in one focus. Angles are in radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elements {
    /// Half of the long axis.
    pub semi_major_axis: f64,
    /// Zero for a circle, below one.
    pub eccentricity: f64,
    /// Of the plane of the orbit against the plane of reference.
    pub inclination: f64,
    /// Mean longitude at time zero.
    pub mean_longitude: f64,
    /// Longitude of the point closest to the centre.
    pub perihelion: f64,
    /// Longitude at which the plane of reference is crossed upwards.
    pub node: f64,
}

/// Where a body is and where it goes, relative to the centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// Coordinates.
    pub position: [f64; 3],
    /// Their rates.
    pub velocity: [f64; 3],
}

impl Elements {
    /// The state at `time` around a centre of the strength `gm`: gravity times the sum of both masses.
    pub fn at(&self, gm: f64, time: f64) -> State {
        let Elements { semi_major_axis: a, eccentricity: e, .. } = *self;
        let motion = (gm / a.powi(3)).sqrt();
        let anomaly = eccentric_anomaly(e, self.mean_longitude - self.perihelion + motion * time);
        let (sin, cos) = anomaly.sin_cos();
        let minor = (1.0 - e * e).sqrt();
        let speed = motion * a / (1.0 - e * cos);
        State {
            position: self.turned([a * (cos - e), a * minor * sin]),
            velocity: self.turned([-speed * sin, speed * minor * cos]),
        }
    }

    /// From the plane of the orbit, with the perihelion on the first axis, to the frame of reference.
    fn turned(&self, [x, y]: [f64; 2]) -> [f64; 3] {
        let (sin_w, cos_w) = (self.perihelion - self.node).sin_cos();
        let (sin_i, cos_i) = self.inclination.sin_cos();
        let (sin_n, cos_n) = self.node.sin_cos();
        let (along, across) = (cos_w * x - sin_w * y, sin_w * x + cos_w * y);
        [
            cos_n * along - sin_n * cos_i * across,
            sin_n * along + cos_n * cos_i * across,
            sin_i * across,
        ]
    }
}

/// The solution `E` of Kepler's equation `E - e sin E = M`, by Newton's method.
fn eccentric_anomaly(e: f64, mean: f64) -> f64 {
    let mut anomaly = mean + e * mean.sin();
    for _ in 0..20 {
        anomaly -= (anomaly - e * anomaly.sin() - mean) / (1.0 - e * anomaly.cos());
    }
    anomaly
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;
    use nalgebra::Vector3;
    use std::f64::consts::TAU;

    const ORBIT: Elements = Elements {
        semi_major_axis: 2.0,
        eccentricity: 0.4,
        inclination: 0.3,
        mean_longitude: 0.9,
        perihelion: 0.5,
        node: 1.7,
    };
    const GM: f64 = 1.3;

    fn vectors(time: f64) -> (Vector3<f64>, Vector3<f64>) {
        let State { position, velocity } = ORBIT.at(GM, time);
        (position.into(), velocity.into())
    }

    #[test]
    fn the_third_law_gives_the_period() {
        let period = TAU * (ORBIT.semi_major_axis.powi(3) / GM).sqrt();
        let ((r, v), (later_r, later_v)) = (vectors(0.2), vectors(0.2 + period));
        assert_relative_eq!(r, later_r, epsilon = 1e-13);
        assert_relative_eq!(v, later_v, epsilon = 1e-13);
    }

    #[test]
    fn energy_and_angular_momentum_are_those_of_the_ellipse() {
        let Elements { semi_major_axis: a, eccentricity: e, inclination, node, .. } = ORBIT;
        let size = (GM * a * (1.0 - e * e)).sqrt();
        let tilt = inclination.sin();
        let axis = Vector3::new(node.sin() * tilt, -node.cos() * tilt, inclination.cos());
        for time in [0.0, 1.0, 5.0] {
            let (r, v) = vectors(time);
            assert_relative_eq!(
                v.norm_squared() / 2.0 - GM / r.norm(),
                -GM / (2.0 * a),
                epsilon = 1e-14
            );
            assert_relative_eq!(r.cross(&v), axis * size, epsilon = 1e-14);
        }
    }

    #[test]
    fn the_body_starts_at_its_mean_longitude() {
        let near_circle = Elements { eccentricity: 1e-9, inclination: 0.0, ..ORBIT };
        let [x, y, z] = near_circle.at(GM, 0.0).position;
        assert_relative_eq!(y.atan2(x), ORBIT.mean_longitude, epsilon = 1e-8);
        assert_eq!(z, 0.0);
    }
}
