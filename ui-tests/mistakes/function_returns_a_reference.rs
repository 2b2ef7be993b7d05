use cotangent::differentiate;

#[differentiate]
fn first(x: &[f64]) -> &f64 {
    &x[0]
}

fn main() {
    println!("{}", first(&[1.0]));
}
