use cotangent::differentiate;

#[differentiate(wrt(weigths))]
fn dot(weights: &[f64], x: &[f64]) -> f64 {
    weights.iter().zip(x).map(|(w, x)| w * x).sum()
}

fn main() {
    println!("{:?}", dot::gradient(&[1.0], &[2.0]));
}
