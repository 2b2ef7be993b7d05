use cotangent::differentiate;

#[differentiate]
fn f(x: &[f64]) -> f64 {
    unsafe { *x.get_unchecked(0) }
}

fn main() {
    println!("{:?}", f::gradient(&[1.0]));
}
