use cotangent::differentiate;

fn largest(x: &mut [f64]) -> &mut f64 {
    &mut x[0]
}

#[differentiate]
fn raised(x: &mut [f64]) -> f64 {
    *largest(x) += 1.0;
    x[0]
}

fn main() {
    let _ = raised(&mut [1.0]);
}
