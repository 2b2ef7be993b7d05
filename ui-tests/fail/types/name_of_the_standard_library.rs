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

struct Cell(f64);

impl Cell {
    fn new(x: f64) -> Self {
        Cell(2.0 * x)
    }

    fn get(&self) -> f64 {
        self.0 * self.0
    }
}

mod mem {
    pub fn swap(a: &mut f64, b: &mut f64) {
        *a += *b;
    }
}

mod f64 {
    pub fn max(a: f64, b: f64) -> f64 {
        a * b
    }
}

const UNORDERED: std::cmp::Ordering = std::cmp::Ordering::Greater;

#[differentiate]
fn scaled(x: f64) -> f64 {
    let items = Vec::<f64>::new();
    x * items.len() as f64
}

#[differentiate]
fn held(x: f64) -> f64 {
    let cell = Cell::new(x);
    cell.get()
}

#[differentiate]
fn exchanged(mut x: f64, mut y: f64) -> f64 {
    mem::swap(&mut x, &mut y);
    x * y
}

#[differentiate]
fn larger(x: f64, y: f64) -> f64 {
    f64::max(x, y)
}

#[differentiate]
fn least(mut values: [f64; 3]) -> f64 {
    values.sort_by(|a, b| a.partial_cmp(b).unwrap_or(UNORDERED));
    values[0]
}

fn main() {
    let _ = (scaled(2.0), held(2.0), exchanged(2.0, 3.0), larger(2.0, 3.0), least([1.0; 3]));
}
