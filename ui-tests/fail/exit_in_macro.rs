use cotangent::differentiate;

#[differentiate]
fn checked(x: f64, n: usize) -> f64 {
    assert!(if n == 0 { return x } else { n < 9 });
    x * x
}

#[differentiate]
fn skipped(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        assert!(if i == 3 { continue } else { i < 9 });
        assert!(if i == 7 { break } else { i < 9 });
        sum += x[i];
    }
    sum
}

fn main() {
    let _ = checked(1.0, 2);
}
