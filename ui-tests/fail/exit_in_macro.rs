use cotangent::differentiate;

#[differentiate]
fn checked(x: f64, n: usize) -> f64 {
    assert!(if n == 0 { return x } else { n < 9 });
    x * x
}

fn main() {
    let _ = checked(1.0, 2);
}
