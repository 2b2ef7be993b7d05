use cotangent::differentiate;

#[differentiate]
fn head_and_rest(x: &[f64]) -> f64 {
    let mut all = x.iter();
    let head: f64 = all.by_ref().take(2).sum();
    head * all.product::<f64>()
}

#[differentiate]
fn from_the_first(x: &[f64]) -> f64 {
    let mut all = x.iter();
    let first = all.find(|a| **a > 0.0).unwrap();
    first * all.product::<f64>()
}

#[differentiate]
fn around(x: &[f64]) -> f64 {
    x.iter().cycle().take(10).sum()
}

fn main() {
    let _ = head_and_rest(&[1.0, 2.0]);
}
