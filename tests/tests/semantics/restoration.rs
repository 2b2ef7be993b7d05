//! A pullback undoes what its forward pass did: afterwards the places are as before the call, bit for
//! bit, whether they are active or not.

use cotangent::differentiate;

#[differentiate]
fn smoothed(x: &mut [f64], n: usize) -> f64 {
    for _ in 0..n {
        for i in 1..x.len() {
            x[i] = 0.5 * (x[i] + x[i - 1]);
        }
        x[0] *= 0.9;
    }
    x[x.len() - 1]
}

/// Numbers that a subtraction or a division would not bring back.
const AWKWARD: [f64; 6] = [1e300, -0.0, 1e-320, f64::NAN, f64::INFINITY, 0.1];

fn bits(x: &[f64]) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn bit_for_bit() {
    let mut expected = AWKWARD;
    smoothed(&mut expected, 3);
    let mut x = AWKWARD;
    let (_, pullback) = smoothed::vjp(&mut x, 3);
    assert_eq!(bits(&x), bits(&expected), "after `vjp` as the function leaves it");
    pullback(&mut x, &mut [0.0; 6], 1.0);
    assert_eq!(bits(&x), bits(&AWKWARD), "after the pullback as before the call");
    smoothed::gradient(&mut x, 3);
    assert_eq!(bits(&x), bits(&AWKWARD), "after `gradient`");
    smoothed::accumulate_gradient(&mut x, &mut [0.0; 6], 3);
    assert_eq!(bits(&x), bits(&AWKWARD), "after `accumulate_gradient`");
}

#[differentiate(constant(table))]
fn bookkeeping(
    x: f64,
    counts: &mut [usize],
    seen: &mut bool,
    table: &mut [f64],
    mark: &mut char,
) -> f64 {
    counts[1] += 2;
    counts[0] = counts[1] * counts[0];
    *seen = !*seen;
    table[0] = table[0] * 2.0 + 1.0;
    table[1] = 0.0;
    *mark = 'b';
    x * counts[0] as f64 * table[0]
}

#[test]
fn places_that_are_not_active() {
    let (mut counts, mut seen, mut table, mut mark) = ([3, 4], false, [0.3, f64::NAN], 'a');
    let (value, pullback) = bookkeeping::vjp(2.0, &mut counts, &mut seen, &mut table, &mut mark);
    assert_eq!(value, 2.0 * 18.0 * 1.6);
    assert_eq!((counts, seen, table, mark), ([18, 6], true, [1.6, 0.0], 'b'));
    assert_eq!(pullback(&mut counts, &mut seen, &mut table, &mut mark, 1.0), 18.0 * 1.6);
    assert_eq!((counts, seen, table[0], mark), ([3, 4], false, 0.3, 'a'));
    assert!(table[1].is_nan());
}

#[differentiate]
fn extended(v: &mut Vec<f64>, x: f64) -> f64 {
    let n = v.len();
    for i in 0..n {
        v.push(v[i] * x);
    }
    v[0] = v[n] + v[n - 1];
    v[0] * x
}

#[test]
fn vectors_that_grow() {
    let mut v = vec![2.0, 3.0];
    let (value, pullback) = extended::vjp(&mut v, 5.0);
    assert_eq!((value, &v[..]), (65.0, &[13.0, 3.0, 10.0, 15.0][..]));
    let mut v_bar = vec![0.0; 4];
    let x_bar = pullback(&mut v, &mut v_bar, 1.0);
    assert_eq!((x_bar, &v[..], &v_bar[..]), (23.0, &[2.0, 3.0][..], &[25.0, 5.0][..]));
    assert_eq!(extended::gradient(&mut v, 5.0), (vec![25.0, 5.0], 23.0));
    assert_eq!(v, [2.0, 3.0]);
}

#[differentiate]
fn sometimes(x: &mut [f64; 2], y: f64) -> f64 {
    if y > 0.0 {
        x[0] = y;
        if y > 10.0 {
            x[1] = x[0] * x[0];
            return x[1];
        }
    } else {
        *x = [y, y * y];
    }
    x[0] * x[1]
}

#[test]
fn whichever_branch_was_taken() {
    for y in [1.0, 20.0, -3.0] {
        let mut x = [5.0, 7.0];
        let mut expected = x;
        let value = sometimes(&mut expected, y);
        let (seen, pullback) = sometimes::vjp(&mut x, y);
        assert_eq!((seen, x), (value, expected));
        pullback(&mut x, &mut [0.0; 2], 1.0);
        assert_eq!(x, [5.0, 7.0]);
    }
}

#[differentiate]
fn swapped(x: &mut f64, y: &mut f64, n: usize) {
    for _ in 0..n {
        let old = *x;
        *x = *y;
        *y = old;
    }
}

#[test]
fn places_that_trade_their_contents() {
    for n in 0..3 {
        let (mut x, mut y, mut x_bar, mut y_bar) = (2.0, 3.0, 10.0, 20.0);
        let ((), pullback) = swapped::vjp(&mut x, &mut y, n);
        pullback(&mut x, &mut x_bar, &mut y, &mut y_bar, ());
        assert_eq!((x, y), (2.0, 3.0));
        assert_eq!((x_bar, y_bar), if n % 2 == 0 { (10.0, 20.0) } else { (20.0, 10.0) });
    }
}

#[differentiate]
fn doubled(x: &mut [f64]) {
    for i in 0..x.len() {
        x[i] *= 2.0;
    }
}

#[differentiate]
fn through_calls(x: &mut [f64], n: usize) -> f64 {
    for _ in 0..n {
        doubled(x);
        x[0] = x[0] * x[1];
    }
    x[0]
}

#[test]
fn what_callees_changed() {
    let mut x = [0.1, 0.7];
    let (value, pullback) = through_calls::vjp(&mut x, 2);
    assert_eq!((value, x[0]), (x[0], value));
    let mut x_bar = [0.0; 2];
    pullback(&mut x, &mut x_bar, 1.0);
    assert_eq!(x, [0.1, 0.7]);
    let (_, tangent) = through_calls::jvp(&mut x, &mut [1.0, 0.0], 2);
    assert!((tangent - x_bar[0]).abs() < 1e-14);
}

/// A run that panics says nothing of its places; the next run must not care.
#[test]
fn a_second_run_is_like_the_first() {
    let mut x = [1.0, 2.0, 4.0];
    let first = smoothed::value_and_gradient(&mut x, 4);
    for _ in 0..3 {
        assert_eq!(smoothed::value_and_gradient(&mut x, 4), first);
    }
}
