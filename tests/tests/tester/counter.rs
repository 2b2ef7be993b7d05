//! An allocator that counts, as the docs of `cotangent::check` show it, and what it finds in emitted code.
#![allow(unsafe_code, reason = "an allocator is unsafe to write")]

use cotangent::check::Kind;
use cotangent::{check, differentiate};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
    static BYTES: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // There is no counter any more when a thread ends.
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        let _ = BYTES.try_with(|bytes| bytes.set(bytes.get() + layout.size()));
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// How often this thread has allocated.
pub fn allocations() -> usize {
    COUNT.with(Cell::get)
}

/// How many bytes it has allocated.
pub(super) fn bytes() -> usize {
    BYTES.with(Cell::get)
}

#[differentiate]
fn energy(x: f64, w: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..w.len() {
        sum += (w[i] * x).sin();
    }
    sum
}

#[differentiate]
fn relax(u: &mut [f64; 4], h: f64) {
    for i in 1..4 {
        u[i] += h * u[i - 1];
    }
}

#[differentiate]
fn exchange(a: &mut Vec<f64>, b: &mut Vec<f64>, h: f64) {
    a[0] *= h;
    std::mem::swap(a, b);
}

#[differentiate]
fn iterated(x: f64, rate: f64, shift: f64, n: usize) -> f64 {
    let mut y = x;
    for _ in 0..n {
        y = (y * rate + shift).sin();
    }
    y
}

#[differentiate]
fn list(x: f64) -> Vec<f64> {
    vec![x, x * x]
}

#[test]
fn derivatives_do_not_allocate_where_the_function_does_not() {
    check!(energy(0.3, &[0.4, 0.5, 0.6]), allocations = allocations).unwrap();
    check!(relax(&mut [0.3, 0.4, 0.5, 0.6], 0.7), allocations = allocations).unwrap();
    let (mut a, mut b) = (vec![0.3, 0.4], vec![0.5]);
    check!(exchange(&mut a, &mut b, 0.7), allocations = allocations).unwrap();
    check!(iterated(x, 1.5, 0.1, 3), x in 0.1..2.0, allocations = allocations, tape).unwrap();
    check!(list(0.3), allocations = allocations).unwrap();
}

#[test]
fn a_tape_is_counted_unless_it_is_allowed() {
    let mismatch = check!(iterated(0.3, 1.5, 0.1, 3), allocations = allocations).unwrap_err();
    assert_eq!(mismatch.kind(), Kind::Allocation);
    assert!(mismatch.message().starts_with("accumulate_gradient allocates"), "{mismatch}");
    assert_eq!(mismatch.expected(), Some(0.0));
}
