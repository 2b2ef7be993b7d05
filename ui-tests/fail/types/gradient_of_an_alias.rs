use cotangent::differentiate;

type Pair = (f64, f64);

#[differentiate]
fn both(x: f64) -> Pair {
    (x, x * x)
}

fn main() {
    let _ = both::gradient(1.0);
}
