use cotangent::differentiate;

trait Softplus {
    fn softplus(self) -> Self;
}

impl Softplus for f64 {
    fn softplus(self) -> f64 {
        self.exp().ln_1p()
    }
}

#[differentiate]
fn layer(x: f64, n: usize) -> f64 {
    let offset = n.pow(2) as f64;
    x.softplus() + offset
}

fn main() {
    let _ = layer(1.0, 2);
}
