use cotangent::differentiate;

fn applied(f: impl Fn(usize) -> usize, n: usize) -> usize {
    f(n)
}

#[differentiate]
fn powered(x: f64, n: usize) -> f64 {
    x * applied(|k: usize| k + 1, n) as f64
}

fn main() {
    let _ = powered(1.0, 2);
}
