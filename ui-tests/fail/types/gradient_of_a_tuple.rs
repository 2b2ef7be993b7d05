use cotangent::differentiate;

#[differentiate]
fn both(x: f64) -> (f64, f64) {
    (x, x * x)
}

#[differentiate]
fn is_far(x: f64) -> bool {
    x > 10.0
}

#[differentiate]
fn moved(x: &mut [f64]) {
    x[0] *= 2.0;
}

fn main() {
    let _ = both::gradient(1.0);
    let _ = both::value_and_gradient(1.0);
    let _ = is_far::gradient(1.0);
    let x_bar = moved::gradient(&mut [1.0]);
    assert_eq!(x_bar, [2.0]);
}
