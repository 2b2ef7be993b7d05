//! Normal numbers, the same in every run and on every machine.
//!
//! Whole numbers are those of SplitMix64 (Steele, Lea and Flood 2014), and the method of Box and Muller makes
//! pairs of normal ones of them.

use std::f64::consts::TAU;

/// A stream of standard normal numbers.
pub struct Normals {
    state: u64,
    /// The other number of a pair.
    left: Option<f64>,
}

impl Normals {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed, left: None }
    }

    /// The next number.
    pub fn draw(&mut self) -> f64 {
        if let Some(number) = self.left.take() {
            return number;
        }
        let radius = (-2.0 * self.unit().ln()).sqrt();
        let (sin, cos) = (TAU * self.unit()).sin_cos();
        self.left = Some(radius * sin);
        radius * cos
    }

    /// A number above 0 and at most 1.
    fn unit(&mut self) -> f64 {
        ((self.integer() >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }

    fn integer(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.state ^ (self.state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::normal::cumulative;

    /// The first numbers for the seed 1234567, which other implementations of SplitMix64 publish.
    #[test]
    fn whole_numbers_are_those_of_the_generator() {
        let mut normals = Normals::new(1_234_567);
        let found = [normals.integer(), normals.integer(), normals.integer()];
        assert_eq!(found, [6457827717110365317, 3203168211198807973, 9817491932198370423]);
    }

    /// The distance from the distribution is what Kolmogorov's test allows at one in a thousand.
    #[test]
    fn numbers_are_normal() {
        const COUNT: usize = 20_000;
        let mut normals = Normals::new(1);
        let mut numbers: Vec<f64> = (0..COUNT).map(|_| normals.draw()).collect();
        numbers.sort_by(f64::total_cmp);
        let distance = |(k, x): (usize, &f64)| {
            let (below, to) = (k as f64 / COUNT as f64, (k + 1) as f64 / COUNT as f64);
            (cumulative(*x) - below).abs().max((cumulative(*x) - to).abs())
        };
        let largest = numbers.iter().enumerate().map(distance).fold(0.0, f64::max);
        assert!(largest < 1.95 / (COUNT as f64).sqrt(), "{largest}");
    }
}
