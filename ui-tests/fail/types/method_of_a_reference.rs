use cotangent::differentiate;

trait Activation {
    fn tanh(&self) -> f64;
    fn powi(self, n: i32) -> f64;
}

impl Activation for &f64 {
    fn tanh(&self) -> f64 {
        2.0 * **self
    }

    fn powi(self, n: i32) -> f64 {
        *self * f64::from(n)
    }
}

#[differentiate]
fn activated(values: &[f64]) -> f64 {
    values.iter().map(|x| x.tanh()).sum()
}

#[differentiate]
fn powers(values: &[f64]) -> f64 {
    let mut sum = 0.0;
    for value in values {
        sum += value.powi(2);
    }
    sum
}

fn main() {
    let _ = activated(&[1.0]) + powers(&[1.0]);
}
