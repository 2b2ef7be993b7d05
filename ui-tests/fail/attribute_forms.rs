use cotangent::differentiate;

#[differentiate(constant)]
fn without_a_list(x: f64, n: f64) -> f64 {
    x * n
}

#[differentiate(constant = n)]
fn with_a_value(x: f64, n: f64) -> f64 {
    x * n
}

#[differentiate(constant(n), constant(x))]
fn twice(x: f64, n: f64) -> f64 {
    x * n
}

#[differentiate(constant(n.0))]
fn not_a_name(x: f64, n: (f64, f64)) -> f64 {
    x * n.0
}

#[differentiate(wrt(self::x))]
fn not_an_ident(x: f64) -> f64 {
    x * x
}

#[differentiate(constant(x), wrt(x))]
fn both(x: f64) -> f64 {
    x * x
}

#[differentiate(forward = true)]
fn flag_with_a_value(x: f64) -> f64 {
    x * x
}

#[differentiate(companion(other))]
fn companion_as_a_list(x: f64) -> f64 {
    x * x
}

#[differentiate(companion = 3)]
fn companion_as_a_number(x: f64) -> f64 {
    x * x
}

#[differentiate(companion = a::b)]
fn companion_as_a_path(x: f64) -> f64 {
    x * x
}

#[differentiate(companion = fn)]
fn companion_as_a_keyword(x: f64) -> f64 {
    x * x
}

#[differentiate(reverse, ==)]
fn no_syntax(x: f64) -> f64 {
    x * x
}

#[differentiate("text")]
fn a_literal(x: f64) -> f64 {
    x * x
}

#[differentiate(primitive, overlay)]
fn two_unknown(x: f64) -> f64 {
    x * x
}

#[differentiate(dyn)]
fn no_trait(x: f64) -> f64 {
    x * x
}

#[differentiate(skip)]
fn no_block(x: f64) -> f64 {
    x * x
}

fn main() {}
