//! `vjp`: the value, and a pullback that takes references with their shadows in order, then the
//! output's cotangent.

use super::{at, energy};
use cotangent::differentiate;

#[test]
fn references_with_shadows_then_the_seed() {
    let (mut s, mut w_bar, mut s_bar) = (at::S, [1.0; 3], [0.0; 2]);
    let (value, pullback) = energy::vjp(at::X, &at::W, &mut s, at::N);
    assert_eq!((value, s), (at::VALUE, at::S_AFTER));
    let x_bar: f64 = pullback(&at::W, &mut w_bar, &mut s, &mut s_bar, 0.5);
    assert_eq!((x_bar, w_bar, s_bar), (33.0, [9.0, 9.0, 1.0], [4.0, 8.5]));
    assert_eq!(s, at::S, "the pullback undoes the call");
}

/// The signature of a pullback, which has no type to name.
fn is_pullback<P>(pullback: P) -> P
where
    P: FnOnce(&[f64], &mut [f64], &mut [f64; 2], &mut [f64; 2], f64) -> f64 + 'static,
{
    pullback
}

#[test]
fn the_pullback_owns_what_it_needs() {
    let pullback = {
        let (x, w, mut s) = (at::X, at::W.to_vec(), at::S);
        let (_, pullback) = energy::vjp(x, &w, &mut s, at::N);
        is_pullback(pullback)
    };
    let (mut s, mut w_bar, mut s_bar) = (at::S_AFTER, [0.0; 3], [0.0; 2]);
    let x_bar = pullback(&at::W, &mut w_bar, &mut s, &mut s_bar, 1.0);
    assert_eq!((x_bar, w_bar, s_bar), at::GRADIENT);
}

#[differentiate]
fn consumed(v: Vec<f64>, w: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..v.len() {
        sum += v[i] * v[i] * w[i];
    }
    sum
}

/// What a function of the user's may return; its arguments are gone when the pullback runs.
fn consumed_later(
    length: usize,
) -> (f64, impl FnOnce(&[f64], &mut [f64], f64) -> Vec<f64> + Send + 'static) {
    let v: Vec<f64> = (0..length).map(|i| i as f64).collect();
    let w = vec![2.0; length];
    consumed::vjp(v, &w)
}

#[test]
fn the_pullback_can_be_returned_and_sent() {
    let (value, pullback) = consumed_later(3);
    assert_eq!(value, 10.0);
    let pulled = std::thread::spawn(move || {
        let mut w_bar = vec![0.0; 3];
        (pullback(&[2.0; 3], &mut w_bar, 1.0), w_bar)
    });
    assert_eq!(pulled.join().unwrap(), (vec![0.0, 4.0, 8.0], vec![0.0, 1.0, 4.0]));
}

#[test]
fn arguments_are_free_between_the_passes() {
    let mut w = vec![1.0, 3.0, 5.0];
    let mut s = at::S;
    let (_, pullback) = energy::vjp(at::X, &w, &mut s, at::N);
    w[0] += 1.0;
    s[0] += 1.0;
    let moved = (w, s);
    w = moved.0;
    s = moved.1;
    w[0] -= 1.0;
    s[0] -= 1.0;
    let (mut w_bar, mut s_bar) = ([0.0; 3], [0.0; 2]);
    let x_bar = pullback(&w, &mut w_bar, &mut s, &mut s_bar, 1.0);
    assert_eq!((x_bar, w_bar, s_bar, s), (at::GRADIENT.0, at::GRADIENT.1, at::GRADIENT.2, at::S));
}

#[test]
fn pullbacks_do_not_know_of_each_other() {
    let (w, v) = ([1.0, 2.0], [3.0, 4.0]);
    let (_, first) = consumed::vjp(v.to_vec(), &w);
    let (_, second) = consumed::vjp(w.to_vec(), &v);
    let (mut w_bar, mut v_bar) = ([0.0; 2], [0.0; 2]);
    assert_eq!(first(&w, &mut w_bar, 1.0), [6.0, 16.0]);
    assert_eq!(second(&v, &mut v_bar, 1.0), [6.0, 16.0]);
    assert_eq!((w_bar, v_bar), ([9.0, 16.0], [1.0, 4.0]));
}

#[differentiate(constant(table))]
fn looked_up(table: &[f64], x: &[f64], name: &str, counts: &mut [usize]) -> f64 {
    counts[0] += 1;
    table[counts[0]] * x[0] * name.len() as f64
}

#[test]
fn constant_references_are_passed_again_without_shadow() {
    let (table, mut counts, mut x_bar) = ([2.0, 3.0], [0], [0.0]);
    let (value, pullback) = looked_up::vjp(&table, &[5.0], "ab", &mut counts);
    assert_eq!((value, counts), (30.0, [1]));
    let () = pullback(&table, &[5.0], &mut x_bar, "ab", &mut counts, 1.0);
    assert_eq!((x_bar, counts), ([6.0], [0]));
}

#[differentiate]
fn several(x: f64, y: f64, n: usize) -> f64 {
    x * y * n as f64
}

#[differentiate]
fn inactive(n: usize) -> f64 {
    n as f64
}

#[test]
fn cotangents_by_value_are_bare_a_tuple_or_the_unit() {
    let (_, pullback) = several::vjp(2.0, 3.0, 5);
    let bars: (f64, f64) = pullback(1.0);
    assert_eq!(bars, (15.0, 10.0));
    let (_, pullback) = inactive::vjp(5);
    let bars: () = pullback(1.0);
    assert_eq!(bars, ());
}

#[test]
fn the_pullback_is_linear_in_its_seed() {
    for seed in [0.0, 1.0, -2.0, 0.25] {
        let (_, pullback) = several::vjp(2.0, 3.0, 5);
        assert_eq!(pullback(seed), (15.0 * seed, 10.0 * seed));
    }
}
