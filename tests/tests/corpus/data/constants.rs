//! Constants that are gone through and have no elements in places, and types of constants that hold references.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashSet};
use std::ops::{Range, RangeInclusive};

use cotangent::differentiate;

#[differentiate]
#[differentiate(constant(part))]
fn over_a_range(x: &[f64], part: Range<usize>) -> f64 {
    let mut sum = 0.0;
    for i in part {
        sum += x[i] * x[i];
    }
    sum
}

#[differentiate]
#[differentiate(constant(part))]
fn twice_over_a_range(x: &[f64], part: RangeInclusive<usize>) -> f64 {
    let mut sum = 0.0;
    for i in part.clone() {
        sum += x[i] * x[i];
    }
    for i in part {
        sum *= x[i];
    }
    sum
}

#[differentiate]
#[differentiate(constant(chosen))]
fn over_a_set(x: &[f64], chosen: &BTreeSet<usize>) -> f64 {
    let mut sum = 0.0;
    for i in chosen {
        sum += x[*i] * x[*i];
    }
    for &i in chosen.iter() {
        sum *= x[i];
    }
    sum
}

#[differentiate]
#[differentiate(constant(chosen))]
fn over_an_owned_set(x: &[f64], chosen: HashSet<usize>) -> f64 {
    let mut product = 1.0;
    for i in chosen {
        product *= x[i];
    }
    product
}

struct Links {
    count: usize,
    pairs: Vec<(usize, usize)>,
}

impl Links {
    fn proper(&self) -> impl Iterator<Item = (usize, usize)> {
        self.pairs.iter().copied().filter(|(from, to)| from != to)
    }

    fn from(&self, start: usize) -> Vec<usize> {
        self.pairs.iter().filter(|(from, _)| *from == start).map(|(_, to)| *to).collect()
    }
}

#[differentiate]
#[differentiate(constant(links))]
fn over_what_methods_give(x: &[f64], links: &Links) -> f64 {
    let mut energy = 0.0;
    for (i, j) in links.proper() {
        let d = x[i] - x[j];
        energy += d * d;
    }
    for i in 0..links.count {
        for j in links.from(i) {
            if j == 2 {
                continue;
            }
            energy *= 1.0 + x[i] * x[j];
        }
    }
    energy
}

#[differentiate]
#[differentiate(constant(indices))]
fn over_an_iterator_until(x: &[f64], indices: impl Iterator<Item = usize> + Clone) -> f64 {
    let mut sum = 1.0;
    for i in indices {
        if sum > 2.0 {
            break;
        }
        sum += x[i] * sum;
    }
    sum
}

#[derive(Clone)]
struct View<'a> {
    weights: &'a [f64],
}

#[differentiate]
#[differentiate(constant(view))]
fn lifetime_by_name<'a>(x: f64, view: &View<'a>) -> f64 {
    x * x * view.weights[0]
}

#[differentiate]
#[differentiate(constant(view))]
fn lifetime_left_out(x: f64, view: View<'_>) -> f64 {
    x * x * view.weights[0]
}

#[differentiate]
#[differentiate(constant(weights))]
fn option_of_a_reference(x: f64, weights: Option<&[f64]>) -> f64 {
    match weights {
        Some(weights) => x * x * weights[0],
        None => x,
    }
}

#[differentiate]
#[differentiate(constant(sign))]
fn option_of_a_place(x: f64, sign: Option<&mut i32>) -> f64 {
    if let Some(sign) = sign {
        *sign = if x < 0.0 { -1 } else { 1 };
    }
    x.abs() * x
}

#[differentiate]
#[differentiate(constant(side))]
fn piece(x: f64, side: Ordering) -> f64 {
    match side {
        Ordering::Less => -x,
        _ => x * x,
    }
}

#[differentiate]
#[differentiate(constant(side))]
fn constant_passed_on(x: f64, side: Ordering) -> f64 {
    x * piece(x, side)
}

checks! {
    over_a_range at (&[1.0, 2.0, 3.0], 1..3), (&[1.0, 2.0, 3.0], 2..2);
    twice_over_a_range at (&[1.0, 2.0, 3.0], 1..=2);
    lifetime_by_name at (0.7, &View { weights: &[1.3] });
    lifetime_left_out at (0.7, View { weights: &[1.3] });
    constant_passed_on at (0.7, Ordering::Less), (0.7, Ordering::Equal);
}

#[test]
fn sets() {
    let chosen = [0, 2].into();
    assert_eq!(over_a_set::gradient(&[1.0, 2.0, 3.0], &chosen), [36.0, 0.0, 28.0]);
    assert_eq!(over_an_owned_set::gradient(&[1.0, 2.0, 3.0], [0, 2].into()), [3.0, 0.0, 1.0]);
}

#[test]
fn methods_and_iterators() {
    let links = Links { count: 3, pairs: vec![(0, 1), (1, 1), (1, 2), (2, 0)] };
    let x = [0.5, 0.25, -1.0];
    // (d01² + d12² + d20²) (1 + x0 x1) (1 + x1²) (1 + x2 x0), with the factors at x.
    let (squares, factors) = (0.0625 + 1.5625 + 2.25, [1.125, 1.0625, 0.5]);
    let product: f64 = factors.iter().product();
    let expected = [
        (0.5 + 3.0) * product + squares * product * (0.25 / 1.125 - 1.0 / 0.5),
        (-0.5 + 2.5) * product + squares * product * (0.5 / 1.125 + 0.5 / 1.0625),
        (-2.5 - 3.0) * product + squares * product * (0.5 / 0.5),
    ];
    for (found, expected) in over_what_methods_give::gradient(&x, &links).iter().zip(expected) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
    // 1 + x0, then (1 + x0) (1 + x1), which is over 2.
    let gradient = over_an_iterator_until::gradient(&[0.5, 1.0, 7.0], [0, 1, 2].into_iter());
    assert_eq!(gradient, [2.0, 1.5, 0.0]);
}

#[test]
fn options() {
    assert_eq!(option_of_a_reference::gradient(2.0, Some(&[3.0])), 12.0);
    assert_eq!(option_of_a_reference::gradient(2.0, None), 1.0);
    let mut sign = 0;
    assert_eq!(option_of_a_place::gradient(-2.0, Some(&mut sign)), 4.0);
    assert_eq!(option_of_a_place::gradient(2.0, None), 4.0);
}
