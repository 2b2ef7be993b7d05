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

#[differentiate]
fn of_large(x: &[f64]) -> f64 {
    let mut large = x.iter().filter(|a| **a > 1.0);
    let first = large.next().unwrap();
    first * large.sum::<f64>()
}

fn main() {
    let _ = head_and_rest(&[1.0, 2.0]);
}
