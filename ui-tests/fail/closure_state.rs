use cotangent::differentiate;

fn twice(mut f: impl FnMut(f64)) {
    f(1.0);
    f(2.0);
}

#[differentiate]
fn summed(x: f64) -> f64 {
    let mut sum = 0.0;
    twice(|t| sum += t * x);
    sum
}

fn main() {
    let _ = summed(1.0);
}
