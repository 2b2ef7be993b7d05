use cotangent::{differentiate, primitive};

#[differentiate]
fn equation(y: &[f64], p: f64) -> Vec<f64> {
    vec![y[0] * y[0] - p]
}

#[primitive(root = equation)]
fn square_root(p: f64) -> f64 {
    p.sqrt()
}

fn main() {}
