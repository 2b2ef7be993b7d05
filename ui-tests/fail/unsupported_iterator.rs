use cotangent::differentiate;

#[differentiate]
fn sum(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for pair in x.rchunks(2) {
        sum += pair[0];
    }
    sum
}

fn main() {
    let _ = sum(&[1.0]);
}
