use cotangent::differentiate;

struct Rng(u64);

impl Rng {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[differentiate]
fn sample(mean: f64, rng: &mut Rng) -> f64 {
    mean + rng.next()
}

fn main() {
    println!("{}", sample::jvp(1.0, 1.0, &mut Rng(1)).1);
}
