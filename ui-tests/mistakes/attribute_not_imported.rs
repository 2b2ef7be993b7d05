#[differentiate]
fn f(x: f64) -> f64 {
    x * x
}

fn main() {
    println!("{}", f(1.0));
}
