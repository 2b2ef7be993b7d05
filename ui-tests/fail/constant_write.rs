use cotangent::differentiate;

#[differentiate(constant(cache))]
fn cached(x: f64, cache: &mut [f64]) -> f64 {
    cache[0] = x * x;
    cache[0] + x
}

fn main() {
    let _ = cached(1.0, &mut [0.0]);
}
