use cotangent::differentiate;

#[differentiate]
fn counted(x: f64) -> f64 {
    let mut y = x;
    let mut n = 0;
    while { n += 1; n < 5 } {
        y *= x;
    }
    y
}

fn main() {
    let _ = counted(1.0);
}
