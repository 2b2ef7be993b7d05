use cotangent::differentiate;

#[differentiate]
fn shown(x: f64) -> f64 {
    println!(1, x);
    x * x
}

fn main() {
    let _ = shown(1.0);
}
