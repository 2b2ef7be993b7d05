use cotangent::{differentiate, primitive};

fn short(x: f64) -> (f64, f64) {
    (x, 1.0)
}

#[primitive(jvp = short)]
fn of_another_signature(x: f64) -> f64 {
    x
}

fn borrowing(w: &[f64]) -> (f64, impl FnOnce(&[f64], &mut [f64], f64)) {
    (w[0], |_: &[f64], w_bar: &mut [f64], y_bar: f64| w_bar[0] += y_bar)
}

#[primitive(vjp = borrowing)]
fn of_a_pullback_that_borrows(w: &[f64]) -> f64 {
    w[0]
}

#[primitive(partials("one"))]
fn of_text(x: f64) -> f64 {
    x
}

fn forward(x: f64, x_dot: f64) -> (f64, f64) {
    (x, x_dot)
}

#[primitive(jvp = forward)]
fn of_one_mode(x: f64) -> f64 {
    x
}

#[differentiate]
fn outer(x: f64) -> f64 {
    of_one_mode(x)
}

fn stop_gradient(x: f64) -> f64 {
    x
}

#[differentiate]
fn of_another_function(x: f64) -> f64 {
    stop_gradient(x)
}

fn main() {}
