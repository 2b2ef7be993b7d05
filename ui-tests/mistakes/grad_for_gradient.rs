use cotangent::differentiate;

#[differentiate]
fn f(x: f64) -> f64 {
    x * x
}

fn main() {
    println!("{}", f::grad(1.0));
}
