use cotangent::differentiate;

#[differentiate]
fn f(x: f64) -> f64 {
    sine(x) + sine(2.0 * x)
}

fn main() {
    println!("{}", f::gradient(1.0));
}
