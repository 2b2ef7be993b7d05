//! Constant parameters, lifetimes, bounds on lifetimes, type aliases.
#![deny(warnings, unused, missing_docs)]

use cotangent::differentiate;

type Real = f64;
type Row<const N: usize> = [Real; N];

#[differentiate]
fn combined<const N: usize, const M: usize>(x: [f64; N], y: &Row<M>) -> Real {
    let mut sum = 0.0;
    for i in 0..N {
        for j in 0..M {
            sum += x[i] * y[j];
        }
    }
    sum
}

#[differentiate]
fn borrowed<'a, 'b>(x: &'a [f64], y: &'b mut [f64]) -> f64
where
    'b: 'a,
{
    y[0] *= x[0];
    y[0]
}

fn main() {
    assert_eq!(combined::gradient([1.0, 2.0], &[3.0]), ([3.0, 3.0], [3.0]));
    assert_eq!(combined::<1, 1>([2.0], &[3.0]), 6.0);
    assert_eq!(borrowed::gradient(&[2.0], &mut [3.0]), (vec![3.0], vec![2.0]));
}
