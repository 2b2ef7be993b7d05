use cotangent::differentiate;

fn drag(v: f64) -> f64 {
    0.1 * v * v
}

#[differentiate]
fn f(v: f64) -> f64 {
    drag(v) + drag(2.0 * v) + drag(3.0 * v) + drag(4.0 * v) + drag(5.0 * v)
}

fn main() {
    println!("{}", f::gradient(1.0));
}
