use cotangent::differentiate;

#[differentiate]
fn sum(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for x in x.iter() {
        sum += x;
    }
    sum
}

fn main() {
    let _ = sum(&[1.0]);
}
