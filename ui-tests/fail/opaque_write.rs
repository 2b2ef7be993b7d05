use cotangent::differentiate;

fn advance(state: &mut [u64]) -> f64 {
    state[0] += 1;
    state[0] as f64
}

#[differentiate]
fn noisy(x: f64, state: &mut [u64]) -> f64 {
    x * advance(state)
}

fn main() {
    let _ = noisy(1.0, &mut [0]);
}
