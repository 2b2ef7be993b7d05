use cotangent::differentiate;

#[differentiate(constant(dats))]
fn dot(weights: &[f64], data: &[f64]) -> f64 {
    weights.iter().zip(data).map(|(w, x)| w * x).sum()
}

fn main() {
    println!("{:?}", dot::gradient(&[1.0], &[2.0]));
}
