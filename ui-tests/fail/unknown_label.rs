use cotangent::differentiate;

#[differentiate]
fn doubled(x: f64, n: usize) -> f64 {
    let mut y = x;
    'steps: for _ in 0..n {
        y *= 2.0;
        if y > 10.0 {
            break 'step;
        }
        if y < -10.0 {
            break 'steps;
        }
    }
    y
}

fn main() {
    let _ = doubled(1.0, 2);
}
