use cotangent::{differentiate, stop_gradient};

#[differentiate]
fn f(x: f64) -> f64 {
    let mut y = x * x;
    let z = stop_gradient(&mut y);
    *z + x
}

fn main() {
    println!("{}", f::gradient(1.0));
}
