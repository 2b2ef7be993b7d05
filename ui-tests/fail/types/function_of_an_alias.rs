use cotangent::differentiate;

type Real = f64;

// What type an alias stands for only rustc knows: its functions are taken for its own.
#[differentiate]
fn root(x: Real) -> Real {
    Real::sqrt(x) * x
}

fn main() {
    let _ = root(2.0);
}
