use cotangent::differentiate;

#[differentiate]
const SCALE: f64 = 2.0;

trait Energy {
    #[differentiate]
    fn energy(x: f64) -> f64;
}

unsafe extern "C" {
    #[differentiate]
    safe fn foreign(x: f64) -> f64;
}

fn main() {
    let _ = SCALE;
    let _ = foreign;
}
