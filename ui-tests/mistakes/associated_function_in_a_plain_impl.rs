use cotangent::differentiate;

struct Model;

impl Model {
    #[differentiate]
    fn loss(x: f64) -> f64 {
        x * x
    }
}

fn main() {
    println!("{}", Model::loss_gradient(1.0));
}
