//! The same functions differentiated by the crate `num-dual`, whose hyper-dual numbers carry first and second
//! derivatives forward: another way to derivatives, by other people.
//!
//! A row is one text. It is compiled as a function of floats, which is differentiated here, and as a function of any
//! number of `num-dual`'s. So it says no types, literals stand on the right of operators, and a number that is
//! constant begins as `x[0] * 0.0`. The peer's trait is not in scope, since it has methods of references to floats.

// What is written so that two number types understand it is not what Clippy would write for one.
#![allow(clippy::all)]

use num_dual::HyperDual64;

/// What one of the two says of a function at a point.
#[derive(Debug)]
struct Derivatives {
    value: f64,
    gradient: Vec<f64>,
    /// By rows; none where there are no second derivatives.
    hessian: Vec<f64>,
}

/// A function over hyper-dual numbers: two directions at a time, of which each pair gives one second derivative.
fn by_peer(f: fn(&[HyperDual64]) -> HyperDual64, point: &[f64]) -> Derivatives {
    let one = |at: usize, other: usize| if at == other { 1.0 } else { 0.0 };
    let along = |i: usize, j: usize| {
        let seeded = |(at, x): (usize, &f64)| HyperDual64::new(*x, one(at, i), one(at, j), 0.0);
        f(&point.iter().enumerate().map(seeded).collect::<Vec<_>>())
    };
    let all = 0..point.len();
    Derivatives {
        value: along(0, 0).re,
        gradient: all.clone().map(|i| along(i, i).eps1).collect(),
        hessian: all
            .clone()
            .flat_map(|i| all.clone().map(move |j| (i, j)))
            .map(|(i, j)| along(i, j).eps1eps2)
            .collect(),
    }
}

/// Compares numbers, relative to the largest of them.
fn close(name: &str, ours: &[f64], theirs: &[f64]) {
    let scale = theirs.iter().fold(0.0, |scale: f64, entry| scale.max(entry.abs()));
    assert_eq!(ours.len(), theirs.len(), "{name}");
    assert!(scale.is_finite(), "{name}: {theirs:?}");
    for (ours, theirs) in ours.iter().zip(theirs) {
        assert!((ours - theirs).abs() <= 1e-12 * scale, "{name}: {ours:e} and {theirs:e}");
    }
}

fn agree(ours: &Derivatives, theirs: &Derivatives) {
    close("value", &[ours.value], &[theirs.value]);
    close("gradient", &ours.gradient, &theirs.gradient);
    if !ours.hessian.is_empty() {
        close("hessian", &ours.hessian, &theirs.hessian);
    }
}

/// Rows of functions: `f[x]` takes a slice, `f(x, y)` numbers. Behind `at` is a point each.
macro_rules! rows {
    ($orders:tt $($name:ident $params:tt $body:block at $($point:expr),+;)*) => {$(
        mod $name {
            use super::*;

            ours! { $orders $name $params $body }
            theirs! { $name $params $body }

            #[test]
            fn agrees() {
                for point in [$(&$point[..]),+] {
                    agree(&ours(point), &by_peer(theirs::<HyperDual64>, point));
                }
            }
        }
    )*};
}

macro_rules! ours {
    ([first] $name:ident [$x:ident] $body:block) => {
        #[cotangent::differentiate]
        fn $name($x: &[f64]) -> f64 $body

        fn ours(point: &[f64]) -> Derivatives {
            let (value, gradient) = $name::value_and_gradient(point);
            Derivatives { value, gradient, hessian: Vec::new() }
        }
    };
    ([second] $name:ident [$x:ident] $body:block) => {
        #[cotangent::differentiate]
        #[cotangent::differentiate]
        fn $name($x: &[f64]) -> f64 $body

        fn ours(point: &[f64]) -> Derivatives {
            let (value, gradient, hessian) = $name::value_gradient_and_hessian(point);
            Derivatives { value, gradient, hessian: hessian.into_vec() }
        }
    };
    ([first] $name:ident ($($x:ident),*) $body:block) => {
        #[cotangent::differentiate]
        fn $name($($x: f64),*) -> f64 $body

        fn ours(point: &[f64]) -> Derivatives {
            let [$($x),*] = *point else { panic!("a number for each parameter") };
            let (value, ($($x),*)) = $name::value_and_gradient($($x),*);
            Derivatives { value, gradient: vec![$($x),*], hessian: Vec::new() }
        }
    };
    ([second] $name:ident ($($x:ident),*) $body:block) => {
        #[cotangent::differentiate]
        #[cotangent::differentiate]
        fn $name($($x: f64),*) -> f64 $body

        fn ours(point: &[f64]) -> Derivatives {
            let [$($x),*] = *point else { panic!("a number for each parameter") };
            let (value, ($($x),*), hessian) = $name::value_gradient_and_hessian($($x),*);
            Derivatives { value, gradient: vec![$($x),*], hessian: hessian.into_vec() }
        }
    };
}

