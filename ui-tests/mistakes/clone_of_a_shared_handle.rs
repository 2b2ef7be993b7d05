use cotangent::differentiate;
use std::cell::RefCell;
use std::rc::Rc;

#[differentiate]
fn f(x: &Rc<RefCell<f64>>) -> Rc<RefCell<f64>> {
    x.clone()
}

fn main() {
    println!("{}", f(&Rc::new(RefCell::new(1.0))).borrow());
}
