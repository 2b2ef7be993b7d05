use cotangent::differentiate;

#[differentiate]
fn scaled(x: f64, i: usize) -> f64 {
    static SCALES: [f64; 2] = [2.0, 3.0];
    SCALES[i] * x
}

fn main() {
    let _ = scaled(1.0, 0);
}
