use cotangent::{differentiate, function};

#[differentiate]
fn twice(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(f(x))
}

fn main() {
    let _ = twice::gradient(function!(|x| x * x), 1.0);
    let _ = twice::gradient(function!(1.0), 1.0);
    let _ = twice::gradient(function!(), 1.0);
    let _ = twice::gradient(function!(|x: f64| x, orders = 2), 1.0);
}
