use cotangent::differentiate;

#[differentiate]
fn applied(x: f64, g: &mut impl FnMut(f64) -> f64) -> f64 {
    g(x)
}

#[differentiate]
fn returning(x: f64) -> f64 {
    let root = |y: f64| {
        if y < 0.0 {
            return 0.0;
        }
        y.sqrt()
    };
    root(x)
}

fn main() {
    let _ = applied(1.0, &mut |x| x);
    let _ = returning(1.0);
}
