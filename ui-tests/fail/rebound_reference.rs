use cotangent::differentiate;

#[differentiate]
fn largest(x: &[f64]) -> f64 {
    let mut best = &x[0];
    for v in x {
        if v > best {
            best = v;
        }
    }
    *best
}

fn main() {
    let _ = largest(&[1.0]);
}
