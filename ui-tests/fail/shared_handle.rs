use cotangent::differentiate;
use std::cell::RefCell;
use std::rc::Rc;

fn bump(cell: &Rc<RefCell<f64>>) {
    *cell.borrow_mut() += 1.0;
}

#[differentiate]
fn shared(x: f64) -> f64 {
    let cell = Rc::new(RefCell::new(x));
    bump(&cell);
    let y = *cell.borrow();
    y * x
}

fn main() {
    let _ = shared(1.0);
}
