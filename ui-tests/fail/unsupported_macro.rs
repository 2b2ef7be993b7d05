use cotangent::differentiate;

macro_rules! square {
    ($x:expr) => {
        $x * $x
    };
}

#[differentiate]
fn fourth(x: f64) -> f64 {
    square!(x * x)
}

fn main() {
    let _ = fourth(1.0);
}
