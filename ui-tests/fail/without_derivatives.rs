use cotangent::differentiate;

#[differentiate]
mod model {
    fn key(x: f64) -> u64 {
        x.to_bits()
    }

    pub fn value(x: f64) -> f64 {
        x * key(x) as f64
    }
}

fn main() {
    let _ = model::value(1.0);
}
