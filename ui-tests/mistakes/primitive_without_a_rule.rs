use cotangent::primitive;

#[primitive]
fn f(x: f64) -> f64 {
    x * x
}

fn main() {
    println!("{}", f::gradient(1.0));
}
