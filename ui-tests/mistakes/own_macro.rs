use cotangent::differentiate;

macro_rules! square {
    ($x:expr) => {
        $x * $x
    };
}

#[differentiate]
fn f(x: f64) -> f64 {
    square!(x) + x
}

fn main() {
    println!("{}", f::gradient(1.0));
}
