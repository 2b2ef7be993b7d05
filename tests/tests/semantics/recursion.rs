//! How much stack the derivatives of a recursive function take.

use cotangent::{Differentiable, differentiate};
use std::cell::Cell;
use std::hint::black_box;
use std::thread;

const DEPTH: usize = 10_000;

/// How many times the stack of the function its derivatives may take, in reverse and in forward mode.
const TIMES: [f64; 2] = [2.0, 2.0];

/// Likewise of a function that reads structs, whose types the macro does not know, in a debug build: the types of its
/// tapes have no names, so that the levels call each other by pointers, and its rules are calls.
const TIMES_OF_STRUCTS: [f64; 2] = if cfg!(debug_assertions) { [4.1, 2.3] } else { TIMES };

/// What a thread needs beside the frames of the recursion.
const SLACK: usize = 24 << 10;

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

#[differentiate]
fn sine(x: f64, n: usize) -> f64 {
    if n == 0 {
        mark();
        return x;
    }
    (x * sine(x, n - 1)).sin()
}

#[differentiate]
fn two_calls(x: f64, n: usize) -> f64 {
    if n <= 1 {
        mark();
        return x;
    }
    let a = two_calls(x, n - 1);
    let b = two_calls(x * 0.5, n / 100);
    a * b + 0.3 * a
}

#[differentiate]
fn arms(x: f64, y: f64, n: usize) -> f64 {
    if n == 0 {
        mark();
        return x;
    }
    if n % 2 == 0 { y * arms(x * y, y, n - 1) } else { 0.5 * arms(x + y, y * 0.9, n - 1) }
}

#[differentiate]
fn writes(x: &mut [f64], n: usize) -> f64 {
    if n == 0 {
        mark();
        return x[0];
    }
    x[0] *= 0.99;
    let r = writes(x, n - 1);
    x[1] += r * x[0];
    r * x[1]
}

#[differentiate]
fn in_a_loop(x: f64, w: &[f64], depth: usize) -> f64 {
    if depth == 0 {
        mark();
        return x.sin();
    }
    let mut sum = 0.0;
    for k in 0..2 {
        let next = if k == 0 { depth - 1 } else { 0 };
        sum += in_a_loop(x, w, next) * w[k];
    }
    sum
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Link {
    weight: f64,
    next: Vec<Link>,
}

#[differentiate]
fn along_a_chain(link: &Link, x: f64) -> f64 {
    let mut sum = link.weight.sin() * x;
    if link.next.is_empty() {
        mark();
    }
    for next in &link.next {
        sum += along_a_chain(next, sum) * link.weight;
    }
    sum
}

fn chain() -> Link {
    let end = Link { weight: 0.3, next: Vec::new() };
    (0..DEPTH).fold(end, |next, _| Link { weight: 0.4, next: vec![next] })
}

fn zero_chain() -> LinkTangent {
    let end = LinkTangent { weight: 0.0, next: Vec::new() };
    (0..DEPTH).fold(end, |next, _| LinkTangent { weight: 0.0, next: vec![next] })
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
fn run_within(measured: usize, times: f64, run: fn()) {
    let size = (times * measured as f64) as usize + SLACK;
    let thread = thread::Builder::new().stack_size(size).spawn(run);
    thread.expect("a thread").join().expect("the derivative returns");
}

fn input() -> Vec<f64> {
    vec![0.3; DEPTH]
}

/// Things whose destructors would go down as deep as the function are not dropped.
fn forget<T>(value: T) {
    std::mem::forget(black_box(value));
}

#[test]
fn the_measure_sees_every_level() {
    let measured = stack_use(|| forget(along(&input(), 0.7)));
    assert!(measured >= DEPTH * size_of::<usize>(), "{measured} bytes for {DEPTH} levels");
}

/// One test for each function: what it is called with, then its derivatives of both modes.
macro_rules! stays_within_its_stack {
    ($($name:ident in $limits:ident: $primal:expr, [$($reverse:expr),+], $forward:expr;)*) => {$(
        #[test]
        fn $name() {
            let measured = stack_use(|| forget($primal));
            $(run_within(measured, $limits[0], || forget($reverse));)+
            run_within(measured, $limits[1], || forget($forward));
        }
    )*};
}

stays_within_its_stack! {
    a_walk_along_a_slice in TIMES:
        along(&input(), 0.7),
        [along::gradient(&input(), 0.7), along::vjp(&input(), 0.7)],
        along::jvp(&input(), &input(), 0.7, 1.0);
    a_quadrature in TIMES:
        shrinking(0.0, 1.3, 0.7, DEPTH),
        [shrinking::gradient(0.0, 1.3, 0.7, DEPTH)],
        shrinking::jvp(0.0, 1.0, 1.3, 1.0, 0.7, 1.0, DEPTH);
    a_function_with_hardly_a_frame in TIMES:
        power(0.9, DEPTH),
        [power::gradient(0.9, DEPTH), power::vjp(0.9, DEPTH)],
        power::jvp(0.9, 1.0, DEPTH);
    a_call_in_an_operand in TIMES:
        sine(0.9, DEPTH), [sine::gradient(0.9, DEPTH)], sine::jvp(0.9, 1.0, DEPTH);
    a_function_with_two_calls in TIMES:
        two_calls(0.9, DEPTH), [two_calls::gradient(0.9, DEPTH)], two_calls::jvp(0.9, 1.0, DEPTH);
    calls_in_both_arms in TIMES:
        arms(0.9, 0.8, DEPTH), [arms::gradient(0.9, 0.8, DEPTH)], arms::jvp(0.9, 1.0, 0.8, 1.0, DEPTH);
    a_function_that_writes in TIMES:
        writes(&mut [0.9, 0.3], DEPTH),
        [writes::gradient(&mut [0.9, 0.3], DEPTH), writes::vjp(&mut [0.9, 0.3], DEPTH)],
        writes::jvp(&mut [0.9, 0.3], &mut [1.0, 0.0], DEPTH);
    calls_in_a_loop in TIMES:
        in_a_loop(0.9, &[0.5, 0.3], DEPTH),
        [in_a_loop::gradient(0.9, &[0.5, 0.3], DEPTH)],
        in_a_loop::jvp(0.9, 1.0, &[0.5, 0.3], &[0.5, 0.3], DEPTH);
    a_walk_along_a_chain in TIMES_OF_STRUCTS:
        { let chain = chain(); black_box(along_a_chain(&chain, 0.9)); chain },
        [{
            let (chain, mut shadow) = (chain(), zero_chain());
            black_box(along_a_chain::accumulate_gradient(&chain, &mut shadow, 0.9));
            (chain, shadow)
        }],
        {
            let (chain, tangent) = (chain(), zero_chain());
            black_box(along_a_chain::jvp(&chain, &tangent, 0.9, 1.0));
            (chain, tangent)
        };
}

/// A pullback that nobody calls holds tapes, and is dropped at once.
#[test]
fn pullbacks_are_dropped_without_a_recursion() {
    run_within(0, 1.0, || {
        let (value, pullback) = on_a_deep_stack(|| along::vjp(&input(), 0.7));
        black_box(value);
        drop(black_box(pullback));
    });
}

/// Runs something on a thread where nothing overflows.
fn on_a_deep_stack<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, run);
        thread.expect("a thread").join().expect("the function returns")
    })
}
