use cotangent::differentiate;

#[differentiate]
fn f(x: Vec<f64>) -> f64 {
    let y = x;
    let z = x;
    y[0] * z[0]
}

fn main() {
    println!("{:?}", f::gradient(vec![1.0]));
}
