use cotangent::differentiate;

#[differentiate]
fn no_such_argument(x: f64) -> f64 {
    let mut y = x;
    #[checkpoint(often)]
    for _ in 0..5 {
        y = y.sin();
    }
    y
}

#[differentiate]
fn not_a_loop(x: f64) -> f64 {
    #[checkpoint]
    let y = x.sin();
    y
}

fn main() {
    let _ = (no_such_argument(1.0), not_a_loop(1.0));
}
