use cotangent::differentiate;

#[differentiate(wrt("x"))]
fn f(x: f64, y: f64) -> f64 {
    x * y
}

fn main() {
    println!("{}", f::gradient(1.0, 2.0));
}
