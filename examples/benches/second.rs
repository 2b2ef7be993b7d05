//! Products with the Hessian, whole Hessians and whole Jacobians.
//!
//! ```text
//! cargo bench -p cotangent-examples --bench second
//! cargo bench -p cotangent-examples --bench second -- Rosenbrock
//! ```
//!
//! What is found of a kernel in several ways is compared first; a difference is a panic. Then the ways are timed in
//! turns. A row says how many evaluations of the kernel it costs, and how it compares with ours.
//!
//! The others are derivatives written by hand, and dual numbers of fixed size by `num-dual`. These go forward only. A
//! pass of theirs that takes the parameters along, 20 of them here, finds a product with the Hessian. Where there are
//! many, a pass finds one entry of it.
//!
//! A result is allocated in each run and freed. The allocator of glibc gives memory of the size of 100,000 numbers back
//! to the system, which then clears each page again; that is measured, too, unless
//! `MALLOC_TRIM_THRESHOLD_=1000000000 MALLOC_MMAP_THRESHOLD_=1000000000` is in the environment.

mod duals;

use std::hint::black_box;

use cotangent::Matrix;
use cotangent_examples::contests::{self, Way};
use cotangent_examples::inputs::{labels, sequence};
use cotangent_examples::kernels::helmholtz::{COMPONENTS, helmholtz, mixture};
use cotangent_examples::kernels::lanczos::{CERTIFIED, lanczos};
use cotangent_examples::kernels::logistic::{logistic, logistic_by_hand, logistic_product_by_hand};
use cotangent_examples::kernels::moments::moments;
use cotangent_examples::kernels::perceptron::{INPUTS, WEIGHTS, perceptron};
use cotangent_examples::kernels::rosenbrock::{
    rosenbrock, rosenbrock_by_hand, rosenbrock_product_by_hand,
};
use cotangent_examples::ratios;
use nalgebra::{Const, SMatrix, SVector};
use num_dual::{Dual64, DualSVec64, DualVec, HyperDual64};

const OURS: &str = "cotangent";
const HAND: &str = "hand";

/// Holds the ways to the derivatives of a kernel, which has this name, against each other.
type Measure = fn(&str);

fn main() {
    let kernels: [(&str, Measure); 7] = [
        ("Rosenbrock 1000", |name| valleys(name, 1000)),
        ("Rosenbrock 100000", |name| valleys(name, 100_000)),
        ("logistic regression 1000 × 20", regression),
        ("perceptron 32-64-64-1, 32 samples", network),
        ("Helmholtz energy of 10 components", energy),
        ("moments, 6 of 50 numbers", sample),
        ("Lanczos, 50 of 6 parameters", exponentials),
    ];
    let chosen = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    if ratios::is_measured() {
        contests::print_head();
    }
    for (name, kernel) in kernels {
        if chosen.as_ref().is_none_or(|chosen| name.contains(chosen)) {
            kernel(name);
        }
    }
}

/// Compares, and measures when it is asked for.
fn hold(name: &str, mut ways: Vec<Way>) {
    contests::assert_agreement(name, &ways);
    if ratios::is_measured() {
        contests::print_rows(name, &mut ways);
    }
}

fn value<'a>(find: impl FnMut() -> f64 + 'a) -> Way<'a> {
    Way::new("value", "", find, |value| vec![value])
}

fn gradient<'a>(by: &'static str, find: impl FnMut() -> Vec<f64> + 'a) -> Way<'a> {
    Way::new("gradient", by, find, |gradient| gradient)
}

/// With a shadow that is kept, and zeroed each time.
fn added<'a>(
    by: &'static str,
    shadow: &'a mut [f64],
    mut add: impl FnMut(&mut [f64]) -> f64 + 'a,
) -> Way<'a> {
    let mut is_first = true;
    let find = move || {
        shadow.fill(0.0);
        add(shadow);
        black_box(&*shadow);
        // Only the run before the timed ones is asked for what it has found.
        std::mem::take(&mut is_first).then(|| shadow.to_vec())
    };
    Way::new("gradient, added", by, find, Option::unwrap_or_default)
}

fn product<'a>(by: &'static str, find: impl FnMut() -> Vec<f64> + 'a) -> Way<'a> {
    Way::new("product", by, find, |product| product)
}

fn valleys(name: &str, n: usize) {
    let (x, v) = (&sequence(n, -1.5..1.5), &sequence(n, -1.0..2.0));
    let (mut ours, mut by_hand) = (vec![0.0; n], vec![0.0; n]);
    let mut ways = vec![
        value(|| rosenbrock(black_box(x))),
        gradient(OURS, || rosenbrock::gradient(black_box(x))),
        gradient(HAND, || {
            let mut x_bar = vec![0.0; n];
            rosenbrock_by_hand(black_box(x), &mut x_bar);
            x_bar
        }),
        added(OURS, &mut ours, |x_bar| rosenbrock::accumulate_gradient(black_box(x), x_bar).0),
        added(HAND, &mut by_hand, |x_bar| rosenbrock_by_hand(black_box(x), x_bar)),
        product(OURS, || rosenbrock::hvp(black_box(x), black_box(v))),
        product(HAND, || rosenbrock_product_by_hand(black_box(x), black_box(v))),
    ];
    // Of 100,000 variables, as many passes take minutes.
    if n <= 1000 {
        ways.push(product("num-dual HyperDual64, 1000 passes", || {
            (0..n).map(|index| entry(black_box(x), v, index, duals::rosenbrock)).collect()
        }));
    }
    hold(name, ways);
}

