use cotangent::differentiate;

#[differentiate(dyn)]
trait Scaled {
    const SCALE: f64;
    fn value(&self, x: f64) -> f64;
}

#[differentiate(dyn)]
trait Sized<const N: usize> {
    fn size(&self, x: [f64; N]) -> f64;
}

fn main() {}
