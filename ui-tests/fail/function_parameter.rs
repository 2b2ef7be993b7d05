use cotangent::differentiate;

#[differentiate]
fn boxed(f: Box<dyn Fn(f64) -> f64>, x: f64) -> f64 {
    f(x) * x
}

#[differentiate]
fn changing(f: &mut dyn FnMut(f64) -> f64, x: f64) -> f64 {
    f(x) * x
}

fn main() {
    let _ = boxed(Box::new(|x| x), 1.0) + changing(&mut |x| x, 1.0);
}
