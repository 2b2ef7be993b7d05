use cotangent::differentiate;

#[differentiate]
fn f(x: f64, n: usize) -> f64 {
    x.powi(n as i32)
}

fn main() {
    println!("{:?}", f::gradient(1.0, 1.0, 2));
}
