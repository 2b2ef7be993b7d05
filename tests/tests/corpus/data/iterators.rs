//! Chains of iterators: each source, adaptor and consumer, alone and nested, in loops and in conditions.

use cotangent::{Differentiable, differentiate};
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Two {
    a: Vec<f64>,
    b: Vec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct State {
    level: f64,
    pair: (f64, f64),
    slope: [f64; 3],
}

fn state() -> State {
    State { level: 0.3, pair: (0.4, 0.5), slope: [0.6, 0.7, 0.8] }
}

#[differentiate]
#[differentiate]
fn mix(a: f64, b: f64) -> f64 {
    a * b.cos()
}

#[differentiate]
#[differentiate]
fn doubled(a: f64) -> f64 {
    a * 2.0
}

corpus! {
    fn beside_numbers_of_a_byte(x: &[f64], n: u8) -> f64 {
        let mut sum = 0.3;
        for (k, v) in (0..n).zip(x) {
            sum = sum * 0.5 + v * f64::from(k);
        }
        sum
    }
    at (&[1.3, 0.6, 0.9], 3), (&[1.3, 0.6, 0.9], 2), (&[1.3], 3);

    fn reduced_to_what_must_be_there(x: &[f64]) -> f64 {
        let largest = *x.iter().reduce(|a, b| if a > b { a } else { b }).expect("an element");
        largest * largest * x[0]
    }
    at (&[0.4, 1.3, 0.6]), (&[0.4]);

    fn sum_of_references(x: &[f64]) -> f64 {
        x.iter().sum::<f64>()
    }
    at (&[1.3, 0.6, -0.4]), (&[]);

    fn sum_of_a_type_by_its_path(x: &[f64]) -> f64 {
        x.iter().sum::<core::primitive::f64>() * x.iter().product::<std::primitive::f64>()
    }
    at (&[1.3, 0.6, -0.4]);

    fn sum_of_values(x: &[f64]) -> f64 {
        x.iter().copied().sum()
    }
    at (&[1.3, 0.6, -0.4]), (&[]);

    fn sum_of_squares(x: &[f64]) -> f64 {
        x.iter().map(|v| v * v).sum()
    }
    at (&[1.3, 0.6, -0.4]);

    fn inner_product(x: &[f64], y: &[f64]) -> f64 {
        x.iter().zip(y).map(|(a, b)| a * b).sum::<f64>()
    }
    at (&[1.3, 0.6, -0.4], &[0.5, 2.0, 0.7]), (&[1.3, 0.6], &[0.5, 2.0, 0.7]), (&[1.3, 0.6], &[]);

    fn inner_product_by_patterns(x: &[f64], y: &[f64]) -> f64 {
        x.iter().zip(y.iter()).map(|(&a, &b)| a * b * a).sum::<f64>()
    }
    at (&[1.3, 0.6, -0.4], &[0.5, 2.0, 0.7]);

    fn names_exchanged(x: &[f64], y: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (y, x) in x.iter().zip(y) {
            sum += y * y * x;
        }
        sum + x[0] * y[1]
    }
    at (&[1.3, 0.6, -0.4], &[0.5, 2.0, 0.7]);

    fn names_shadowed(x: &[f64], w: f64) -> f64 {
        x.iter().map(|w| w * 2.0).map(|v| v * w).sum()
    }
    at (&[1.3, 0.6, -0.4], 0.7);

    fn product_of_all(x: &[f64]) -> f64 {
        x.iter().product()
    }
    at (&[1.3, 0.6, -0.4]), (&[]);

    fn integers(x: &[f64], n: usize) -> f64 {
        let sum: usize = (0..n).map(|i| i * i).sum();
        let product = (1..=n).product::<usize>();
        x[sum % x.len()] * x[product % x.len()]
    }
    at (&[1.3, 0.6, -0.4], 4), (&[1.3, 0.6, -0.4], 0);

    fn range_mapped(x: f64, n: usize) -> f64 {
        (0..n).map(|i| (x * i as f64).sin()).sum()
    }
    at (0.7, 4), (0.7, 0);

    fn range_inclusive(x: f64, n: i32) -> f64 {
        (1..=n).map(|i| x.powi(i) / i as f64).sum()
    }
    at (0.7, 4), (0.7, 0);

    fn range_reversed_in_steps(x: f64, n: u32) -> f64 {
        (0..n).rev().step_by(2).map(|i| x.powi(i as i32)).fold(0.5, |acc, v| acc * x + v)
    }
    at (0.7, 6), (0.7, 0), (0.7, 1);

    fn enumerated(x: &[f64]) -> f64 {
        x.iter().enumerate().map(|(i, v)| v.powi(i as i32)).sum()
    }
    at (&[1.3, 0.6, -0.4]);

    fn reversed(x: &[f64]) -> f64 {
        x.iter().rev().fold(0.0, |acc, v| acc * 0.7 + v.sin())
    }
    at (&[1.3, 0.6, -0.4]), (&[]);

    fn reversed_with_index(x: &[f64]) -> f64 {
        x.iter().enumerate().rev().fold(0.3, |acc, (i, v)| acc * v + i as f64)
    }
    at (&[1.3, 0.6, -0.4]);

    fn reversed_then_numbered(x: &[f64]) -> f64 {
        x.iter().rev().enumerate().map(|(i, v)| v * v * i as f64).sum()
    }
    at (&[1.3, 0.6, -0.4]);

    fn skipped_and_taken(x: &[f64], n: usize) -> f64 {
        x.iter().skip(n).take(2).map(|v| v * v).sum::<f64>() + x.iter().take(n).product::<f64>()
    }
    at (&[1.3, 0.6, -0.4, 0.9], 1), (&[1.3, 0.6], 7), (&[], 0);

    fn skipped_from_the_end(x: &[f64]) -> f64 {
        x.iter().rev().skip(1).take(2).fold(0.1, |acc, v| acc * v + v)
    }
    at (&[1.3, 0.6, -0.4, 0.9]), (&[1.3, 0.6]), (&[]);

    fn end_of_what_is_taken(x: &[f64]) -> f64 {
        x.iter().take(3).rev().skip(1).fold(0.1, |acc, v| acc * v + v)
    }
    at (&[1.3, 0.6, -0.4, 0.9]), (&[1.3, 0.6]), (&[]);

    fn steps(x: &[f64], n: usize) -> f64 {
        x.iter().step_by(n).map(|v| v.exp()).sum()
    }
    at (&[1.3, 0.6, -0.4, 0.9, 0.2], 2), (&[1.3, 0.6, -0.4, 0.9, 0.2], 3), (&[], 2);

    fn steps_behind_a_skip(x: &[f64]) -> f64 {
        x.iter().skip(1).step_by(2).zip(x.iter().step_by(2)).map(|(a, b)| a * b).sum()
    }
    at (&[1.3, 0.6, -0.4, 0.9, 0.2]);

    fn zipped_backwards(x: &[f64], y: &[f64]) -> f64 {
        x.iter().zip(y).rev().fold(0.2, |acc, (a, b)| acc * a + b)
    }
    at (&[1.3, 0.6, -0.4], &[0.5, 2.0]), (&[1.3, 0.6], &[0.5, 2.0, 0.1]);

    fn three_at_once(x: &[f64], y: &[f64], z: &[f64]) -> f64 {
        x.iter().zip(y).zip(z).map(|((a, b), c)| a * b * c).sum()
    }
    at (&[1.3, 0.6, -0.4], &[0.5, 2.0], &[0.4, 0.8, 0.1]);

    fn filtered(x: &[f64], w: f64) -> f64 {
        x.iter().filter(|v| **v > 0.0).map(|v| v * w).sum()
    }
    at (&[1.3, 0.6, -0.4], 0.7);

    fn filtered_by_patterns(x: &[f64]) -> f64 {
        let a: f64 = x.iter().filter(|&&v| v > 0.0).sum();
        let b: f64 = x.iter().filter(|&v| *v < 1.0).map(|v| v * v).sum();
        let c: f64 = x.iter().copied().filter(|v| *v < 1.0).product();
        let d: f64 = x.iter().copied().filter(|&v| v < 1.0).product();
        let e: f64 = x.iter().filter(|v| v > &&0.0).sum();
        a * b + c * d + e
    }
    at (&[1.3, 0.6, -0.4]);

    fn filtered_by_index(x: &[f64]) -> f64 {
        x.iter().enumerate().filter(|(i, _)| i % 2 == 0).map(|(_, v)| v * v).sum()
    }
    at (&[1.3, 0.6, -0.4]);

    fn filtered_by_whole_pairs(x: &[f64]) -> f64 {
        x.iter()
            .enumerate()
            .filter(|p| p.0 != 1 && *p.1 > -1.0)
            .map(|p| p.1 * p.1 * p.0 as f64)
            .sum()
    }
    at (&[1.3, 0.6, -0.4]);

    fn indices_filtered(x: &[f64], n: usize) -> f64 {
        (0..x.len()).filter(|&i| i != n).map(|i| x[i] * x[n]).sum()
    }
    at (&[1.3, 0.6, -0.4], 1);

    fn folded_by_function(x: &[f64]) -> f64 {
        x.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }
    at (&[1.3, 0.6, -0.4]);

    fn mapped_by_function(x: &[f64]) -> f64 {
        x.iter().copied().map(f64::sin).map(f64::exp).sum()
    }
    at (&[1.3, 0.6, -0.4]);

    fn folded_pairs(x: &[f64]) -> f64 {
        let (s, p) = x.iter().fold((0.0, 1.0), |(s, p), v| (s + v * p, p * v));
        s * p
    }
    at (&[1.3, 0.6, -0.4]), (&[]);

    fn folded_in_place(x: &[f64]) -> f64 {
        let sums = x.iter().fold([0.0; 2], |mut sums, v| {
            sums[0] += v;
            sums[1] += v * v;
            sums
        });
        sums[0] * sums[1]
    }
    at (&[1.3, 0.6, -0.4]);

    fn horner(c: &[f64], x: f64) -> f64 {
        c.iter().rev().fold(0.0, |acc, &c| acc * x + c)
    }
    at (&[1.3, 0.6, -0.4], 0.7);

    fn collected(x: &[f64], w: f64) -> Vec<f64> {
        x.iter().map(|v| v * w).collect()
    }
    at (&[1.3, 0.6, -0.4], 0.7), (&[], 0.7);

    fn collected_by_turbofish(x: &[f64], w: f64) -> f64 {
        let y = x.iter().map(|v| (v * w).sin()).collect::<Vec<_>>();
        let z: Vec<f64> = y.iter().rev().map(|v| v * v).collect();
        y[0] * z[0] + z.iter().sum::<f64>()
    }
    at (&[1.3, 0.6, -0.4], 0.7);

    fn for_zipped(x: &[f64], y: &mut [f64], a: f64) {
        for (y, x) in y.iter_mut().zip(x) {
            *y += a * x;
        }
    }
    at (&[1.3, 0.6, -0.4], &mut [0.5, 2.0, 0.7], 0.7), (&[1.3], &mut [0.5, 2.0], 0.7);

    fn for_each_mutated(x: &mut [f64], a: f64) {
        x.iter_mut().for_each(|v| *v = (*v * a).sin());
    }
    at (&mut [0.5, 2.0, 0.7], 0.7);

    fn for_with_exits(x: &[f64], y: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (i, (a, b)) in x.iter().zip(y).enumerate() {
            if i == 1 {
                continue;
            }
            if *a > 2.0 {
                break;
            }
            sum += a * b;
        }
        sum
    }
    at (&[1.3, 0.6, -0.4, 2.5, 1.0], &[0.5, 2.0, 0.7, 0.3, 0.6]);

    fn for_chain_with_exits(x: &[f64], y: &[f64]) -> f64 {
        let mut sum = 0.0;
        for v in x.iter().chain(y) {
            if *v < 0.0 {
                continue;
            }
            if *v > 2.0 {
                break;
            }
            sum += v * v;
        }
        sum
    }
    at (&[1.3, 0.6, -0.4, 1.0], &[0.5, 1.9, -0.7, 2.3, 0.6]), (&[2.3], &[0.5]), (&[], &[0.5]);

    fn for_labelled(x: &[f64], y: &[f64]) -> f64 {
        let mut sum = 0.0;
        'outer: for a in x.iter().filter(|a| **a > 0.0) {
            for b in y.iter().rev() {
                if *b > 2.0 {
                    continue 'outer;
                }
                if *b < 0.0 {
                    break 'outer;
                }
                sum += a * b;
            }
        }
        sum
    }
    at (&[1.3, 0.6, -0.4, 1.0], &[0.5, 2.3, 0.7, 0.6]), (&[1.3, 0.6], &[0.5, -0.7, 0.3]);

    fn windows(x: &[f64]) -> f64 {
        x.windows(2).map(|w| (w[1] - w[0]).powi(2)).sum()
    }
    at (&[1.3, 0.6, -0.4]), (&[1.3]), (&[]);

    fn windows_of_any_length(x: &[f64], k: usize) -> f64 {
        x.windows(k).map(|w| w.iter().product::<f64>()).sum()
    }
    at (&[1.3, 0.6, -0.4, 0.3], 3), (&[1.3, 0.6, -0.4, 0.3], 1);

    fn chunks(x: &[f64], k: usize) -> f64 {
        x.chunks(k).map(|c| c.iter().sum::<f64>().sin()).sum()
    }
    at (&[1.3, 0.6, -0.4, 0.3, 0.8], 2), (&[1.3, 0.6], 3);

    fn exact_chunks(x: &[f64]) -> f64 {
        x.chunks_exact(2).map(|c| c[0] * c[1]).sum()
    }
    at (&[1.3, 0.6, -0.4, 0.3, 0.8]);

    fn chunks_changed(x: &mut [f64], k: usize, w: f64) {
        for (i, row) in x.chunks_mut(k).enumerate() {
            for v in row.iter_mut() {
                *v *= w * i as f64;
            }
            row[0] += w;
        }
    }
    at (&mut [1.3, 0.6, -0.4, 0.3, 0.8], 2, 0.7);

    fn taken_while(x: &[f64]) -> f64 {
        x.iter().take_while(|v| **v > 0.0).map(|v| v * v).sum()
    }
    at (&[1.3, 0.6, -0.4, 0.3]), (&[-1.0]), (&[]);

    fn skipped_while(x: &[f64]) -> f64 {
        x.iter().skip_while(|v| **v > 0.0).map(|v| v * v).sum()
    }
    at (&[1.3, 0.6, -0.4, 0.3]), (&[-1.0]), (&[]);

    fn flat_mapped(x: &[f64], y: &[f64]) -> f64 {
        x.iter().flat_map(|a| y.iter().map(move |b| a * b * b)).sum()
    }
    at (&[1.3, 0.6], &[0.5, 2.0, 0.7]);

    fn filter_mapped(x: &[f64]) -> f64 {
        x.iter().filter_map(|v| if *v > 0.0 { Some(v.sqrt()) } else { None }).sum()
    }
    at (&[1.3, 0.6, -0.4]);

    fn scanned(x: &[f64]) -> f64 {
        x.iter()
            .scan(0.0, |acc, v| {
                *acc += v;
                Some(*acc)
            })
            .map(|s| s * s)
            .sum()
    }
    at (&[1.3, 0.6, -0.4]);

    fn chained(x: &[f64], y: &[f64]) -> f64 {
        x.iter().chain(y.iter().rev()).fold(0.1, |a, v| a * v + v)
    }
    at (&[1.3, 0.6], &[0.5, 2.0, 0.7]);

    fn greatest(x: &[f64]) -> f64 {
        *x.iter().max_by(|a, b| a.total_cmp(b)).unwrap()
    }
    at (&[1.3, 0.6, 1.4, -0.4]);

    fn least(x: &[f64], w: f64) -> f64 {
        x.iter().map(|v| v * w).min_by(|a, b| a.partial_cmp(b).unwrap()).unwrap()
    }
    at (&[1.3, 0.6, 1.4, -0.4], 0.7);

    fn index_of_greatest(x: &[f64], y: &[f64]) -> f64 {
        let (i, v) = x.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).unwrap();
        y[i] * v
    }
    at (&[1.3, 0.6, 1.4, -0.4], &[0.5, 2.0, 0.7, 0.1]);

    fn last_one(x: &[f64]) -> f64 {
        x.iter().map(|v| v * v).last().unwrap() + *x.iter().nth(1).unwrap()
    }
    at (&[1.3, 0.6, -0.4]);

    fn questions(x: &[f64]) -> f64 {
        let n = x.iter().filter(|v| **v > 0.0).count();
        if x.iter().any(|v| *v < 0.0) && !x.iter().all(|&v| v < 1.0) {
            x[n - 1] * n as f64
        } else {
            x[0] * x[0]
        }
    }
    at (&[1.3, 0.6, -0.4]), (&[1.3, 0.6]);

    fn position_of(x: &[f64]) -> f64 {
        let i = x.iter().position(|v| *v < 0.0).unwrap();
        x[i] * x[0]
    }
    at (&[1.3, 0.6, -0.4]);

    fn reduced(x: &[f64]) -> f64 {
        x.iter().copied().reduce(|a, b| a * b + b).unwrap()
    }
    at (&[1.3, 0.6, -0.4]), (&[1.3]);

    fn array_from(x: f64) -> f64 {
        let a: [f64; 3] = std::array::from_fn(|i| x.powi(i as i32));
        a[0] + a[1] * a[2]
    }
    at (0.7);

    fn repeated(x: &[f64], w: f64) -> f64 {
        x.iter().zip(std::iter::repeat(w)).map(|(a, b)| a * b).sum::<f64>()
            + std::iter::repeat(w).take(3).product::<f64>()
    }
    at (&[1.3, 0.6, -0.4], 0.7);

    fn succeeding(x: f64) -> f64 {
        std::iter::successors(Some(x), |v| Some(v.sin() * 1.5)).take(4).sum()
    }
    at (0.7);

    fn unzipped(x: &[f64]) -> f64 {
        let (a, b): (Vec<f64>, Vec<f64>) = x.iter().map(|v| (v.sin(), v * v)).unzip();
        a[0] * b[1]
    }
    at (&[1.3, 0.6, -0.4]);

    fn variance(x: &[f64]) -> f64 {
        let n = x.len() as f64;
        let mean = x.iter().sum::<f64>() / n;
        x.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n
    }
    at (&[1.3, 0.6, -0.4]);

    fn matrix_times_vector(a: &[f64], x: &[f64]) -> Vec<f64> {
        a.chunks(x.len()).map(|row| row.iter().zip(x).map(|(a, b)| a * b).sum()).collect()
    }
    at (&[1.3, 0.6, -0.4, 0.2, 0.9, 1.1], &[0.5, 2.0, 0.7]);

    fn rows_of_vectors(rows: &[Vec<f64>], w: f64) -> f64 {
        rows.iter().map(|row| row.iter().map(|v| v * w).product::<f64>()).sum()
    }
    at (&[vec![1.3, 0.6], vec![0.7], vec![]], 0.7);

    fn rows_of_arrays(rows: [[f64; 2]; 3], x: [f64; 2]) -> f64 {
        rows.iter().map(|row| row.iter().zip(&x).map(|(a, b)| a * b).sum::<f64>().sin()).sum()
    }
    at ([[1.3, 0.6], [0.7, 0.1], [0.4, 0.2]], [0.5, 0.8]);

    fn all_pairs(x: &[f64]) -> f64 {
        x.iter().map(|a| x.iter().map(|b| (a - b).powi(2)).sum::<f64>()).sum()
    }
    at (&[1.3, 0.6, -0.4]);

    fn points(p: &[(f64, f64)]) -> f64 {
        let a: f64 = p.iter().map(|(x, y)| x * y).sum();
        let b: f64 = p.iter().map(|&(x, y)| x + y * y).sum();
        let c: f64 = p.iter().map(|p| p.0 * p.1 * p.1).sum();
        a * b + c
    }
    at (&[(1.3, 0.6), (0.7, 0.1)]);

    fn running_state(x: &[f64]) -> f64 {
        let mut total = 0.5;
        let sum: f64 = x
            .iter()
            .map(|v| {
                total += v;
                v * total
            })
            .sum();
        sum * total
    }
    at (&[1.3, 0.6, -0.4]);

    fn running_state_of_each(x: &[f64], w: f64) -> f64 {
        let mut total = 0.0;
        x.iter().rev().for_each(|v| total = total * w + v);
        total
    }
    at (&[1.3, 0.6, -0.4], 0.7);

    fn effects_of_skipped(x: &[f64]) -> f64 {
        let mut total = 1.0;
        let sum: f64 = x
            .iter()
            .map(|v| {
                total *= v;
                v * v
            })
            .skip(1)
            .step_by(2)
            .sum();
        sum * total
    }
    at (&[1.3, 0.6, -0.4, 0.7, 1.1]);

    fn effects_beside(x: &[f64], y: &[f64]) -> f64 {
        let mut total = 1.0;
        let sum: f64 = y
            .iter()
            .zip(x.iter().map(|v| {
                total *= v;
                v * v
            }))
            .map(|(a, b)| a * b)
            .sum();
        sum * total
    }
    at (&[1.3, 0.6, -0.4, 0.7], &[0.3, 0.9]), (&[1.3, 0.6], &[0.3, 0.9, 0.4]);

    fn in_conditions(x: &mut [f64]) -> f64 {
        let mut steps = 0.0;
        while x.iter().map(|v| v * v).sum::<f64>() > 0.5 {
            x.iter_mut().for_each(|v| *v *= 0.6);
            steps += x[0];
        }
        if x.iter().all(|v| *v < 0.5) { steps * x[1] } else { steps }
    }
    at (&mut [1.3, 0.6, -0.4]);

    fn in_loops(x: &[f64], n: usize) -> f64 {
        let mut y: Vec<f64> = x.to_vec();
        for k in 0..n {
            y = y.iter().zip(x).map(|(a, b)| a * b + k as f64).collect();
        }
        y.iter().sum()
    }
    at (&[1.3, 0.6, -0.4], 3);

    fn in_place_by_index(x: &mut [f64], w: f64) {
        for (i, v) in x.iter_mut().enumerate().skip(1) {
            *v *= w * i as f64;
        }
        x.iter_mut().rev().take(2).for_each(|v| *v += w);
    }
    at (&mut [1.3, 0.6, -0.4, 0.9], 0.7);

    fn in_place_pairs(x: &mut [f64], y: &mut [f64]) {
        x.iter_mut().zip(y.iter_mut()).for_each(|(a, b)| {
            let t = *a;
            *a = *b * 2.0;
            *b = t * t;
        });
    }
    at (&mut [1.3, 0.6, -0.4], &mut [0.2, 0.9]);

    fn neighbours(x: &[f64]) -> f64 {
        x[1..].iter().zip(&x[..x.len() - 1]).map(|(a, b)| (a - b).abs().sqrt()).sum()
    }
    at (&[1.3, 0.6, -0.4]);

    fn numbered_from_one(x: &[f64]) -> f64 {
        let a: f64 = x.iter().zip(1..).map(|(v, k)| v.powi(k)).sum();
        let b: f64 = (0..).zip(x).map(|(k, v)| v * k as f64).sum();
        a * b
    }
    at (&[1.3, 0.6, -0.4]);

    fn single_precision(x: &[f32]) -> f32 {
        x.iter().map(|v| v * 0.5).sum::<f32>()
    }
    at (&[1.3, 0.6, -0.4]), (&[]);

    fn array_consumed(x: [f64; 3]) -> f64 {
        x.into_iter().map(|v| v * v).sum()
    }
    at ([1.3, 0.6, -0.4]);

    fn vector_consumed(x: Vec<f64>) -> Vec<f64> {
        x.into_iter().rev().map(|v| v * v).collect()
    }
    at (vec![1.3, 0.6, -0.4]);

    fn literal_array(x: f64, y: f64) -> f64 {
        [x, y, x * y].iter().map(|v| v.sin()).sum()
    }
    at (1.3, 0.6);

    fn copied_to_a_vector(x: &[f64]) -> f64 {
        let y: Vec<f64> = x.iter().copied().collect();
        let z = x.iter().rev().cloned().collect::<Vec<f64>>();
        y[0] * z[0] * y[1]
    }
    at (&[1.3, 0.6, -0.4]);

    fn nested_patterns(x: &[f64], y: &[f64]) -> f64 {
        let a: f64 = x.iter().enumerate().zip(y).map(|((i, a), b)| a * b * i as f64).sum();
        let b: f64 = x.iter().zip(y).enumerate().map(|(i, (a, b))| a * b * i as f64).product();
        a + b
    }
    at (&[1.3, 0.6, -0.4], &[0.5, 2.0, 0.7]);

    fn flattened(rows: [[f64; 2]; 2]) -> f64 {
        rows.iter().flatten().map(|v| v * v).sum()
    }
    at ([[1.3, 0.6], [0.7, 0.1]]);

    fn flat_mapped_triangle(x: &[f64]) -> f64 {
        (0..x.len())
            .flat_map(|i| (0..i).map(move |j| (i, j)))
            .map(|(i, j)| x[i] * x[j] * x[j])
            .sum()
    }
    at (&[1.3, 0.6, -0.4]);

    fn flat_mapped_with_exits(x: &[f64], y: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (a, b) in x.iter().flat_map(|a| y.iter().map(move |b| (a, b))) {
            if *b < 0.0 {
                continue;
            }
            if *a > 2.0 && *b > 1.0 {
                break;
            }
            sum += a * b * sum + a;
        }
        sum
    }
    at (&[1.3, 2.6, 0.4], &[0.5, -2.0, 1.7]);

    fn once_more(x: &[f64], w: f64) -> f64 {
        x.iter().copied().chain(std::iter::once(w)).fold(1.0, |acc, v| acc * v + v)
    }
    at (&[1.3, 0.6], 0.7);

    fn chain_backwards(x: &[f64], y: &[f64]) -> f64 {
        x.iter().chain(y).rev().filter(|v| **v > 0.0).fold(0.1, |acc, v| acc * v + v)
    }
    at (&[1.3, 0.6, -0.4], &[0.5, 2.0, -0.7]);

    fn chain_numbered(x: &[f64], y: &[f64]) -> f64 {
        x.iter().chain(y).enumerate().skip(1).map(|(i, v)| v * i as f64).sum()
    }
    at (&[1.3, 0.6, -0.4], &[0.5, 2.0]);

    fn filtered_and_taken(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for v in x.iter().filter(|v| **v > 0.0).take(2) {
            if *v > 1.0 {
                continue;
            }
            sum += v * v;
        }
        sum + x.iter().filter(|v| **v > 0.0).skip(1).step_by(2).sum::<f64>()
    }
    at (&[1.3, -0.6, 0.4, 0.9, 0.7]), (&[]);

    fn filtered_and_zipped(x: &[f64], y: &[f64]) -> f64 {
        let a: f64 = x.iter().filter(|v| **v > 0.0).zip(y).map(|(a, b)| a * b).sum();
        let b: f64 = y.iter().zip(x.iter().filter(|v| **v > 0.0)).map(|(a, b)| a * b * b).sum();
        a * b
    }
    at (&[1.3, -0.6, 0.4, 0.9], &[0.5, 2.0]), (&[1.3, -0.6], &[0.5, 2.0, 0.1]), (&[1.3], &[]);

    fn inspected(x: &[f64]) -> f64 {
        x.iter().inspect(|v| assert!(**v > -1.0)).map(|v| v * v).sum()
    }
    at (&[1.3, -0.6]);

    fn mapped_while(x: &[f64]) -> f64 {
        x.iter().map_while(|v| if *v > 0.0 { Some(v.ln()) } else { None }).sum()
    }
    at (&[1.3, 0.6, -0.4, 0.3]);

    fn scanned_until(x: &[f64], limit: f64) -> f64 {
        x.iter()
            .scan(0.0, |acc, v| {
                *acc += v;
                if *acc > limit { None } else { Some(*acc * v) }
            })
            .sum()
    }
    at (&[1.3, 0.6, -0.4, 0.3], 1.5);

    fn greatest_or_default(x: &[f64], w: f64) -> f64 {
        let a = x.iter().copied().max_by(|a, b| a.total_cmp(b)).unwrap_or(w);
        let b = x.iter().map(|v| v * v).reduce(f64::max).unwrap_or(w * w);
        a * b
    }
    at (&[1.3, 0.6, -1.4], 0.7), (&[], 0.7);

    fn greatest_named(x: &[f64]) -> f64 {
        let top = x.iter().max_by(|a, b| a.partial_cmp(b).unwrap()).unwrap();
        let (i, low) = x.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1)).unwrap();
        *top * low * x[i]
    }
    at (&[1.3, 0.6, -1.4]);

    fn greatest_if_any(x: &[f64], w: f64) -> f64 {
        if let Some(top) = x.iter().max_by(|a, b| a.total_cmp(b)) { *top * w } else { w }
    }
    at (&[1.3, 0.6, -1.4], 0.7), (&[], 0.7);

    fn ties(x: &[f64]) -> f64 {
        let keys = [1.0f64, 2.0, 2.0, 1.0];
        let (i, _) = keys.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).unwrap();
        let (j, _) = keys.iter().enumerate().min_by(|a, b| a.1.partial_cmp(b.1).unwrap()).unwrap();
        x[i] * x[j] * x[j]
    }
    at (&[0.3, 0.5, 0.7, 1.1]);

    fn integer_extremes(x: &[f64], n: usize) -> f64 {
        let top = (0..n).map(|i| (i * 7) % 5).max().unwrap();
        let low = (1..n).filter(|i| i % 2 == 0).min().unwrap();
        x[top % x.len()] * x[low % x.len()]
    }
    at (&[1.3, 0.6, -1.4], 5);

    fn found(x: &[f64]) -> f64 {
        let v = x.iter().find(|v| **v < 1.0).unwrap();
        let w = x.iter().copied().find(|&v| v < 0.0).unwrap_or(2.0);
        v * v * w
    }
    at (&[1.3, 0.6, -1.4]), (&[1.3, 0.6]);

    fn extended(x: &[f64], w: f64) -> Vec<f64> {
        let mut v = vec![w];
        v.extend(x.iter().map(|a| a * w));
        v.extend(x);
        v
    }
    at (&[1.3, 0.6], 0.7);

    fn returned_from(x: &[f64], y: &[f64]) -> f64 {
        for (a, b) in x.iter().zip(y) {
            if a > b {
                return a * b;
            }
        }
        x.iter().sum()
    }
    at (&[0.3, 0.6], &[0.5, 0.2]), (&[0.3], &[0.5]);

    fn zipped_ranges(x: &[f64], n: usize) -> f64 {
        let mut sum = 0.0;
        for (i, j) in (0..n).zip((0..n).rev()) {
            sum += x[i] * x[i] * x[j];
        }
        sum
    }
    at (&[1.3, 0.6, -0.4], 3);

    fn zipped_by_function(x: &[f64], y: &[f64]) -> f64 {
        std::iter::zip(x, y).map(|(a, b)| a * b).sum()
    }
    at (&[1.3, 0.6], &[0.5, 0.2]);

    fn calls_inside(x: &[f64], w: f64) -> f64 {
        x.iter().map(|&v| mix(v, w)).sum()
    }
    at (&[1.3, 0.6], 0.7);

    fn parameter_shadows(x: &[f64], y: &[f64]) -> f64 {
        x.iter().map(|x| x * 2.0).zip(y.iter().map(|x| x * x)).map(|(x, y)| x * y).sum::<f64>()
            + x[0] * y[0]
    }
    at (&[1.3, 0.6], &[0.5, 0.2]);

    fn accumulator_shadows(x: &[f64], acc: f64) -> f64 {
        x.iter().map(|v| v * acc).fold(acc, |acc, v| {
            let w = acc * v;
            w + v
        })
    }
    at (&[1.3, 0.6], 0.7);

    fn counted_by_u32(x: f64, n: u32) -> f64 {
        (1..=n).map(|k| x / f64::from(k)).sum()
    }
    at (0.7, 4);

    fn fields(s: &Two, w: f64) -> f64 {
        s.a.iter().zip(&s.b).map(|(a, b)| a * b * w).sum()
    }
    at (&Two { a: vec![1.3, 0.6], b: vec![0.2, 0.9] }, 0.7);

    fn fields_of_elements(s: &[State]) -> f64 {
        s.iter().map(|s| s.level * s.pair.0 + s.slope.iter().sum::<f64>()).sum()
    }
    at (&[state(), state()]);

    fn struct_of_vectors(x: &[f64], w: f64) -> Two {
        Two { a: x.iter().map(|v| v * w).collect(), b: x.iter().rev().copied().collect() }
    }
    at (&[1.3, 0.6], 0.7);

    fn statistics(x: &[f64]) -> (f64, f64) {
        (x.iter().sum(), x.iter().map(|v| v.ln()).sum::<f64>().exp())
    }
    at (&[1.3, 0.6]);

    fn log_sum_exp(x: &[f64]) -> f64 {
        let top = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        top + x.iter().map(|v| (v - top).exp()).sum::<f64>().ln()
    }
    at (&[1.3, 0.6, -0.4]);

    fn softmax(x: &[f64]) -> Vec<f64> {
        let e: Vec<f64> = x.iter().map(|v| v.exp()).collect();
        let sum: f64 = e.iter().sum();
        e.into_iter().map(|v| v / sum).collect()
    }
    at (&[1.3, 0.6, -0.4]);

    fn block_then_minus(x: &[f64], y: f64) -> f64 {
        x.iter().map(|v| x.iter().map(|w| w * v).sum::<f64>() - y).sum::<f64>() - y
    }
    at (&[1.3, 0.6], 0.7);

    fn arms(x: &[f64], k: usize) -> f64 {
        match k {
            0 => x.iter().sum::<f64>() - x[0],
            1 => x.iter().product::<f64>() * 2.0,
            _ => -x.iter().sum::<f64>(),
        }
    }
    at (&[1.3, 0.6], 0), (&[1.3, 0.6], 1), (&[1.3, 0.6], 2);

    fn option_map_inside(x: Option<f64>, y: &[f64]) -> f64 {
        x.map(|v| y.iter().map(|w| w * v).sum::<f64>() - v).unwrap_or(1.0)
    }
    at (Some(1.3), &[0.6, 0.2]), (None, &[0.6, 0.2]);

    fn closure_in_loop(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            let f = |v: f64| v * x[i];
            s += f(s + 1.0) - f(2.0);
        }
        s
    }
    at (&[1.3, 0.6]);

    fn closure_shadowed_by_closure(x: f64) -> f64 {
        let f = |v: f64| v * x;
        let a = f(2.0);
        let f = |v: f64| f(v) + a;
        f(x) - f(1.0)
    }
    at (1.3);

    fn closure_with_early_if(x: f64) -> f64 {
        let clamp = |v: f64| if v > 1.0 { 1.0 + (v - 1.0) * 0.1 } else { v };
        clamp(x) * clamp(0.5 * x)
    }
    at (1.3), (0.4);

    fn names_of_loops(i: f64, x: &[f64]) -> f64 {
        let mut s = 0.0;
        for v in x.iter().map(|i| i * 2.0) {
            s += v * i;
        }
        for (i, v) in x.iter().enumerate() {
            s += *v * i as f64;
        }
        s * i
    }
    at (0.4, &[1.3, 0.6]);

    fn pushed_in_body(x: &[f64]) -> Vec<f64> {
        let mut out = Vec::new();
        x.iter().zip(x.iter().skip(1)).for_each(|(a, b)| {
            if a > b {
                out.push(a * b)
            }
        });
        out
    }
    at (&[1.3, 0.6, 0.2, 0.9]);

    fn jacobi(a: &[Vec<f64>], b: &[f64]) -> Vec<f64> {
        let mut x = vec![0.0; b.len()];
        for _ in 0..3 {
            let next: Vec<f64> = (0..b.len())
                .map(|i| {
                    let s: f64 = (0..b.len()).filter(|&j| j != i).map(|j| a[i][j] * x[j]).sum();
                    (b[i] - s) / a[i][i]
                })
                .collect();
            x = next;
        }
        x
    }
    at (&[vec![4.0, 1.0], vec![1.5, 3.0]], &[1.0, 2.0]);

    fn perceptron(w: &[Vec<f64>], x: &[f64]) -> f64 {
        let hidden: Vec<f64> = w
            .iter()
            .map(|row| row.iter().zip(x.iter()).map(|(w, x)| w * x).sum::<f64>().tanh())
            .collect();
        hidden.iter().map(|h| h * h).sum::<f64>().sqrt()
    }
    at (&[vec![0.3, 0.1], vec![0.5, -0.3]], &[1.0, 2.0]);

    fn nested_vectors(x: &[f64]) -> Vec<Vec<f64>> {
        x.iter().map(|a| x.iter().map(|b| a * b).collect()).collect()
    }
    at (&[1.3, 0.6]);

    fn nested_vectors_typed(x: &[f64]) -> f64 {
        let m: Vec<Vec<f64>> =
            (0..2).map(|i| x.iter().map(|b| b * i as f64).collect::<Vec<f64>>()).collect();
        m[1][0] * m[1][1]
    }
    at (&[1.3, 0.6]);

    fn kalman(z: &[f64], q: f64, r: f64) -> f64 {
        z.iter()
            .fold((0.0, 1.0, 0.0), |(x, p, cost), z| {
                let p = p + q;
                let k = p / (p + r);
                let e = z - x;
                (x + k * e, (1.0 - k) * p, cost + e * e)
            })
            .2
    }
    at (&[1.3, 0.6, 0.2], 0.1, 0.5);

    fn two_chains(x: &[f64], y: &[f64]) -> (Vec<f64>, f64) {
        let a = x.iter().zip(y).map(|(a, b)| a - b).collect::<Vec<_>>();
        let s = a.iter().map(|v| v.abs()).fold(0.0_f64, |a, b| a.max(b));
        (a, s)
    }
    at (&[1.3, 0.6], &[0.2, 0.9]);

    fn rows_mut(x: &mut [Vec<f64>], k: f64) {
        x.iter_mut().for_each(|row| row.iter_mut().for_each(|v| *v *= k));
        for (i, row) in x.iter_mut().enumerate() {
            for (j, v) in row.iter_mut().enumerate() {
                *v += (i * j) as f64 * k;
            }
        }
    }
    at (&mut [vec![1.3, 0.6], vec![0.2]], 0.7);

    fn structs_mut(s: &mut [State], k: f64) {
        s.iter_mut().zip(1..).for_each(|(s, i)| {
            s.level *= k;
            s.pair.0 += s.level * i as f64;
        });
    }
    at (&mut [state(), state()], 0.7);

    fn count_filter(x: &[f64]) -> f64 {
        x.iter().filter(|&&v| v > 0.0).count() as f64 * x[0]
    }
    at (&[1.3, -0.6]);

    fn sum_of_bools(x: &[f64]) -> f64 {
        x.iter().map(|v| if *v > 0.0 { *v } else { -v * 0.5 }).sum()
    }
    at (&[1.3, -0.6]);

    fn by_index_window(x: &[f64]) -> f64 {
        x.windows(3)
            .enumerate()
            .map(|(i, w)| (w[0] - 2.0 * w[1] + w[2]) * i as f64)
            .map(|d| d * d)
            .sum()
    }
    at (&[1.3, -0.6, 0.3, 0.9]);

    fn windows_for(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for w in x.windows(2) {
            s += w[0] * w[1];
        }
        for w in x.windows(2) {
            s += w.len() as f64 * w[1];
        }
        s
    }
    at (&[1.3, -0.6, 0.3, 0.9]);

    fn rev_range_chain(x: &[f64]) -> f64 {
        let n = x.len();
        (0..n - 1).rev().map(|i| x[i] * x[i + 1]).fold(1.0, |a, b| a * 0.5 + b)
    }
    at (&[1.3, -0.6, 0.3, 0.9]);

    fn max_of_function(x: &[f64]) -> f64 {
        x.iter().cloned().map(f64::abs).fold(0.0, f64::max)
    }
    at (&[1.3, -1.6, 0.3, 0.9]);

    fn move_then_assign(x: &[f64], k: f64) -> f64 {
        let mut k = k;
        let s: f64 = x.iter().map(move |v| v * k).sum();
        k *= s;
        k
    }
    at (&[1.3, -1.6], 0.7);

    fn sort_of_dot(x: [f64; 3], y: [f64; 3]) -> f64 {
        x.iter().zip(y.iter()).map(|(a, b)| a * b).sum::<f64>()
            + x.into_iter().zip(y).map(|(a, b)| a - b).product::<f64>()
    }
    at ([1.0, 2.0, 0.5], [0.3, 0.4, 0.2]);

    fn fold_shadowed(x: &[f64]) -> f64 {
        x.iter().fold(1.0, |acc, v| {
            let acc = acc * v;
            acc
        })
    }
    at (&[1.3, -0.6]);

    fn fold_shadowed_then_kept(x: &[f64]) -> f64 {
        x.iter().fold(1.0, |acc, v| {
            if *v > 2.0 {
                let acc = 3.0;
                doubled(acc)
            } else {
                acc * v
            }
        })
    }
    at (&[1.3, -0.6, 2.5, 0.4]);

    fn zipped_closures_share_names(x: &[f64], y: &[f64], w: f64) -> f64 {
        x.iter()
            .map(|v| v * w)
            .zip(y.iter().filter(|w| **w > 0.0).map(|v| {
                let w = v * 2.0;
                w
            }))
            .map(|(v, u)| v * u * w)
            .sum()
    }
    at (&[1.3, -0.6], &[0.5, -0.1, 0.3], 0.7);

    fn maps_zipped(
        a: &BTreeMap<u32, f64>,
        b: &BTreeMap<u32, f64>,
    ) -> f64 {
        a.values().zip(b.values()).map(|(b, a)| b * b * a).sum::<f64>()
            + a.values().product::<f64>()
    }
    at (&BTreeMap::from([(1, 0.3),
        (2, 0.4)]), &BTreeMap::from([(1, 0.5),
        (7, 0.9)]));

    fn captured_named_as_inner(x: &[f64], a: f64) -> f64 {
        let b = a * 2.0;
        x.iter()
            .map(|v| {
                let a = v * b;
                let b = a * a;
                b
            })
            .map(|v| v * a + b)
            .sum()
    }
    at (&[1.3, -0.6], 0.7);

    fn closure_captures_loop_name(x: &[f64]) -> f64 {
        let mut total = 0.0;
        for i in 0..x.len() {
            let scale = |v: f64| v * x[i];
            total += x.iter().enumerate().map(|(i, v)| scale(*v) * i as f64).sum::<f64>();
        }
        total
    }
    at (&[1.3, -0.6, 0.2]);

    fn closure_param_like_capture(x: f64, y: f64) -> f64 {
        let f = |a: f64| a * y;
        let y = 3.0;
        let g = |y: f64| f(y) + f(y * 2.0);
        g(x) * y
    }
    at (1.3, 0.7);

    fn scan_state_hidden(x: &[f64]) -> f64 {
        x.iter()
            .scan(1.0, |s, v| {
                *s *= v;
                let s = *s + 1.0;
                Some(s * s)
            })
            .sum()
    }
    at (&[1.3, -0.6, 0.2]);

    fn partition_by_sign(x: &[f64]) -> f64 {
        let (above, below): (Vec<f64>, Vec<f64>) = x.iter().partition(|x| **x > 0.0);
        above[0] * below[0] * above[1]
    }
    at (&[1.2, -0.4, 0.7]);

    fn partition_by_its_own_parameter(x: &[f64]) -> f64 {
        let (above, below) = x.iter().map(|x| x * x).partition::<Vec<f64>, _>(|x| *x > 0.5);
        above[0] * below[0]
    }
    at (&[1.2, -0.4, 0.7]);

    fn partition_of_vectors(rows: Vec<Vec<f64>>) -> f64 {
        let (long, short): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.len() > 1);
        long[0][1] * short[0][0]
    }
    at (vec![vec![1.2, -0.4], vec![0.7]]);

    fn partition_of_positions(x: &[f64]) -> f64 {
        let (above, below): (Vec<usize>, Vec<usize>) = (0..x.len()).partition(|&i| x[i] > 0.0);
        x[above[1]] * x[below[0]]
    }
    at (&[1.2, -0.4, 0.7]);

    fn try_fold_of_an_option(x: &[f64]) -> Option<f64> {
        x.iter().try_fold(1.0, |product, x| if *x > 0.0 { Some(product * x) } else { None })
    }
    at (&[1.2, 0.4, 0.7]), (&[1.2, -0.4, 0.7]);

    fn try_fold_of_a_result(x: &[f64]) -> Result<f64, String> {
        let sum: Result<f64, String> = x.iter().map(|a| a * a).try_fold(0.0, |sum, x| {
            if x > 100.0 {
                return Err(String::from("too much"));
            }
            Ok(sum + x)
        });
        Ok(sum? * 2.0)
    }
    at (&[1.2, 0.4, 0.7]), (&[12.0, 0.4, 0.7]);

    fn try_fold_of_a_pair(x: &[f64]) -> f64 {
        let both = x.iter().try_fold((1.0, 0.0), |(product, sum), x| {
            if *x > 0.0 { Some((product * x, sum + x)) } else { None }
        });
        both.map_or(x[0], |(product, sum)| product * sum)
    }
    at (&[1.2, 0.4, 0.7]), (&[1.2, -0.4, 0.7]);

    fn try_fold_of_a_vector(x: &[f64]) -> Option<f64> {
        let squares = x.iter().try_fold(Vec::new(), |mut squares, x| {
            squares.push(x * x);
            Some(squares)
        })?;
        Some(squares[0] * squares[1])
    }
    at (&[1.2, 0.4, 0.7]);

    fn try_for_each_until(x: &[f64]) -> f64 {
        let mut product = 1.0;
        let all = x.iter().try_for_each(|a| {
            product *= a;
            if *a > 0.0 { Some(()) } else { None }
        });
        if all.is_none() { product * product } else { product }
    }
    at (&[1.2, 0.4, 0.7]), (&[1.2, -0.4, 0.7]);

    fn next_and_the_rest(x: &[f64]) -> f64 {
        let mut it = x.iter();
        let first = it.next().unwrap();
        let mut product = 1.0;
        for a in it {
            product *= a * first;
        }
        product
    }
    at (&[1.2, -0.4, 0.7]), (&[1.2]);

    fn next_in_pairs(x: &[f64]) -> f64 {
        let mut it = x.iter();
        let mut sum = 0.0;
        while let Some(a) = it.next() {
            match it.next() {
                Some(b) => sum += a * b,
                None => sum += a * a,
            }
        }
        sum
    }
    at (&[1.2, -0.4, 0.7]), (&[1.2, 0.4]);

    fn next_that_is_passed_over(x: &[f64], y: &[f64]) -> f64 {
        let mut it = y.iter();
        if x[0] > 0.0 {
            it.next();
        }
        x.iter().zip(it).map(|(a, b)| a * b).sum()
    }
    at (&[1.2, -0.4, 0.7], &[0.3, 0.6]), (&[-1.2, -0.4, 0.7], &[0.3, 0.6]);

    fn next_in_a_closure(x: &[f64], y: &[f64]) -> f64 {
        let mut it = x.iter();
        y.iter().map(|b| b * it.next().copied().unwrap_or(0.5)).sum()
    }
    at (&[1.2, -0.4], &[0.3, 0.6, 0.7]);

    fn next_of_unique_references(x: &mut [f64]) -> f64 {
        let mut it = x.iter_mut();
        let first = it.next().unwrap();
        *first *= 2.0;
        for a in it {
            *a *= *first;
        }
        x[0] * x[1] + x[2]
    }
    at (&mut [1.2, -0.4, 0.7]);

    fn next_of_a_copy(x: &[f64]) -> f64 {
        let mut it = x.to_vec().into_iter();
        let first = it.next().unwrap();
        let rest: f64 = it.clone().sum();
        first * rest * it.product::<f64>()
    }
    at (&[1.2, -0.4, 0.7]);

    fn nth_and_the_rest(x: &[f64]) -> f64 {
        let mut it = x.iter();
        let (second, third) = (*it.nth(1).unwrap(), *it.next().unwrap());
        second * third * it.sum::<f64>()
    }
    at (&[1.2, -0.4, 0.7, 0.9, 1.6]);

    fn peek_at_the_neighbour(x: &[f64]) -> f64 {
        let mut it = x.iter().peekable();
        let mut sum = 0.0;
        while let Some(a) = it.next() {
            if let Some(b) = it.peek() {
                sum += a * **b;
            }
        }
        sum
    }
    at (&[1.2, -0.4, 0.7]), (&[1.2]);

    fn peek_until(x: &[f64]) -> f64 {
        let mut it = x.iter().peekable();
        let mut product = 1.0;
        while let Some(&&a) = it.peek() {
            if a < 0.0 {
                break;
            }
            product *= a;
            it.next();
        }
        product * it.map(|a| a * a).sum::<f64>()
    }
    at (&[1.2, 0.4, -0.7, 0.3]);

    fn sum_of_options(x: &[f64]) -> Option<f64> {
        x.iter().map(|x| if *x > 0.0 { Some(x * x) } else { None }).sum::<Option<f64>>()
    }
    at (&[1.2, 0.4, 0.7]), (&[1.2, -0.4, 0.7]);

    fn collect_results(x: &[f64]) -> Result<f64, String> {
        let squares: Result<Vec<f64>, String> =
            x.iter().map(|x| if *x > 0.0 { Ok(x * x) } else { Err(String::new()) }).collect();
        let squares = squares?;
        Ok(squares[0] * squares[1])
    }
    at (&[1.2, 0.4, 0.7]), (&[1.2, -0.4, 0.7]);

    fn collect_options(x: &[f64]) -> Option<f64> {
        let roots = x.iter().map(|x| (*x > 0.0).then(|| x.sqrt())).collect::<Option<Vec<f64>>>()?;
        Some(roots[0] * roots[1])
    }
    at (&[1.2, 0.4, 0.7]), (&[1.2, -0.4, 0.7]);

    fn kept_behind_a_filter(x: &[f64]) -> f64 {
        let mut large = x.iter().filter(|a| **a > 0.0);
        let first = *large.next().unwrap();
        let mut sum = first;
        for a in large {
            sum += first * a;
        }
        sum
    }
    at (&[-1.3, 0.6, -0.4, 2.0, 0.3]), (&[0.6]);

    fn parts_by_reference(x: &[f64], n: usize) -> f64 {
        let mut all = x.iter();
        let head: f64 = all.by_ref().take(n).map(|a| a * a).sum();
        let next = all.by_ref().take(2).copied().collect::<Vec<f64>>();
        let one = all.next().copied().unwrap_or(0.5);
        head * next.iter().product::<f64>() * one + all.sum::<f64>()
    }
    at (&[1.3, 0.6, -0.4, 2.0, 0.3, 0.9, 1.1], 2), (&[1.3, 0.6, -0.4], 2), (&[1.3, 0.6], usize::MAX), (&[], 0);

    fn by_twos_behind_a_filter(x: &[f64]) -> f64 {
        let mut large = x.iter().copied().filter(|a| *a > 0.0);
        let (mut sum, mut weight) = (0.0, 1.0);
        while let Some(a) = large.next() {
            sum += weight * a * a;
            weight += 1.0;
            if let Some(b) = large.next() {
                sum *= b;
            }
        }
        sum
    }
    at (&[-1.3, 0.6, -0.4, 2.0, 0.3]), (&[0.6, 1.4]), (&[]);

    fn a_filter_that_counts(x: &[f64]) -> f64 {
        let mut asked = 0;
        let mut large = x.iter().filter(|a| {
            asked += 1;
            **a > 0.0
        });
        let first = large.next().copied().unwrap_or(1.5);
        let second = large.next().copied().unwrap_or(first);
        first * second * asked as f64
    }
    at (&[-1.3, 0.6, -0.4, 2.0, 0.3]), (&[0.6, -1.4]), (&[]);

    fn a_filter_by_a_cell(x: &[f64]) -> f64 {
        let limit = std::cell::Cell::new(0.0);
        let mut large = x.iter().filter(|a| **a > limit.get());
        let first = large.next().copied().unwrap_or(1.5);
        limit.set(1.0);
        first * large.map(|a| a * a).sum::<f64>()
    }
    at (&[-1.3, 0.6, 0.4, 2.0, 0.3, 3.0]);

    fn changed_behind_a_filter(x: &mut [f64]) -> f64 {
        let mut large = x.iter_mut().filter(|a| **a > 0.0);
        if let Some(first) = large.next() {
            *first *= 3.0;
        }
        for a in large {
            *a *= *a;
        }
        x.iter().product()
    }
    at (&mut [-1.3, 0.6, 0.4, 2.0]), (&mut [-1.3, 0.6]);

    fn weights_in_turn(x: &[f64], w: &[f64]) -> f64 {
        x.iter().zip(w.iter().cycle()).map(|(x, w)| x * w * w).sum()
    }
    at (&[1.3, 0.6, -0.4], &[0.5, 0.7]), (&[1.3, 0.6], &[]), (&[], &[0.5]);

    fn around_and_around(x: &[f64]) -> f64 {
        let mut product = 1.0;
        for (i, x) in x.iter().cycle().skip(1).enumerate() {
            if i > 4 {
                break;
            }
            product *= x;
        }
        product + x.iter().cycle().take(5).map(|x| x * x).sum::<f64>()
    }
    at (&[1.3, 0.6, -0.4]), (&[]);

    fn first_that_a_closure_makes(x: &[f64]) -> f64 {
        let mut asked = 0.0;
        let square = x.iter().find_map(|a| {
            asked += 1.0;
            if *a > 1.0 { Some(a * a) } else { None }
        });
        square.unwrap_or(0.3) * asked
    }
    at (&[0.7, 1.2, 1.4]), (&[0.7]), (&[]);

    fn by_keys(x: &[f64], keys: &[usize]) -> f64 {
        let greatest = keys.iter().zip(x).max_by_key(|pair| *pair.0).map_or(1.0, |pair| *pair.1);
        let least = (0..keys.len()).min_by_key(|i| keys[*i]).map_or(2.0, |i| x[i] * x[i]);
        greatest * least
    }
    at (&[0.7, 1.2, 1.4, 0.3], &[3, 7, 7, 3]), (&[], &[]);

    fn options_flattened(x: &[f64]) -> f64 {
        let product: f64 = x
            .iter()
            .flat_map(|x| match *x {
                small if small < 0.5 => None,
                large => {
                    let square = large * large;
                    Some(square.sin())
                }
            })
            .product();
        let several: f64 = x.iter().flat_map(|a| [*a, a * a]).sum();
        product * several + x.iter().flat_map(|x| if *x > 1.0 { Some(x * x) } else { None }).sum::<f64>()
    }
    at (&[0.7, 0.2, 1.4]), (&[0.2]), (&[]);
}