macro_rules! theirs {
    ($name:ident [$x:ident] $body:block) => {
        fn theirs<D: num_dual::DualNum<f64> + Copy>($x: &[D]) -> D $body
    };
    ($name:ident ($($x:ident),*) $body:block) => {
        fn theirs<D: num_dual::DualNum<f64> + Copy>(point: &[D]) -> D {
            let [$($x),*] = *point else { panic!("a number for each parameter") };
            $body
        }
    };
}

rows! {
    [second]
    // Elementary functions.
    trigonometric(x, y) { (x * y).sin() + (x - y).cos() * x.tan() } at [0.7, 0.3], [-0.4, 1.1];
    inverses(x, y) { x.asin() + y.acos() + (x * y).atan() } at [0.3, -0.6], [-0.8, 0.2];
    hyperbolic(x, y) { x.sinh() * y.cosh() - (x * y).tanh() } at [0.7, 0.3], [-1.2, 0.9];
    inverse_hyperbolic(x, y) { x.asinh() + (y + 2.0).acosh() + (x * y).atanh() } at [0.7, 0.3];
    exponentials(x, y) { x.exp() * y.exp2() + (x * y).exp_m1() } at [0.7, -0.3], [-1.5, 0.4];
    logarithms(x, y) { x.ln() * y.log2() + (x * y).log10() + (x / y).ln_1p() } at [0.7, 0.3], [2.5, 4.0];
    roots(x, y) { x.sqrt() * y.cbrt() + (x * x + y * y).sqrt() } at [0.7, 0.3], [2.5, 4.0];
    powers(x, y) { x.powi(5) - y.powi(-3) + (x * y).powf(1.7) } at [0.7, 0.3], [2.5, 4.0];
    quotients(x, y) { (x * x - y) / (x + y * y) + x.recip() * y } at [0.7, 0.3], [-2.5, 4.0];
    composed(x, y) { ((x * y).sin().exp() + 1.0).ln() * (y / x).tanh() } at [0.7, 0.3], [-2.5, 4.0];
    absolute(x, y) { (x - y).abs() * x + (x * y).abs().sqrt() } at [0.7, 0.3], [-2.5, 4.0];
    gaussian(x, m, s) { (-(x - m) * (x - m) / (s * s * 2.0)).exp() / (s * 2.5066282746310002) } at [0.7, 0.3, 1.2];
    // Branches.
    pieces(x, y) { if x > y { x * x * y } else { (x - y).sin() } } at [0.7, 0.3], [0.3, 0.7];
    branch_that_returns(x, y) { if x < 0.0 { return x * y * y; } x.exp() * y } at [0.7, 0.3], [-0.3, 0.7];
    nested_branches(x, y) {
        let mut z = x;
        if x > 0.0 { z = z * y; if y > 0.5 { z += x.sin(); } } else { z -= y * y; }
        z * x
    } at [0.7, 0.3], [0.7, 0.9], [-0.3, 0.7];
    huber[x] {
        let mut sum = x[0] * 0.0;
        for i in 1..x.len() {
            let r = x[i] - x[0];
            if r.abs() < 0.5 { sum += r * r * 0.5; } else { sum += (r.abs() - 0.25) * 0.5; }
        }
        sum
    } at [0.1, 0.3, 1.7, -2.0];
    bound_again_behind_a_return(x, y) {
        let v = x * y;
        let v = if x > 0.0 { v * x } else { let t = y; return v * t; };
        v * y
    } at [0.7, 0.3], [-0.7, 0.3];
    bound_again_in_what_follows(x, y) {
        let v = x * y;
        if x > 0.0 {} else { let t = y; return v * t; }
        let v = v * x;
        v * y
    } at [0.7, 0.3], [-0.7, 0.3];
    // Loops.
    rosenbrock[x] {
        let mut sum = x[0] * 0.0;
        for i in 0..x.len() - 1 {
            let (valley, slope) = (x[i + 1] - x[i] * x[i], -(x[i] - 1.0));
            sum += valley * valley * 100.0 + slope * slope;
        }
        sum
    } at [-1.2, 1.0, 0.4, 0.7];
    logistic_map(r, x) { let mut y = x; for _ in 0..6 { y = r * y * -(y - 1.0); } y } at [2.8, 0.3];
    newton(a, x) { let mut y = x; for _ in 0..5 { y = y - (y * y - a) / (y * 2.0); } y * a } at [2.0, 1.3];
    horner[x] {
        let mut value = x[0] * 0.0;
        for i in (1..x.len()).rev() { value = value * x[0] + x[i]; }
        value
    } at [1.3, 0.6, -0.4, 0.9];
    norm_by_product[x] {
        let mut sum = x[0] * 0.0;
        for v in x.iter() { sum += *v * *v; }
        sum.sqrt().exp()
    } at [1.3, 0.6, -0.4];
    while_it_is_small(x, y) { let mut z = x; while z < 10.0 { z = z * (y * y + 1.5); } z } at [0.7, 0.3], [3.0, -0.8];
    // Closures.
    called_twice(x, y) { let g = |v| v * x + y.sin(); g(g(y)) } at [0.7, 0.3];
    closure_over_a_number(x, y) { let k = x * y; let scaled = |v| v * k; scaled(x).cos() + scaled(y) } at [0.7, 0.3];
    // Parts of physics.
    lennard_jones(r, s, e) { let q = (s / r).powi(6); (q * q - q) * e * 4.0 } at [1.2, 0.9, 0.7];
    kepler(m, e) { let mut x = m; for _ in 0..8 { x = x - (x - e * x.sin() - m) / (-(e * x.cos() - 1.0)); } x } at [0.9, 0.4];
    pendulum(a, v) {
        let (mut a, mut v) = (a, v);
        for _ in 0..10 { v -= a.sin() * 0.1; a += v * 0.1; }
        v * v * 0.5 - a.cos()
    } at [0.7, 0.3];
}

