//! Random numbers that are the same on every machine and in every release: a seed is a program.

/// A generator with one word of state (splitmix64).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator of a seed. Neighbouring seeds have nothing in common.
    #[must_use]
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// The seed of another generator.
    pub fn seed(&mut self) -> u64 {
        self.next()
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).expect("a usize fits into 64 bits");
        usize::try_from(self.next() % end).expect("it is below a usize")
    }

    /// A number between 0 and 1.
    pub fn fraction(&mut self) -> f64 {
        // 53 bits, as many as a float holds exactly.
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number between two others, with three decimals: it is printed and read back unchanged.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        ((low + (high - low) * self.fraction()) * 1000.0).round() / 1000.0
    }

    /// True with a probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.fraction() < probability
    }

    /// One of the items.
    pub fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    /// One of the items, each as likely as its weight is large. Some weight is not 0.
    pub fn weighted<T: Copy>(&mut self, items: &[(usize, T)]) -> T {
        let mut left = self.below(items.iter().map(|(weight, _)| weight).sum());
        for (weight, item) in items {
            if left < *weight {
                return *item;
            }
            left -= weight;
        }
        unreachable!("the number drawn is below the sum of the weights")
    }
}
