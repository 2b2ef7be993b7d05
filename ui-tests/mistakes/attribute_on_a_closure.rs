use cotangent::differentiate;

fn main() {
    let f = #[differentiate] |x: f64| x * x;
    println!("{}", f(1.0));
}
