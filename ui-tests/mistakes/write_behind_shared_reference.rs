use cotangent::differentiate;

#[differentiate]
fn f(x: &[f64]) -> f64 {
    x[0] = 2.0 * x[0];
    x[0]
}

fn main() {
    println!("{:?}", f::gradient(&[1.0]));
}
