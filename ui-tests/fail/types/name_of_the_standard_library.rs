use cotangent::differentiate;

struct Vec<T>(T);

impl<T: Default> Vec<T> {
    fn new() -> Self {
        Vec(T::default())
    }

    fn len(&self) -> usize {
        5
    }
}

#[differentiate]
fn scaled(x: f64) -> f64 {
    let items = Vec::<f64>::new();
    x * items.len() as f64
}

fn main() {
    let _ = scaled(2.0);
}
