use cotangent::differentiate;

#[differentiate]
fn scaled(x: f64) -> f64 {
    if x > 0.0 {
        const SCALE: f64 = 2.0;
        SCALE * x
    } else {
        const SCALE: f64 = 3.0;
        SCALE * x
    }
}

fn main() {
    let _ = scaled(1.0);
}
