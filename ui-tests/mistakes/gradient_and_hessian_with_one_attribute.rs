use cotangent::differentiate;

#[differentiate]
fn f(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x * x).sum()
}

fn main() {
    let (value, _, _) = f::value_gradient_and_hessian(&[1.0]);
    println!("{value}");
}
