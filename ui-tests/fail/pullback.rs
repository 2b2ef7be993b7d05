use cotangent::differentiate;

#[differentiate]
#[differentiate]
fn product(x: f64, y: &[f64]) -> f64 {
    x * y[0]
}

#[differentiate]
#[differentiate]
fn changing(x: &mut f64, y: f64) -> f64 {
    *x *= y;
    *x
}

fn call(pullback: impl FnOnce(&[f64], &mut [f64], f64) -> f64, y: &[f64]) -> f64 {
    pullback(y, &mut [0.0], 1.0)
}

/// A pullback is called where it is bound.
#[differentiate]
fn handed_on(x: f64, y: &[f64]) -> f64 {
    let (value, pullback) = product::vjp(x, y);
    value * call(pullback, y)
}

/// That of a function with `&mut` undoes the call.
#[differentiate]
fn undone(x: &mut f64, y: f64) -> f64 {
    let (value, pullback) = changing::vjp(x, y);
    let mut x_bar = 1.0;
    value * pullback(x, &mut x_bar, 1.0)
}

/// A pair is bound at once.
#[differentiate]
fn as_a_pair(x: f64, y: &[f64]) -> f64 {
    let pair = product::vjp(x, y);
    pair.0
}

fn main() {
    let _ = (handed_on(1.0, &[1.0]), undone(&mut 1.0, 1.0), as_a_pair(1.0, &[1.0]));
}
