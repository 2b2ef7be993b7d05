use cotangent::differentiate;

#[differentiate]
fn applied(x: f64, g: &mut impl FnMut(f64) -> f64) -> f64 {
    g(x)
}

fn main() {
    let _ = applied(1.0, &mut |x| x);
}
