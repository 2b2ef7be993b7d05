use cotangent::differentiate;

#[differentiate]
fn f(x: &[f64], y: &[f64]) -> Vec<f64> {
    x.iter().zip(y).map(|(x, y)| x * y).collect()
}

fn main() {
    println!("{:?}", f::jacobian(&[1.0], &[2.0]));
}
