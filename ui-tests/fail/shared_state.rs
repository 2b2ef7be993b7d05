use cotangent::differentiate;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

#[differentiate]
fn locked(state: &Arc<Mutex<f64>>, h: f64) -> f64 {
    h * *state.lock().unwrap()
}

#[differentiate]
fn taken(state: Rc<RefCell<f64>>, h: f64) -> f64 {
    let y = *state.borrow();
    y * h
}

#[differentiate]
fn made(x: f64) -> RefCell<f64> {
    RefCell::new(x * x)
}

fn main() {
    let _ = locked(&Arc::new(Mutex::new(1.0)), 0.5);
    let _ = taken(Rc::new(RefCell::new(1.0)), 0.5);
    let _ = made(1.0);
}
