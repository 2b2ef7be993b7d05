use cotangent::differentiate;

#[differentiate]
fn f(x: f64) -> f64 {
    x.sine() * x
}

fn main() {
    println!("{}", f::gradient(1.0));
}
