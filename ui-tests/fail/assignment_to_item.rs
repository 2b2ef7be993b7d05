#![allow(const_item_mutation)]

use cotangent::differentiate;

use std::cell::Cell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const TOTALS: [f64; 2] = [0.0; 2];

#[differentiate]
fn recorded(x: f64) -> f64 {
    TOTALS[0] += x;
    x * x
}

static mut CALLS: usize = 0;

#[differentiate]
fn counted(x: f64) -> f64 {
    unsafe {
        CALLS += 1;
    }
    x * x
}

static COUNT: AtomicUsize = AtomicUsize::new(0);
static LOG: Mutex<Vec<f64>> = Mutex::new(Vec::new());

thread_local! {
    static LAST: Cell<f64> = const { Cell::new(0.0) };
}

#[differentiate]
fn logged(x: f64) -> f64 {
    COUNT.fetch_add(1, Ordering::Relaxed);
    LOG.lock().unwrap().push(x);
    LAST.set(x);
    x * x
}

fn main() {
    let _ = (recorded(1.0), counted(1.0), logged(1.0));
}
