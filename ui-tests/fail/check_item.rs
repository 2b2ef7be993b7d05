use cotangent::{check, differentiate};

#[differentiate]
fn square(x: f64) -> f64 {
    x * x
}

fn count() -> usize {
    0
}

fn main() {
    let _ = check!(square(1.0), 2);
    let _ = check!(square(x), x in 0.0..1.0, point = 3);
    let _ = check!(square(1.0), points = 3);
    let _ = check!(square(x), x in 0.0..1.0, points = 3, points = 4);
    let _ = check!(square(1.0), tape);
    let _ = check!(square(1.0), allocations = count, tape = 3);
    let _ = check!(square(x), x in);
    let _ = check!(square(x) x in 0.0..1.0);
    let _ = check!(square(x), x in "a");
}
