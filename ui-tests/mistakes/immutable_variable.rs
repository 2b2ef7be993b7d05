use cotangent::differentiate;

#[differentiate]
fn f(x: &[f64]) -> f64 {
    let sum = 0.0;
    for i in 0..x.len() {
        sum += x[i];
    }
    sum
}

fn main() {
    println!("{:?}", f::gradient(&[1.0]));
}
