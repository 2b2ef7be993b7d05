//! `Cell`, `RefCell` and `Rc` in a body: several handles, one place, one shadow.

use cotangent::differentiate;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

#[differentiate]
#[differentiate]
fn scale(x: &mut f64, k: f64) -> f64 {
    *x *= k;
    *x * k
}

corpus! {
    fn two_handles(x: f64, k: f64) -> f64 {
        let a = Rc::new(RefCell::new(x));
        let b = Rc::clone(&a);
        *a.borrow_mut() *= k;
        let y = *b.borrow();
        *b.borrow_mut() = y * y;
        y.sin() * *a.borrow()
    }
    at (0.3, 0.7);

    fn cell(x: f64) -> f64 {
        let c = Cell::new(x);
        c.set(c.get() * x + 1.0);
        let old = c.replace(2.0 * x);
        old * c.get()
    }
    at (0.3);

    fn cell_in_loop(x: &[f64]) -> f64 {
        let total = Rc::new(Cell::new(0.0));
        let other = total.clone();
        for v in x {
            total.set(total.get() + v * v);
            if other.get() > 0.2 {
                other.set(other.get() * v);
            }
        }
        other.get()
    }
    at (&[0.3, 0.4, 0.5]);

    fn vector(x: &[f64]) -> f64 {
        let a = RefCell::new(x.to_vec());
        let mut s = 0.0;
        {
            let mut v = a.borrow_mut();
            v[0] *= 2.0;
            v.push(x[1]);
        }
        for i in 0..a.borrow().len() {
            s += a.borrow()[i] * x[0];
        }
        let r = a.borrow();
        s * r[0]
    }
    at (&[0.3, 0.4, 0.5]);

    fn update(x: f64) -> f64 {
        let c = Cell::new(x);
        c.update(|v| v * v + x);
        c.update(|v| { if v > x { v.sin() } else { v } } * x + v);
        let d = c;
        d.get()
    }
    at (0.3);

    fn passed(x: f64, k: f64) -> f64 {
        let a = Rc::new(RefCell::new(x));
        let b = Rc::clone(&a);
        let mut s = scale(&mut a.borrow_mut(), k);
        s += scale(&mut *b.borrow_mut(), 2.0 * k);
        s * *a.borrow()
    }
    at (0.3, 0.7);

    fn swapped(x: f64, y: f64) -> f64 {
        let (p, q) = (x * 2.0, y);
        let a = Cell::new(p);
        let b = Cell::new(q);
        if x > 0.2 {
            a.swap(&b);
        }
        a.get() - b.get() * a.get()
    }
    at (0.3, 0.7), (0.1, 0.7);
}
