use cotangent::differentiate;

#[differentiate]
const SCALE: f64 = 2.0;

#[differentiate]
impl Clone for Nothing {
    fn clone(&self) -> Self {
        Nothing
    }
}

struct Nothing;

trait Energy {
    #[differentiate]
    fn energy(x: f64) -> f64;

    #[differentiate]
    fn provided(x: f64) -> f64 {
        x
    }
}

unsafe extern "C" {
    #[differentiate]
    safe fn foreign(x: f64) -> f64;
}

fn main() {
    #[differentiate]
    let x = 1.0;
    let _ = x;
}
