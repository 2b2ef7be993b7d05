use cotangent::differentiate;

type Real = f64;

#[differentiate]
fn square(x: f64) -> Real {
    x * x
}

fn main() {
    let _ = square::jacobian(1.0);
}
