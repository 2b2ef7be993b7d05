use cotangent::differentiate;

#[differentiate(order = 2)]
fn f(x: f64) -> f64 {
    x * x * x
}

fn main() {
    println!("{}", f::hessian(1.0));
}
