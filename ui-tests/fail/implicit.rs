use cotangent::{differentiate, primitive};

#[differentiate]
fn equation(y: f64, p: f64) -> f64 {
    y * y - p
}

#[primitive(root = equation)]
fn changes_a_parameter(p: &mut f64) -> f64 {
    *p
}

#[primitive(fixed_point = equation)]
fn of_a_pair(p: f64) -> (f64, f64) {
    (p, p)
}

#[primitive(argmin = equation)]
fn of_nothing(p: f64) {
    assert!(p > 0.0);
}

#[primitive(root = equation, vjp = equation)]
fn two_rules(p: f64) -> f64 {
    p
}

#[primitive(root = equation, fixed_point = equation)]
fn two_equations(p: f64) -> f64 {
    p
}

#[primitive(partials(1.0), debug)]
fn nothing_to_check(p: f64) -> f64 {
    p
}

fn main() {}
