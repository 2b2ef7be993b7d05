use cotangent::differentiate;

#[differentiate]
fn chosen(x: &[f64], y: &[f64], n: usize) -> f64 {
    let z = if n == 0 { x } else { y };
    z[0]
}

fn main() {
    let _ = chosen(&[1.0], &[2.0], 0);
}
