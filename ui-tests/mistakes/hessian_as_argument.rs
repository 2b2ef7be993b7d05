use cotangent::differentiate;

#[differentiate(hessian)]
fn f(x: f64) -> f64 {
    x * x * x
}

fn main() {
    println!("{}", f::hessian(1.0));
}
