use cotangent::differentiate;

#[differentiate]
fn f(x: f64) -> f64 {
    let bits = x.to_bits();
    x * f64::from_bits(bits)
}

fn main() {
    println!("{}", f::gradient(1.0));
}
