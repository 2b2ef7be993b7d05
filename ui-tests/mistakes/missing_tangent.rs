use cotangent::differentiate;

#[differentiate]
fn f(x: f64, y: f64) -> f64 {
    x * y
}

fn main() {
    println!("{:?}", f::jvp(1.0, 2.0));
}
