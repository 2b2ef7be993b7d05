//! The heat equation in closed form, as sums over sines.
//!
//! Out: temperatures that are exact up to rounding. Nothing here is differentiated or shares code with
//! the simulation.

use std::f64::consts::PI;

/// Terms of a series. With the times and lengths at hand, later ones are below rounding.
const TERMS: usize = 400;

/// A profile of straight lines that is zero at both ends of a rod.
pub struct Polyline {
    /// Positions and temperatures of the corners, from end to end.
    pub corners: Vec<(f64, f64)>,
}

impl Polyline {
    /// The temperature at a position, at the start.
    pub fn at(&self, x: f64) -> f64 {
        let segment = self.corners.windows(2).find(|pair| x <= pair[1].0);
        segment.map_or(0.0, |pair| pair[0].1 + slope(pair) * (x - pair[0].0))
    }

    /// The temperature at a position after some time, on a rod of one diffusivity.
    pub fn later(&self, x: f64, time: f64, diffusivity: f64) -> f64 {
        let length = self.corners[self.corners.len() - 1].0;
        let term = |k: usize| {
            let wave = k as f64 * PI / length;
            self.coefficient(wave, length)
                * (wave * x).sin()
                * (-diffusivity * wave * wave * time).exp()
        };
        (1..=TERMS).map(term).sum()
    }

    /// The factor of `sin(wave x)`. The second derivative of the profile is what its slope jumps by at the
    /// corners, and differentiating a sine twice multiplies by `-wave²`.
    fn coefficient(&self, wave: f64, length: f64) -> f64 {
        let jump = |three: &[(f64, f64)]| {
            (slope(&three[1..]) - slope(&three[..2])) * (wave * three[1].0).sin()
        };
        -2.0 / (length * wave * wave) * self.corners.windows(3).map(jump).sum::<f64>()
    }
}

fn slope(pair: &[(f64, f64)]) -> f64 {
    (pair[1].1 - pair[0].1) / (pair[1].0 - pair[0].0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roof() -> Polyline {
        Polyline { corners: vec![(0.0, 0.0), (1.0, 3.0), (4.0, 0.0)] }
    }

    #[test]
    fn the_series_starts_as_the_polyline() {
        for x in [0.0, 0.3, 1.0, 2.5, 4.0] {
            assert!((roof().later(x, 0.0, 1.0) - roof().at(x)).abs() < 1e-2);
        }
    }

    /// Away from ends and corners, straight lines stay as they are for a while; at a corner, the profile
    /// is the line rounded by a Gaussian, which takes off the jump of the slope times `sqrt(D t / π)`.
    #[test]
    fn corners_are_rounded_and_lines_stay() {
        let (time, diffusivity): (f64, f64) = (0.01, 2.0);
        assert!((roof().later(2.5, time, diffusivity) - 1.5).abs() < 1e-12);
        let taken = 4.0 * (diffusivity * time / PI).sqrt();
        assert!((roof().later(1.0, time, diffusivity) - (3.0 - taken)).abs() < 1e-9);
    }
}
