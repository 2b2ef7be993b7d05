//! Gradients by the rules of `cotangent::linalg`, beside those of the same functions as loops.
//!
//! ```text
//! cargo bench --bench library
//! cargo bench --bench library -- cholesky
//! ```

mod settings;

use std::hint::black_box;

use criterion::Criterion;

use cotangent::{differentiate, linalg};
use cotangent_examples::inputs::sequence;
use cotangent_examples::ratios;

#[differentiate]
fn dot_by_rule(x: &[f64], y: &[f64]) -> f64 {
    linalg::dot(x, y)
}

#[differentiate]
fn dot_by_loop(x: &[f64], y: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i] * y[i];
    }
    sum
}

/// The sum of a product's entries, with weights.
#[differentiate(constant(w))]
fn product_by_rule(a: &[f64], b: &[f64], w: &[f64], n: usize) -> f64 {
    linalg::dot(&linalg::matmul(a, b, n, n, n), w)
}

#[differentiate(constant(w))]
fn product_by_loop(a: &[f64], b: &[f64], w: &[f64], n: usize) -> f64 {
    let mut c = vec![0.0; n * n];
    for i in 0..n {
        for p in 0..n {
            for j in 0..n {
                c[i * n + j] += a[i * n + p] * b[p * n + j];
            }
        }
    }
    let mut sum = 0.0;
    for i in 0..c.len() {
        sum += c[i] * w[i];
    }
    sum
}

#[differentiate]
fn log_determinant_by_rule(a: &[f64], n: usize) -> f64 {
    let l = linalg::cholesky(a, n).unwrap();
    let mut sum = 0.0;
    for i in 0..n {
        sum += 2.0 * l[i * n + i].ln();
    }
    sum
}

#[differentiate]
fn log_determinant_by_loop(a: &[f64], n: usize) -> f64 {
    let mut l = vec![0.0; n * n];
    let mut log_determinant = 0.0;
    for i in 0..n {
        for j in 0..=i {
            let mut sum = a[i * n + j];
            for p in 0..j {
                sum -= l[i * n + p] * l[j * n + p];
            }
            if i == j {
                l[i * n + i] = sum.sqrt();
                log_determinant += sum.ln();
            } else {
                l[i * n + j] = sum / l[j * n + j];
            }
        }
    }
    log_determinant
}

fn main() {
    let mut criterion = settings::criterion();
    dots(&mut criterion);
    // A run that only tests need not take long.
    let sizes: &[usize] = if ratios::is_measured() { &[16, 64, 200] } else { &[16] };
    sizes.iter().for_each(|n| products(&mut criterion, *n));
    sizes.iter().for_each(|n| factorisations(&mut criterion, *n));
    criterion.final_summary();
}

/// One group: the function and its gradient, by rule and by loop. A run is given a shadow to add to.
fn bench(criterion: &mut Criterion, name: &str, length: usize, runs: [(&str, Run); 4]) {
    let mut group = criterion.benchmark_group(name);
    let mut shadow = vec![0.0; length];
    for (label, run) in runs {
        group.bench_function(label, |bencher| bencher.iter(|| run(black_box(&mut shadow))));
    }
    group.finish();
}

type Run<'a> = &'a dyn Fn(&mut [f64]) -> f64;

fn dots(criterion: &mut Criterion) {
    let (x, y) = (sequence(1000, -1.0..1.0), sequence(1000, -1.0..2.0));
    let runs: [(&str, Run); 4] = [
        ("loop", &|_| dot_by_loop(black_box(&x), black_box(&y))),
        ("rule", &|_| dot_by_rule(black_box(&x), black_box(&y))),
        ("gradient of loop", &|shadow| {
            let (x_bar, y_bar) = shadow.split_at_mut(x.len());
            dot_by_loop::accumulate_gradient(black_box(&x), x_bar, black_box(&y), y_bar).0
        }),
        ("gradient by rule", &|shadow| {
            let (x_bar, y_bar) = shadow.split_at_mut(x.len());
            dot_by_rule::accumulate_gradient(black_box(&x), x_bar, black_box(&y), y_bar).0
        }),
    ];
    bench(criterion, "dot 1000", 2000, runs);
}

fn products(criterion: &mut Criterion, n: usize) {
    let (a, b) = (sequence(n * n, -1.0..1.0), sequence(n * n, -1.0..2.0));
    let w = sequence(n * n, -2.0..1.0);
    let runs: [(&str, Run); 4] = [
        ("loop", &|_| product_by_loop(black_box(&a), black_box(&b), &w, n)),
        ("rule", &|_| product_by_rule(black_box(&a), black_box(&b), &w, n)),
        ("gradient of loop", &|shadow| {
            let (a_bar, b_bar) = shadow.split_at_mut(n * n);
            product_by_loop::accumulate_gradient(black_box(&a), a_bar, black_box(&b), b_bar, &w, n)
                .0
        }),
        ("gradient by rule", &|shadow| {
            let (a_bar, b_bar) = shadow.split_at_mut(n * n);
            product_by_rule::accumulate_gradient(black_box(&a), a_bar, black_box(&b), b_bar, &w, n)
                .0
        }),
    ];
    bench(criterion, &format!("matmul {n}"), 2 * n * n, runs);
}

fn factorisations(criterion: &mut Criterion, n: usize) {
    let mut a = sequence(n * n, -1.0..1.0);
    (0..n).for_each(|i| a[i * n + i] += n as f64);
    let runs: [(&str, Run); 4] = [
        ("loop", &|_| log_determinant_by_loop(black_box(&a), n)),
        ("rule", &|_| log_determinant_by_rule(black_box(&a), n)),
        ("gradient of loop", &|a_bar| {
            log_determinant_by_loop::accumulate_gradient(black_box(&a), a_bar, n).0
        }),
        ("gradient by rule", &|a_bar| {
            log_determinant_by_rule::accumulate_gradient(black_box(&a), a_bar, n).0
        }),
    ];
    bench(criterion, &format!("cholesky {n}"), n * n, runs);
}
