use cotangent::differentiate;

#[differentiate]
fn f(x: f64) -> f64 {
    x * x * x
}

fn main() {
    println!("{}", f::hessian(1.0));
}
