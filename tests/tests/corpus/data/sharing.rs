//! Cells behind references: read, written, passed on; in structs, slices and vectors.

use std::cell::{Cell, RefCell};

/// A body whose state is behind `&self`.
#[derive(Clone, Debug, cotangent::Differentiable)]
pub struct Particle {
    pub position: Cell<f64>,
    pub velocity: Cell<f64>,
    pub trace: RefCell<Vec<f64>>,
    pub mass: f64,
    pub steps: Cell<usize>,
}

fn particle() -> Particle {
    Particle {
        position: Cell::new(0.8),
        velocity: Cell::new(-0.3),
        trace: RefCell::new(vec![0.4, 0.9]),
        mass: 1.7,
        steps: Cell::new(0),
    }
}

#[cotangent::differentiate]
#[cotangent::differentiate]
impl Particle {
    fn force(&self) -> f64 {
        -self.position.get().sin()
    }

    fn step(&self, dt: f64) {
        self.velocity.set(self.velocity.get() + dt * self.force() / self.mass);
        self.position.set(self.position.get() + dt * self.velocity.get());
        self.trace.borrow_mut().push(self.position.get());
        self.steps.set(self.steps.get() + 1);
    }

    fn energy(&self) -> f64 {
        let v = self.velocity.get();
        0.5 * self.mass * v * v - self.position.get().cos()
    }
}

#[cotangent::differentiate]
#[cotangent::differentiate]
fn doubled(c: &RefCell<f64>, k: f64) -> f64 {
    let before = *c.borrow();
    *c.borrow_mut() *= 2.0 * k;
    before
}

#[cotangent::differentiate]
#[cotangent::differentiate]
fn mixed(a: &f64, b: &mut f64) -> f64 {
    *b = *a * b.sin();
    *a + *b
}

#[cotangent::differentiate(shared)]
#[cotangent::differentiate]
fn only_methods(p: &Particle, dt: f64) -> f64 {
    p.step(dt);
    p.step(2.0 * dt);
    p.energy()
}

#[cotangent::differentiate(shared)]
#[cotangent::differentiate]
fn behind_a_mutable_reference(p: &mut Particle, dt: f64) -> f64 {
    p.mass += dt;
    p.step(dt);
    p.mass *= 2.0;
    p.energy()
}

#[test]
fn parameters_that_the_attribute_shows_to_hold_cells() {
    cotangent::check!(only_methods(&particle(), 0.1)).unwrap();
    cotangent::check!(behind_a_mutable_reference(&mut particle(), 0.1)).unwrap();
}

