use cotangent::differentiate;

#[differentiate]
fn sum(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for pair in x.rchunks(2) {
        sum += pair[0];
    }
    sum
}

#[differentiate]
fn sum_of_positive(x: &[f64]) -> f64 {
    x.iter()
        .map(|v| {
            if *v < 0.0 {
                return 0.0;
            }
            v.sqrt()
        })
        .sum()
}

const DATA: [f64; 3] = [1.0, 2.0, 3.0];

#[differentiate]
fn sum_of_constants(x: f64) -> f64 {
    let mut sum = 0.0;
    for pair in DATA.rchunks(2) {
        sum += pair[0] * x;
    }
    sum
}

fn main() {
    let _ = sum_of_constants(1.0);
    let _ = sum(&[1.0]);
    let _ = sum_of_positive(&[1.0]);
}
