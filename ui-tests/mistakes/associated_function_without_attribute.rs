use cotangent::differentiate;

struct Model;

impl Model {
    fn loss(x: f64) -> f64 {
        x * x
    }
}

#[differentiate]
fn f(x: f64) -> f64 {
    Model::loss(x) + Model::loss(2.0 * x)
}

fn main() {
    println!("{}", f::gradient(1.0));
}
