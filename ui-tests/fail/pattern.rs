use cotangent::differentiate;

#[differentiate]
fn sum(a: [f64; 2]) -> f64 {
    let [x, ..] = a;
    x * 2.0
}

fn main() {
    let _ = sum([1.0, 2.0]);
}
