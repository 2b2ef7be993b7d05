use cotangent::differentiate;

#[differentiate]
fn f(x: f64, n: usize) -> f64 {
    let y = x * 2.0;
    y * n
}

fn main() {
    println!("{}", f::gradient(1.0, 2));
}
