use cotangent::differentiate;

#[differentiate]
mod model {
    macro_rules! square {
        ($x:expr) => {
            $x * $x
        };
    }

    pub fn energy(x: f64, k: f64) -> f64 {
        0.5 * k * square!(x)
    }
}

fn main() {
    println!("{:?}", model::energy::gradient(1.0, 2.0));
}