/// An entry of the product: the derivative along `v` and along a coordinate.
fn entry(x: &[f64], v: &[f64], index: usize, f: impl Fn(&[HyperDual64]) -> HyperDual64) -> f64 {
    let mut x: Vec<_> = x.iter().zip(v).map(|(x, v)| HyperDual64::new(*x, *v, 0.0, 0.0)).collect();
    x[index].eps2 = 1.0;
    f(&x).eps1eps2
}

fn regression(name: &str) {
    const N: usize = 20;
    let (w, v) = (&sequence(N, -1.0..1.0), &sequence(N, -1.0..2.0));
    let (features, labels) = (&sequence(1000 * N, -1.0..1.0), &labels(1000));
    let along: SVector<Dual64, N> = SVector::from_fn(|i, _| Dual64::new(w[i], v[i]));
    let dual = |w: SVector<DualVec<Dual64, f64, Const<N>>, N>| {
        duals::logistic(w.as_slice(), features, labels)
    };
    let ways = vec![
        value(|| logistic(black_box(w), features, labels)),
        gradient(OURS, || logistic::gradient(black_box(w), features, labels)),
        gradient(HAND, || {
            let mut w_bar = vec![0.0; N];
            logistic_by_hand(black_box(w), &mut w_bar, features, labels);
            w_bar
        }),
        product(OURS, || logistic::hvp(black_box(w), black_box(v), features, labels)),
        product(HAND, || logistic_product_by_hand(black_box(w), black_box(v), features)),
        Way::new(
            "product",
            "num-dual DualSVec<Dual64, _, 20>",
            || num_dual::gradient(dual, black_box(&along)).1,
            |gradient| gradient.iter().map(|entry| entry.eps).collect(),
        ),
    ];
    hold(name, ways);
}

fn network(name: &str) {
    let (w, v) = (&sequence(WEIGHTS, -0.3..0.3), &sequence(WEIGHTS, -1.0..1.0));
    let (samples, targets) = (&sequence(32 * INPUTS, -1.0..1.0), &sequence(32, -1.0..1.0));
    let ways = vec![
        value(|| perceptron(black_box(w), samples, targets)),
        gradient(OURS, || perceptron::gradient(black_box(w), samples, targets)),
        product(OURS, || perceptron::hvp(black_box(w), black_box(v), samples, targets)),
        product("num-dual HyperDual64, 1 pass of 6337", || {
            vec![entry(black_box(w), v, 0, |w| duals::perceptron(w, samples, targets))]
        }),
    ];
    hold(name, ways);
}

fn energy(name: &str) {
    let (x, volumes, attraction) = &mixture();
    let point = &SVector::from(*x);
    let first = |x: SVector<_, COMPONENTS>| duals::helmholtz(&x.into(), volumes, attraction);
    let second = |x: SVector<_, COMPONENTS>| duals::helmholtz(&x.into(), volumes, attraction);
    let ways = vec![
        value(|| helmholtz(black_box(x), volumes, attraction)),
        Way::new(
            "gradient",
            OURS,
            || helmholtz::gradient(black_box(x), volumes, attraction),
            |gradient| gradient.to_vec(),
        ),
        Way::new(
            "gradient",
            "num-dual DualSVec64<10>",
            || num_dual::gradient(first, black_box(point)).1,
            |gradient| gradient.as_slice().to_vec(),
        ),
        Way::new(
            "Hessian",
            OURS,
            || helmholtz::hessian(black_box(x), volumes, attraction),
            Matrix::into_vec,
        ),
        Way::new(
            "Hessian",
            "num-dual Dual2SVec64<10>",
            || num_dual::hessian(second, black_box(point)).2,
            row_by_row::<COMPONENTS, COMPONENTS>,
        ),
    ];
    hold(name, ways);
}

fn sample(name: &str) {
    let x: [f64; 50] = std::array::from_fn(|i| (i as f64).sin() + 0.3);
    hold(name, jacobians(&x, moments, moments::jacobian, duals::moments));
}

fn exponentials(name: &str) {
    hold(name, jacobians(&CERTIFIED, lanczos, lanczos::jacobian, duals::lanczos));
}

/// The value and the Jacobian of a function between arrays.
fn jacobians<const N: usize, const M: usize>(
    x: &[f64; N],
    value: fn(&[f64; N]) -> [f64; M],
    jacobian: fn(&[f64; N]) -> Matrix<f64>,
    dual: fn(&[DualSVec64<N>; N]) -> [DualSVec64<N>; M],
) -> Vec<Way<'_>> {
    let point = SVector::from(*x);
    let dual = move |x: SVector<DualSVec64<N>, N>| SVector::from(dual(&x.into()));
    vec![
        Way::new("value", "", move || value(black_box(x)), |y| y.to_vec()),
        Way::new("Jacobian", OURS, move || jacobian(black_box(x)), Matrix::into_vec),
        Way::new(
            "Jacobian",
            "num-dual DualSVec64 of all inputs",
            move || num_dual::jacobian(dual, black_box(&point)).1,
            row_by_row::<M, N>,
        ),
    ]
}

fn row_by_row<const M: usize, const N: usize>(matrix: SMatrix<f64, M, N>) -> Vec<f64> {
    matrix.transpose().as_slice().to_vec()
}
