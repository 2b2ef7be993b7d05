use cotangent::differentiate;

#[differentiate]
fn f(x: f64) -> f64 {
    std::hint::black_box(x) * std::hint::black_box(x)
}

fn main() {
    println!("{}", f::gradient(1.0));
}
