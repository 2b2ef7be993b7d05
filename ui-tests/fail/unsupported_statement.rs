use cotangent::differentiate;

#[differentiate]
fn first(p: (f64, bool)) -> f64 {
    let (x, true) = p else { return 0.0 };
    x * x
}

fn main() {
    let _ = first((1.0, true));
}
