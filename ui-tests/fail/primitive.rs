use cotangent::{differentiate, primitive, zero_adjoint};

#[primitive]
fn without_derivative(x: f64) -> f64 {
    x
}

#[primitive(constant(n))]
fn without_rule(x: f64, n: i32) -> f64 {
    x.powi(n)
}

#[primitive(partials(1.0))]
fn too_few(x: f64, y: f64) -> f64 {
    x + y
}

#[primitive(partials(1.0, 1.0))]
fn by_reference(x: f64, w: &[f64]) -> f64 {
    x + w[0]
}

#[primitive(partials(1.0), vjp = rule)]
fn both(x: f64) -> f64 {
    x
}

#[primitive(vjp = rule, value = y)]
fn value_of_nothing(x: f64) -> f64 {
    x
}

#[primitive(vjp = "rule", jump = rule)]
fn unknown_argument(x: f64) -> f64 {
    x
}

#[zero_adjoint]
fn of_a_function(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x)
}

#[zero_adjoint]
#[differentiate]
#[primitive(partials(1.0))]
fn two_rules(x: f64) -> f64 {
    x
}

#[zero_adjoint(partials(1.0))]
fn zero_and_more(x: f64) -> f64 {
    x
}

#[primitive(of = f64::sin, partials(x.cos()))]
fn with_a_body(x: f64) -> f64 {
    x
}

#[primitive(partials(1.0))]
struct NotAFunction;

#[differentiate]
impl NotAFunction {
    #[primitive(of = f64::sin, partials(x.cos()))]
    fn of_a_member(x: f64) -> f64 {
        x
    }
}

fn main() {}
