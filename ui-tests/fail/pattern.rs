use cotangent::differentiate;

#[differentiate]
fn sum(a: [f64; 2]) -> f64 {
    let [x, y] = a;
    x + y
}

fn main() {
    let _ = sum([1.0, 2.0]);
}
