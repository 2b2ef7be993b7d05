use cotangent::differentiate;

#[differentiate]
fn f(x: f64) -> f64 {
    let y = x * x;
    y > 2.0
}

fn main() {
    println!("{}", f::gradient(1.0));
}
