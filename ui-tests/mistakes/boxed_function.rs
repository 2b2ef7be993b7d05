use cotangent::differentiate;

#[differentiate]
fn twice(f: Box<dyn Fn(f64) -> f64>, x: f64) -> f64 {
    f(f(x))
}

fn main() {
    println!("{}", twice(Box::new(|x| x * x), 1.0));
}
