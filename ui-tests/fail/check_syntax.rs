use cotangent::{check, differentiate};

#[differentiate]
fn square(x: f64) -> f64 {
    x * x
}

fn main() {
    let _ = check!();
    let _ = check!(square(1.0), 2);
    let _ = check!(square(1.0) + 1.0);
    let _ = check!(1.0.sin());
    let _ = check!((|x| x)(1.0));
    let _ = check!(=);
    let _ = check!(undeclared(1.0));
    let _ = check!(square(1.0, 2.0));
    let _ = check!(square("text"));
    let _ = check!(f64::sin(1.0));
}
