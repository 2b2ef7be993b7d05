use cotangent::differentiate;

#[differentiate]
fn f(x: f64) -> f64 {
    x * x
}

fn main() {
    println!("{}", f::pullback(1.0).0);
}
