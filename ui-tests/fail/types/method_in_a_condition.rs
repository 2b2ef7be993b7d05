use cotangent::differentiate;
use std::cell::RefCell;

struct Log(RefCell<Vec<f64>>);

impl Log {
    fn put(&self, x: f64) -> bool {
        self.0.borrow_mut().push(x);
        true
    }
}

#[differentiate(constant(log))]
fn logged(x: f64, log: &Log) -> f64 {
    if log.put(x) { x * x } else { 0.0 }
}

fn main() {
    let _ = logged(1.0, &Log(RefCell::new(Vec::new())));
}
