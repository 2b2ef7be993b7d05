use cotangent::differentiate;

#[differentiate]
fn f(x: &[f64]) -> f64 {
    x.iter().sum()
}

fn main() {
    let x_bar = vec![0.0];
    println!("{}", f::accumulate_gradient(&[1.0], &x_bar).0);
}
