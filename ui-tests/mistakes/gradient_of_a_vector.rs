use cotangent::differentiate;

#[differentiate]
fn f(x: &[f64]) -> Vec<f64> {
    x.iter().map(|x| x * x).collect()
}

fn main() {
    println!("{:?}", f::gradient(&[1.0]));
}
