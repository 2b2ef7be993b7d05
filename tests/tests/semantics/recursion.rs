//! How much stack the derivatives of a recursive function take.

use cotangent::differentiate;
use std::cell::Cell;
use std::hint::black_box;
use std::thread;

const DEPTH: usize = 10_000;

/// How many times the stack of the function its derivatives may take. In a debug build, a pullback that is called
/// from its box takes three frames, and every part of an expression a place in one.
const TIMES: f64 = if cfg!(debug_assertions) { 5.8 } else { 2.0 };

/// What a thread needs beside the frames of the recursion.
const SLACK: usize = 128 << 10;

thread_local! {
    /// The lowest address that was marked.
    static LOWEST: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Where the stack ends at the moment.
fn address() -> usize {
    let local = 0_u8;
    std::ptr::from_ref(black_box(&local)).addr()
}

/// Called at the bottom of the recursion.
fn mark() {
    LOWEST.with(|lowest| lowest.set(lowest.get().min(address())));
}

#[differentiate]
fn along(x: &[f64], k: f64) -> f64 {
    if x.is_empty() {
        mark();
        return 0.0;
    }
    (x[0] * k).sin() + 0.5 * k * along(&x[1..], k)
}

#[differentiate]
fn shrinking(a: f64, b: f64, k: f64, depth: usize) -> f64 {
    let f = |x: f64| (k * x).exp() * x;
    let middle = 0.5 * (a + b);
    let rule = (b - a) / 6.0 * (f(a) + 4.0 * f(middle) + f(b));
    if depth == 0 {
        mark();
        return rule;
    }
    0.5 * rule + shrinking(a, a + 0.999 * (b - a), k, depth - 1)
}

#[differentiate]
fn power(x: f64, n: usize) -> f64 {
    if n == 0 {
        mark();
        return 1.0;
    }
    0.5 * x * power(x, n - 1) + 0.1
}

/// The stack that the function takes, on a thread where nothing overflows.
fn stack_use(run: impl FnOnce() + Send + 'static) -> usize {
    let body = move || {
        let top = address();
        run();
        top - LOWEST.with(Cell::get)
    };
    let thread = thread::Builder::new().stack_size(64 << 20).spawn(body);
    thread.expect("a thread").join().expect("the function returns")
}

/// Runs a derivative on a stack of the size that it may take. An overflow ends the process.
fn run_within(measured: usize, run: impl FnOnce() + Send + 'static) {
    let size = (TIMES * measured as f64) as usize + SLACK;
    let thread = thread::Builder::new().stack_size(size).spawn(run);
    thread.expect("a thread").join().expect("the derivative returns");
}

fn input() -> Vec<f64> {
    vec![0.3; DEPTH]
}

#[test]
fn the_measure_sees_every_level() {
    let measured = stack_use(|| {
        black_box(along(&input(), 0.7));
    });
    assert!(measured >= DEPTH * size_of::<usize>(), "{measured} bytes for {DEPTH} levels");
}

#[test]
fn a_walk_along_a_slice_stays_within_its_stack() {
    let measured = stack_use(|| {
        black_box(along(&input(), 0.7));
    });
    run_within(measured, || {
        let _ = black_box(along::gradient(&input(), 0.7));
    });
    run_within(measured, || {
        let _ = black_box(along::jvp(&input(), &input(), 0.7, 1.0));
    });
    run_within(measured, || {
        let (value, pullback) = along::vjp(&input(), 0.7);
        black_box(value);
        // A chain of pullbacks that nobody calls is dropped link by link.
        drop(black_box(pullback));
    });
}

#[test]
fn a_quadrature_stays_within_its_stack() {
    let measured = stack_use(|| {
        black_box(shrinking(0.0, 1.3, 0.7, DEPTH));
    });
    run_within(measured, || {
        let _ = black_box(shrinking::gradient(0.0, 1.3, 0.7, DEPTH));
    });
    run_within(measured, || {
        let _ = black_box(shrinking::jvp(0.0, 1.0, 1.3, 1.0, 0.7, 1.0, DEPTH));
    });
}

#[test]
fn a_function_with_hardly_a_frame_stays_within_its_stack() {
    let measured = stack_use(|| {
        black_box(power(0.9, DEPTH));
    });
    run_within(measured, || {
        let _ = black_box(power::gradient(0.9, DEPTH));
    });
    run_within(measured, || {
        let _ = black_box(power::jvp(0.9, 1.0, DEPTH));
    });
}
