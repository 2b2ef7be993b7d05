use cotangent::differentiate;

#[differentiate]
fn doubled(x: f64) -> f64 {
    let mut y = x;
    #[checkpoint(snapshots = 4)]
    while y < 100.0 {
        y *= 2.0;
    }
    y
}

fn main() {
    let _ = doubled(1.0);
}
