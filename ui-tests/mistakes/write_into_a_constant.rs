use cotangent::differentiate;

#[differentiate(constant(y))]
fn f(x: f64, y: &mut [f64]) -> f64 {
    y[0] = x * x;
    y[0]
}

fn main() {
    println!("{}", f::gradient(1.0, &mut [0.0]));
}
