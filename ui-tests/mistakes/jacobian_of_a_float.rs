use cotangent::differentiate;

#[differentiate]
fn f(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum()
}

fn main() {
    println!("{:?}", f::jacobian(&[1.0]));
}
