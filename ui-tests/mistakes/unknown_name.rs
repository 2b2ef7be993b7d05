use cotangent::differentiate;

#[differentiate]
fn f(x: f64) -> f64 {
    let scale = 2.0;
    scal * x + scale
}

fn main() {
    println!("{}", f::gradient(1.0));
}
