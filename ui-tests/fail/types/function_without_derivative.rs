use cotangent::differentiate;

fn plain(x: f64) -> f64 {
    x * x
}

#[differentiate]
fn twice(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(f(x))
}

#[differentiate]
fn outer(x: f64) -> f64 {
    twice(plain, x)
}

fn main() {
    let _ = outer(1.0);
}
