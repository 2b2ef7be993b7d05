use cotangent::differentiate;

#[differentiate]
fn f(x: f64) -> f64 {
    let text = format!("{x}");
    let n = text.len();
    x * n as f64
}

fn main() {
    println!("{}", f::gradient(1.0));
}
