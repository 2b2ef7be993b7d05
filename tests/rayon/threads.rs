//! That derivatives run in parallel, and are the same whatever the number of threads.

use cotangent::{differentiate, primitive};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::sync::Mutex;

const N: usize = 20_000;

/// The gradient by `rate` is the sum of `2 (y - e) x e` with `e = exp(-rate x)`.
#[differentiate]
fn misfit(x: &[f64], y: &[f64], rate: f64) -> f64 {
    x.par_iter().zip(y).map(|(x, y)| (y - (-rate * x).exp()).powi(2)).sum()
}

fn data() -> (Vec<f64>, Vec<f64>) {
    let x: Vec<f64> = (0..N).map(|i| i as f64 / N as f64).collect();
    let y = x.iter().map(|x| (-0.7 * x).exp() + 0.01 * (50.0 * x).sin()).collect();
    (x, y)
}

fn within<R: Send>(threads: usize, run: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool").install(run)
}

#[test]
fn gradients_do_not_depend_on_the_number_of_threads() {
    let (x, y) = data();
    let rate = 0.4;
    let term = |(x, y): (&f64, &f64)| {
        let e = (-rate * x).exp();
        2.0 * (y - e) * x * e
    };
    let by_hand: f64 = x.iter().zip(&y).map(term).sum();
    for threads in [1, 2, 3, 8] {
        let (x_bar, y_bar, rate_bar) = within(threads, || misfit::gradient(&x, &y, rate));
        assert!((rate_bar - by_hand).abs() < 1e-10 * by_hand.abs(), "{rate_bar} and {by_hand}");
        for i in 0..N {
            let e = (-rate * x[i]).exp();
            assert!((y_bar[i] - 2.0 * (y[i] - e)).abs() < 1e-14);
            assert!((x_bar[i] - 2.0 * (y[i] - e) * rate * e).abs() < 1e-14);
        }
    }
}

#[test]
fn gradients_are_the_same_bit_for_bit_with_as_many_threads() {
    let (x, y) = data();
    let first = within(3, || misfit::gradient(&x, &y, 0.4));
    for _ in 0..20 {
        assert!(within(3, || misfit::gradient(&x, &y, 0.4)) == first);
    }
}

/// Without a tangent type: it is a constant.
#[derive(Clone)]
struct Window {
    from: f64,
    to: f64,
}

impl Window {
    fn weight(&self, x: f64) -> f64 {
        if x > self.from && x < self.to { 2.0 } else { 0.5 }
    }
}

#[differentiate(constant(x, window))]
fn weighted(rate: f64, x: &[f64], window: &Window) -> f64 {
    x.par_iter().map(|x| window.weight(*x) * (rate * x).sin()).sum()
}

#[test]
fn constants_need_no_tangent() {
    let (x, _) = data();
    let window = Window { from: 0.2, to: 0.6 };
    let by_hand: f64 = x.iter().map(|x| window.weight(*x) * (0.7 * x).cos() * x).sum();
    let (_, pullback) = within(2, || weighted::vjp(0.7, &x, &window));
    for found in [within(2, || weighted::gradient(0.7, &x, &window)), pullback(&x, &window, 1.0)] {
        assert!((found - by_hand).abs() < 1e-10 * by_hand.abs(), "{found} and {by_hand}");
    }
}

/// The threads on which pullbacks ran.
static PULLED: Mutex<BTreeSet<usize>> = Mutex::new(BTreeSet::new());

fn slow_vjp(x: f64) -> (f64, impl FnOnce(f64) -> f64) {
    (x, |y_bar| {
        PULLED
            .lock()
            .expect("no panic")
            .insert(rayon::current_thread_index().expect("a thread of a pool"));
        std::thread::sleep(std::time::Duration::from_millis(20));
        y_bar
    })
}

#[primitive(vjp = slow_vjp)]
#[differentiate]
fn slow(x: f64) -> f64 {
    x
}

#[differentiate]
fn sum_of_slow(x: &[f64]) -> f64 {
    x.par_iter().map(|x| slow(*x)).sum()
}

#[test]
fn pullbacks_run_in_parallel() {
    let x_bar = within(2, || sum_of_slow::gradient(&[1.0; 16]));
    assert_eq!(x_bar, [1.0; 16]);
    assert_eq!(PULLED.lock().expect("no panic").len(), 2);
}
