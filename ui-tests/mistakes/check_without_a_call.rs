use cotangent::{check, differentiate};

#[differentiate]
fn f(x: f64) -> f64 {
    x * x
}

fn main() {
    check!(f).unwrap();
}
