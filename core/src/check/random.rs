//! Numbers for directions and seeds, the same in every run.

/// The generator splitmix64 of Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators" (2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator that makes the same numbers from the same seed.
    #[must_use]
    pub const fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = self.0;
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0.0..1.0`.
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number of either sign between 1/4 and 1 in magnitude: never so small that it hides what it
    /// is multiplied with.
    pub(super) fn weight(&mut self) -> f64 {
        let bits = self.bits();
        let uniform = (bits >> 11) as f64 / (1_u64 << 53) as f64;
        let magnitude = 0.25 + 0.75 * uniform;
        if bits & 1 == 0 { magnitude } else { -magnitude }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_splitmix64() {
        let mut random = Random::new(1_234_567);
        let bits = [random.bits(), random.bits(), random.bits()];
        let published =
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(bits, published);
    }

    #[test]
    fn weights_have_both_signs_and_are_never_small() {
        let mut random = Random::new(1);
        let weights: [f64; 100] = core::array::from_fn(|_| random.weight());
        assert!(weights.iter().all(|weight| (0.25..=1.0).contains(&weight.abs())));
        assert!((30..70).contains(&weights.iter().filter(|weight| **weight > 0.0).count()));
    }
}
