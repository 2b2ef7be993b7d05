use cotangent::differentiate;

mod forces {
    pub fn drag(v: f64) -> f64 {
        0.1 * v * v
    }
}

#[differentiate]
fn f(v: f64) -> f64 {
    let a = forces::drag(v);
    if a > 1.0 { forces::drag(a) } else { a }
}

fn main() {
    println!("{}", f::gradient(1.0));
}
