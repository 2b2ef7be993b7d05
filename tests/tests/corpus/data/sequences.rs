//! Parameters of which only the items are known, and chains that calls are given.

use cotangent::differentiate;

#[differentiate]
#[differentiate]
fn polynomial<I: IntoIterator<Item = f64>>(x: f64, coefficients: I) -> f64 {
    coefficients.into_iter().fold(0.0, |sum, c| sum * x + c)
}

#[differentiate]
#[differentiate]
fn mean(xs: impl Iterator<Item = f64>) -> f64 {
    let (mut count, mut sum) = (0.0, 0.0);
    for x in xs {
        count += 1.0;
        sum += x.sin();
    }
    sum / count
}

#[differentiate]
#[differentiate]
fn norm(xs: impl IntoIterator<Item = f64>) -> f64 {
    xs.into_iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[differentiate]
#[differentiate]
fn chosen(xs: &[f64], at: impl IntoIterator<Item = usize>) -> f64 {
    let mut sum = 0.0;
    for i in at {
        sum += xs[i] * xs[i];
    }
    sum
}

#[differentiate]
#[differentiate]
fn weighted<I>(pairs: I) -> f64
where
    I: IntoIterator<Item = (f64, f64)>,
{
    pairs.into_iter().map(|(a, b)| a * b).sum()
}

#[differentiate]
#[differentiate]
fn last_first(xs: impl DoubleEndedIterator<Item = f64>, x: f64) -> f64 {
    xs.rev().fold(x, |sum, c| sum * x + c * c)
}

checks! {
    polynomial at (0.3, [1.0, 2.0]), (0.3, vec![1.0, 2.0, 0.5]);
    norm at (Some(1.5)), ([0.3, 0.4]);
    mean at (vec![0.1, 0.2].into_iter());
    weighted at ([(1.0, 2.0), (0.5, 3.0)]);
    last_first at (vec![0.3, 0.7].into_iter(), 1.2);
    chosen at (&[1.0, 2.0], 0..2), (&[1.0, 2.0], [1, 1]);
}

corpus! {
    fn chains_as_arguments(a: &[f64]) -> f64 {
        norm(a.iter().map(|x| x.exp())) + mean(a.iter().copied()) * polynomial(a[0], [a[1], 2.0])
    }
    at (&[0.3, 0.5]);

    fn chain_of_pairs_as_an_argument(a: &[f64], b: &[f64]) -> f64 {
        weighted(a.iter().zip(b).map(|(x, y)| (x * y, *x))) + chosen(a, 0..a.len())
    }
    at (&[0.3, 0.5], &[1.2, 0.8]);
}

#[test]
fn gradient_of_items_has_their_shape() {
    let gradient = polynomial::gradient(0.5, [1.0, 2.0, 3.0]);
    assert_eq!(gradient, (3.0, [0.25, 0.5, 1.0]));
}
