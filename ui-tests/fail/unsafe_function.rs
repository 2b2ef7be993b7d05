use cotangent::differentiate;

#[differentiate]
unsafe fn square(x: f64) -> f64 {
    x * x
}

fn main() {}
