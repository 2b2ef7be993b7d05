//! What is put in order, and what is looked for in an order.

use cotangent::{Differentiable, differentiate};
use std::cmp::Ordering;

/// What is not `Copy`.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Bid {
    pub price: f64,
    pub parts: Vec<f64>,
}

fn bids() -> Vec<Bid> {
    let bid = |price: f64, parts: &[f64]| Bid { price, parts: parts.to_vec() };
    vec![bid(0.8, &[0.3, 0.1]), bid(0.2, &[0.5]), bid(0.5, &[0.9, 0.7]), bid(0.4, &[0.6])]
}

/// A struct whose vector is sorted.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Book {
    pub bids: Vec<Bid>,
}

#[differentiate]
#[differentiate]
impl Book {
    fn best(&mut self, n: usize) -> f64 {
        self.bids.sort_by(|a, b| b.price.partial_cmp(&a.price).unwrap());
        self.bids.iter().take(n).map(|bid| bid.price * bid.parts[0]).sum::<f64>()
    }
}

corpus! {
    fn ascending(x: &[f64], k: f64) -> f64 {
        let mut w: Vec<f64> = x.iter().map(|v| v * k).collect();
        w.sort_by(|a, b| a.partial_cmp(b).unwrap());
        w.iter().enumerate().map(|(i, v)| (i as f64 + 0.5) * v * v).sum::<f64>()
    }
    at (&[0.8, 0.2, 0.5, -0.4, 0.3], 1.5), (&[0.8, 0.2], -1.5), (&[0.8], 1.5), (&[], 1.5),
       (&[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7], 1.5), (&[0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1], 1.5);

    fn median(x: Vec<f64>) -> f64 {
        let mut x = x;
        x.sort_unstable_by(f64::total_cmp);
        let n = x.len();
        if n % 2 == 0 { 0.5 * (x[n / 2 - 1] + x[n / 2]) } else { x[n / 2] }
    }
    at (vec![0.8, 0.2, 0.5, -0.4, 0.3]) => [0.0, 0.0, 0.0, 0.0, 1.0];

    fn behind_a_reference(x: &mut [f64], y: &[f64]) -> f64 {
        x.sort_by(|a, b| b.total_cmp(a));
        x.iter().zip(y).map(|(a, b)| a * b).sum()
    }
    at (&mut [0.8, 0.2, 0.5, -0.4], &[0.3, 0.6, 0.1, 0.9]);

    fn a_part_of_an_array(x: [f64; 5], y: f64) -> [f64; 5] {
        let mut x = x;
        x[1] *= y;
        x[1..4].sort_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
        x
    }
    at ([0.9, 0.8, 0.2, 0.5, 0.1], 0.5);

    fn pairs_by_a_key(x: &[f64], y: &[f64]) -> f64 {
        let mut pairs: Vec<(f64, f64)> = x.iter().zip(y).map(|(a, b)| (*a, a * b)).collect();
        pairs.sort_by(|a, b| b.1.partial_cmp(&a.1).expect("numbers"));
        pairs.iter().enumerate().map(|(i, (a, b))| i as f64 * a * b).sum::<f64>()
    }
    at (&[0.8, 0.2, 0.5, 0.4], &[0.3, 0.6, 0.1, 0.9]);

    fn rows_of_equal_keys(x: &[f64], n: usize) -> f64 {
        let mut rows: Vec<(f64, f64)> = x.iter().enumerate().map(|(i, v)| ((i % n) as f64, *v)).collect();
        rows.sort_by(|&(a, _), &(b, _)| a.total_cmp(&b));
        rows.iter().fold(0.0, |sum, (a, b)| 0.5 * sum + a * b + b.sin())
    }
    at (&[0.8, 0.2, 0.5, 0.4, 0.9, 0.7, 0.3], 2), (&[0.8, 0.2, 0.5, 0.4, 0.9, 0.7, 0.3], 3);

    fn by_positions(x: &[f64], y: &[f64]) -> f64 {
        let mut order: Vec<usize> = (0..x.len()).collect();
        order.sort_by(|&i, &j| x[j].total_cmp(&x[i]));
        order.iter().zip(y).map(|(&i, w)| x[i] * w).sum()
    }
    at (&[0.8, 0.2, 0.5, 0.4], &[0.3, 0.6, 0.1, 0.9]);

    fn what_is_no_copy(bids: &mut Vec<Bid>, k: f64) -> f64 {
        bids[1].price *= k;
        bids.sort_by(|a, b| a.price.total_cmp(&b.price));
        bids[0].price * bids[0].parts[0] + bids[3].parts[1] * k
    }
    at (&mut bids(), 1.5), (&mut bids(), 2.2);

    fn a_field_of_what_is_behind_a_reference(book: &mut Book, n: usize) -> f64 {
        book.best(n)
    }
    at (&mut Book { bids: bids() }, 2);

    fn again_and_again(x: &mut Vec<f64>, n: usize) -> f64 {
        let mut sum = 0.0;
        for i in 0..n {
            x.sort_by(|a, b| a.total_cmp(b));
            sum += x[i] * x[i + 1];
            x[0] += 0.4;
        }
        sum
    }
    at (&mut vec![0.83, 0.21, 0.52, 0.37], 3);

    fn interpolated(xs: &[f64], ys: &[f64], x: f64) -> f64 {
        let i = xs.partition_point(|&knot| knot <= x).clamp(1, xs.len() - 1);
        let t = (x - xs[i - 1]) / (xs[i] - xs[i - 1]);
        ys[i - 1] + t * (ys[i] - ys[i - 1])
    }
    at (&[0.1, 0.4, 0.5, 0.9], &[0.3, 0.7, 0.2, 0.6], 0.45), (&[0.1, 0.4, 0.5, 0.9], &[0.3, 0.7, 0.2, 0.6], -0.3),
       (&[0.1, 0.4, 0.5, 0.9], &[0.3, 0.7, 0.2, 0.6], 1.3), (&[0.1, 0.4, 0.5, 0.9], &[0.3, 0.7, 0.2, 0.6], 0.2);

    fn found_in_a_vector_of_structs(bids: &Vec<Bid>, x: f64) -> f64 {
        let n = bids[1..].partition_point(|bid| bid.price < x) + 1;
        bids[..n].iter().map(|bid| bid.price * bid.parts[0]).sum()
    }
    at (&bids(), 0.3), (&bids(), 0.6);

    fn by_a_key(x: &mut [f64]) -> f64 {
        x.sort_by_key(|a| (*a * 10.0) as i64);
        x[0] * x[0] + x[1] * x[2]
    }
    at (&mut [0.72, 0.36, 0.78, 0.33]);

    fn by_a_key_that_is_kept(x: &mut Vec<f64>) -> f64 {
        x.sort_by_cached_key(|a| std::cmp::Reverse((*a * 10.0) as i64));
        x[0] * x[0] + x[1] * x[2]
    }
    at (&mut vec![0.72, 0.36, 0.78, 0.33]);
}
