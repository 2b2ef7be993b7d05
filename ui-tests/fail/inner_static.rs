use cotangent::differentiate;
use std::sync::atomic::{AtomicUsize, Ordering};

#[differentiate]
fn counted(x: f64) -> f64 {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    CALLS.fetch_add(1, Ordering::Relaxed);
    x * x
}

fn main() {
    let _ = counted(1.0);
}
