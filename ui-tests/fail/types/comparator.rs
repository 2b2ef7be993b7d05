use cotangent::differentiate;

fn key(x: f64) -> i32 {
    x as i32
}

#[differentiate]
fn smallest(x: f64) -> f64 {
    let mut values = [2.0 * x, x];
    values.sort_by(|a, b| key(*a).cmp(&key(*b)));
    values[0]
}

fn main() {
    let _ = smallest(1.0);
}
