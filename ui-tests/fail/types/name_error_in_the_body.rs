use cotangent::differentiate;

#[differentiate]
fn summed(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        summ += x[i] * scale;
    }
    sum
}

fn main() {
    let _ = summed(&[1.0]);
}
