use cotangent::differentiate;

#[differentiate]
fn sum(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for pair in x.rchunks(2) {
        sum += pair[0];
    }
    sum
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

#[differentiate]
fn sum_of_sums(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for a in x.iter().chain(x) {
        for b in x.iter().chain(x) {
            for c in x.iter().chain(x) {
                for d in x.iter().chain(x) {
                    for e in x.iter().chain(x) {
                        sum += x.iter().chain(x).map(|f| a * b * c * d * e * f).sum::<f64>();
                    }
                }
            }
        }
    }
    sum
}

fn main() {
    let _ = sum_of_sums(&[1.0]);
    let _ = sum_of_constants(1.0);
    let _ = sum(&[1.0]);
}