rows! {
    [first]
    // Slices, indices and places.
    neighbours[x] {
        let mut sum = x[0] * 0.0;
        for i in 1..x.len() - 1 { sum += x[i] * (x[i - 1] - x[i] * 2.0 + x[i + 1]); }
        sum
    } at [1.3, 0.6, -0.4, 0.9, 0.2];
    running_product[x] {
        let mut product = x[0] * 0.0 + 1.0;
        let mut sum = x[0] * 0.0;
        for i in 0..x.len() { product = product * x[i]; sum += product; }
        sum
    } at [1.3, 0.6, -0.4, 0.9];
    written_in_place[x] {
        let mut y = [x[0], x[1], x[2]];
        for i in 1..3 { y[i] = y[i] * y[i - 1].sin(); }
        y[0] * y[2] + y[1]
    } at [1.3, 0.6, -0.4];
    vector_that_grows[x] {
        let mut y = Vec::new();
        for i in 0..x.len() { y.push(x[i] * x[0]); }
        let mut sum = x[0];
        for i in 0..y.len() { sum = sum * y[i] + y[i].cos(); }
        sum
    } at [1.3, 0.6, -0.4];
    sorted_by_exchange[x] {
        let mut y = x.to_vec();
        for i in 0..y.len() { for j in 0..y.len() - 1 - i { if y[j] > y[j + 1] { y.swap(j, j + 1); } } }
        y[0] * y[1].exp() - y[y.len() - 1]
    } at [1.3, 0.6, -0.4, 0.9];
    determinant[x] {
        let mut a = [[x[0], x[1], x[2]], [x[3], x[4], x[5]], [x[6], x[7], x[8]]];
        let mut value = x[0] * 0.0 + 1.0;
        for k in 0..3 {
            value = value * a[k][k];
            for i in k + 1..3 {
                let f = a[i][k] / a[k][k];
                for j in k..3 { let t = a[k][j] * f; a[i][j] -= t; }
            }
        }
        value
    } at [2.0, 0.3, -0.1, 0.4, 1.7, 0.2, 0.5, -0.6, 1.1];
    prefix_sums[x] {
        let mut y = x.to_vec();
        for i in 1..y.len() { let before = y[i - 1]; y[i] += before; }
        let mut sum = x[0] * 0.0;
        for i in 0..y.len() { sum += y[i] * y[i]; }
        sum
    } at [1.3, 0.6, -0.4, 0.9];
    dynamic_programme[x] {
        let (mut a, mut b) = (x[0], x[1]);
        for i in 2..x.len() { let c = if a < b { a + x[i] } else { b + x[i] * x[i] }; a = b; b = c; }
        a * b
    } at [1.3, 0.6, -0.4, 0.9, 0.2];
    largest[x] {
        let mut best = 0;
        for i in 1..x.len() { if x[i] > x[best] { best = i; } }
        x[best] * x[best] + x[0]
    } at [0.3, 1.6, -0.4];
    // Exits.
    search[x] {
        let mut sum = x[0] * 0.0;
        for i in 0..x.len() { if x[i] < 0.0 { break; } sum += x[i].sqrt() * x[0]; }
        sum
    } at [1.3, 0.6, -0.4, 0.9];
    skipping[x] {
        let mut sum = x[0] * 0.0;
        for i in 0..x.len() { if x[i] < 0.0 { continue; } sum += x[i] * x[i] * x[0]; }
        sum
    } at [1.3, 0.6, -0.4, 0.9];
    first_above[x] {
        for i in 0..x.len() { if x[i] > 1.0 { return x[i] * x[i] * x[0]; } }
        x[0] * x[1]
    } at [0.3, 0.6, 1.4], [0.3, 0.6, 0.2];
    endless(x, y) {
        let mut z = x;
        loop { z = z * y + 1.0; if z > 20.0 { break; } }
        z * z
    } at [0.7, 2.3];
    labelled[x] {
        let mut sum = x[0] * 0.0;
        'rows: for i in 0..x.len() {
            for j in 0..x.len() { if x[j] * x[i] > 1.5 { continue 'rows; } sum += x[i] * x[j].sin(); }
        }
        sum
    } at [1.3, 0.6, -0.4, 0.9];
    // Iterators.
    folded[x] { x.iter().fold(x[0] * 0.0, |sum, v| sum * 0.5 + v.sin()) } at [1.3, 0.6, -0.4];
    mapped_and_folded[x] {
        x.iter().map(|v| *v * *v).fold(x[0] * 0.0 + 1.0, |product, v| product * (v + 1.0))
    } at [1.3, 0.6, -0.4];
    zipped[x] {
        let (left, right) = x.split_at(2);
        left.iter().zip(right.iter()).fold(x[0] * 0.0, |sum, (a, b)| sum + *a * *b)
    } at [1.3, 0.6, -0.4, 0.9];
    windows[x] { x.windows(2).fold(x[0] * 0.0, |sum, w| sum + w[0] * w[1].exp()) } at [1.3, 0.6, -0.4, 0.9];
    chunks[x] { x.chunks(2).fold(x[0] * 0.0, |sum, c| sum + c[0] * c[1].cos()) } at [1.3, 0.6, -0.4, 0.9];
    enumerated[x] {
        let mut sum = x[0] * 0.0;
        for (i, v) in x.iter().enumerate() { if i % 2 == 0 { sum += *v * x[0]; } else { sum -= v.exp(); } }
        sum
    } at [1.3, 0.6, -0.4, 0.9];
    filtered[x] {
        x.iter().filter(|v| **v > 0.0).fold(x[0] * 0.0, |sum, v| sum + v.ln() * x[0])
    } at [1.3, 0.6, -0.4, 0.9];
    // Options and patterns.
    option(x, y) {
        let chosen = if x > 0.0 { Some(x * y) } else { None };
        match chosen { Some(v) => v.sin() * x, None => y * y * x }
    } at [0.7, 0.3], [-0.7, 0.3];
    tuples(x, y) { let (a, (b, c)) = (x * y, (x.sin(), y)); a * b + c * a } at [0.7, 0.3];
    // Steps of methods.
    runge_kutta(x, v, k) {
        let (mut x, mut v) = (x, v);
        for _ in 0..5 {
            let (a1, b1) = (v, -(k * x));
            let (a2, b2) = (v + b1 * 0.05, -(k * (x + a1 * 0.05)));
            x += a2 * 0.1;
            v += b2 * 0.1;
        }
        x * v
    } at [0.7, 0.3, 1.4];
    layers[x] {
        let hidden = [(x[0] * x[1] + x[2]).tanh(), (x[0] * x[3] + x[4]).tanh()];
        let out = hidden[0] * x[5] + hidden[1] * x[6];
        (out - 0.3) * (out - 0.3)
    } at [1.3, 0.6, -0.4, 0.9, 0.2, -0.8, 0.5];
    log_sum_of_exponentials[x] {
        let mut top = x[0];
        for i in 1..x.len() { if x[i] > top { top = x[i]; } }
        let mut sum = x[0] * 0.0;
        for i in 0..x.len() { sum += (x[i] - top).exp(); }
        sum.ln() + top
    } at [1.3, 0.6, -0.4, 0.9];
}
