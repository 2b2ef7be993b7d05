use cotangent::differentiate;
use std::sync::Mutex;

static LAST: Mutex<f64> = Mutex::new(0.0);

#[differentiate]
fn f(x: f64) -> f64 {
    *LAST.lock().unwrap() = x;
    x * x
}

fn main() {
    println!("{}", f::gradient(1.0));
}