corpus! {
    fn read(c: &RefCell<f64>) -> f64 {
        let v = *c.borrow();
        v * v
    }
    at (&RefCell::new(1.3));

    fn written(c: &RefCell<f64>, x: f64) -> f64 {
        *c.borrow_mut() = x.sin();
        let v = *c.borrow();
        v * x
    }
    at (&RefCell::new(1.3), 0.7);

    fn compound(c: &RefCell<f64>, x: f64) -> f64 {
        *c.borrow_mut() *= x;
        *c.borrow_mut() -= x.exp();
        let v = *c.borrow();
        v * v
    }
    at (&RefCell::new(1.3), 0.7);

    fn guard_with_a_name(c: &RefCell<f64>, x: f64) -> f64 {
        let mut guard = c.borrow_mut();
        *guard += x * x;
        let v = *guard;
        *guard = v * 0.5;
        v.sin()
    }
    at (&RefCell::new(1.3), 0.7);

    fn without_result(c: &RefCell<f64>, x: f64) {
        let v = *c.borrow();
        *c.borrow_mut() = v * x;
    }
    at (&RefCell::new(1.3), 0.7);

    fn in_a_loop(c: &RefCell<f64>, x: f64) -> f64 {
        let mut sum = 0.0;
        for i in 0..4 {
            let v = *c.borrow();
            *c.borrow_mut() = v * x + i as f64 * 0.1;
            sum += v.cos();
        }
        sum
    }
    at (&RefCell::new(1.3), 0.7);

    fn until_small(c: &RefCell<f64>, x: f64) -> f64 {
        while *c.borrow() > 0.5 {
            *c.borrow_mut() *= x;
        }
        let v = *c.borrow();
        v / x
    }
    at (&RefCell::new(1.3), 0.7);

    fn in_a_branch(c: &RefCell<f64>, x: f64) -> f64 {
        if *c.borrow() > 1.0 {
            *c.borrow_mut() -= x * x;
        } else {
            *c.borrow_mut() += x.sin();
        }
        let v = *c.borrow();
        v * v * x
    }
    at (&RefCell::new(1.3), 0.7), (&RefCell::new(0.3), 0.7);

    fn early_return(c: &RefCell<f64>, x: f64) -> f64 {
        for i in 0..5 {
            *c.borrow_mut() += x;
            let v = *c.borrow();
            if v > 2.0 {
                return v * v;
            }
        }
        x
    }
    at (&RefCell::new(1.3), 0.4), (&RefCell::new(0.1), 0.2);

    fn vector_inside(c: &RefCell<Vec<f64>>, x: f64) -> f64 {
        let n = c.borrow().len();
        for i in 0..n {
            c.borrow_mut()[i] *= x;
        }
        c.borrow_mut().push(x * x);
        let mut sum = 0.0;
        for i in 0..n + 1 {
            sum += c.borrow()[i].sin();
        }
        sum
    }
    at (&RefCell::new(vec![1.3, 0.2]), 0.7);

    fn array_inside(c: &RefCell<[f64; 3]>, k: usize) -> f64 {
        let first = c.borrow()[0];
        c.borrow_mut()[k] = first * first;
        c.borrow_mut().swap(0, 2);
        let a = c.borrow()[0];
        let b = c.borrow()[k];
        a * b
    }
    at (&RefCell::new([1.3, 0.2, 0.6]), 1);

    fn replaced(c: &RefCell<f64>, x: f64) -> f64 {
        let old = std::mem::replace(&mut *c.borrow_mut(), x * x);
        let v = *c.borrow();
        old * v
    }
    at (&RefCell::new(1.3), 0.7);

    fn two_cells(a: &RefCell<f64>, b: &RefCell<f64>) -> f64 {
        let x = *a.borrow();
        *b.borrow_mut() *= x;
        let y = *b.borrow();
        *a.borrow_mut() = y.sin();
        let z = *a.borrow();
        z * y
    }
    at (&RefCell::new(1.3), &RefCell::new(0.7));

    fn passed_on(c: &RefCell<f64>, x: f64) -> f64 {
        let a = doubled(c, x);
        let b = doubled(c, a);
        let v = *c.borrow();
        a * b + v
    }
    at (&RefCell::new(1.3), 0.7);

    fn passed_on_in_a_loop(c: &RefCell<f64>, x: f64) -> f64 {
        let mut sum = 0.0;
        for _ in 0..3 {
            sum += doubled(c, x);
            let v = *c.borrow();
            *c.borrow_mut() = v.sqrt();
        }
        sum
    }
    at (&RefCell::new(1.3), 0.7);

    fn result_unused(c: &RefCell<f64>, x: f64) -> f64 {
        doubled(c, x);
        let v = *c.borrow();
        v * v
    }
    at (&RefCell::new(1.3), 0.7);

    fn contents_passed_on(a: &RefCell<f64>, b: &RefCell<f64>) -> f64 {
        let v = mixed(&a.borrow(), &mut b.borrow_mut());
        let w = *b.borrow();
        v * w
    }
    at (&RefCell::new(1.3), &RefCell::new(0.7));

    fn cell(c: &Cell<f64>, x: f64) -> f64 {
        c.set(c.get() * x);
        let v = c.get();
        c.set(v.sin());
        c.get() * v
    }
    at (&Cell::new(1.3), 0.7);

    fn cells_in_a_slice(cells: &[Cell<f64>], x: f64) -> f64 {
        let mut sum = 0.0;
        for i in 0..cells.len() {
            cells[i].set(cells[i].get() * x);
            sum += cells[i].get().cos();
        }
        for c in cells {
            sum += c.get();
        }
        sum
    }
    at (&[Cell::new(1.3), Cell::new(0.2)][..], 0.7);

    fn cells_in_a_vector(cells: &Vec<RefCell<f64>>, x: f64) -> f64 {
        let mut sum = 0.0;
        for c in cells.iter() {
            *c.borrow_mut() *= x;
            let v = *c.borrow();
            sum += v * v;
        }
        sum
    }
    at (&vec![RefCell::new(1.3), RefCell::new(0.2)], 0.7);

    fn field(p: &Particle, x: f64) -> f64 {
        p.position.set(p.velocity.get() * x);
        p.trace.borrow_mut()[1] = p.position.get().sin();
        let t = p.trace.borrow()[1];
        t * p.mass
    }
    at (&particle(), 0.7);

    fn methods(p: &Particle, dt: f64) -> f64 {
        let before = p.energy();
        for _ in 0..3 {
            p.step(dt);
        }
        let last = p.trace.borrow()[4];
        p.energy() - before + last
    }
    at (&particle(), 0.1);
}

#[cotangent::differentiate]
#[cotangent::differentiate]
#[cotangent::differentiate]
fn driven(c: &RefCell<f64>, x: f64) -> f64 {
    *c.borrow_mut() *= x;
    let v = *c.borrow();
    v * v * x * x
}

corpus! {
    fn gradient_in_a_body(c: &RefCell<f64>, x: f64) -> f64 {
        let (c_bar, x_bar) = driven::gradient(c, x);
        let b = *c_bar.borrow();
        x_bar * x * b
    }
    at (&RefCell::new(1.3), 0.7);

    fn value_and_gradient_in_a_body(c: &RefCell<f64>, x: f64) -> f64 {
        let (y, (_, x_bar)) = driven::value_and_gradient(c, x);
        let v = *c.borrow();
        x_bar * y * v
    }
    at (&RefCell::new(1.3), 0.7);
}
