//! Maximum likelihood of a million observations, by threads.
//!
//! ```text
//! cargo run --release --example threads
//! ```
//!
//! Whether something happened is explained by eight numbers, in a logistic regression whose data are drawn with known
//! coefficients. The likelihood is a chain of a parallel iterator; its gradient and its Hessian run by threads like it. Newton's method
//! finds the coefficients, and the Hessian their standard errors. Printed are both beside what the data were drawn with, and what value
//! and gradient take with one thread and with all, also of the same chain without threads.
//!
//! The exit status is failure unless the gradient is zero at the end, the coefficients are within four standard errors of those that
//! the data were drawn with, and gradients are the same, within rounding, however many threads there are.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use cotangent::{differentiate, linalg};
use rayon::prelude::*;

const OBSERVATIONS: usize = 1_000_000;
/// With which the data are drawn. The first is that of a constant.
const COEFFICIENTS: [f64; 8] = [-0.5, 1.0, -0.8, 0.3, 0.0, 0.6, -0.2, 0.1];
const COUNT: usize = COEFFICIENTS.len();

/// Minus the logarithm of the likelihood, for each observation. Each row of `x` explains an entry of `y`, which is zero or one.
#[differentiate(constant(x, y))]
#[differentiate]
fn loss(b: &[f64; COUNT], x: &[[f64; COUNT]], y: &[f64]) -> f64 {
    let sum: f64 = x.par_iter().zip(y).map(|(x, y)| surprise(b, x, *y)).sum();
    sum / x.len() as f64
}

/// The same by one thread, without any preparation for more.
#[differentiate(constant(x, y))]
fn loss_of_one(b: &[f64; COUNT], x: &[[f64; COUNT]], y: &[f64]) -> f64 {
    let sum: f64 = x.iter().zip(y).map(|(x, y)| surprise(b, x, *y)).sum();
    sum / x.len() as f64
}

/// Minus the logarithm of an observation's probability.
#[differentiate(constant(x, y))]
#[differentiate]
fn surprise(b: &[f64; COUNT], x: &[f64; COUNT], y: f64) -> f64 {
    let mut score = 0.0;
    for i in 0..COUNT {
        score += b[i] * x[i];
    }
    // ln(1 + exp(score)) without overflow, and in two branches that are smooth where they meet: `abs` is not.
    let softplus = if score > 0.0 { score + (-score).exp().ln_1p() } else { score.exp().ln_1p() };
    softplus - y * score
}

/// What the regression explains, and by what.
struct Data {
    x: Vec<[f64; COUNT]>,
    y: Vec<f64>,
}

/// Data as the model has them. The numbers are those of a generator of 64 bits by Vigna's SplitMix.
fn draw(count: usize) -> Data {
    let mut state = 7_u64;
    let mut uniform = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut data = Data { x: Vec::with_capacity(count), y: Vec::with_capacity(count) };
    for _ in 0..count {
        let row: [f64; COUNT] =
            std::array::from_fn(|i| if i == 0 { 1.0 } else { 4.0 * uniform() - 2.0 });
        let score = linalg::dot(&row, &COEFFICIENTS);
        data.y.push(if uniform() < 1.0 / (1.0 + (-score).exp()) { 1.0 } else { 0.0 });
        data.x.push(row);
    }
    data
}

/// Where the loss is least, how long the gradient is there, and the standard errors.
struct Fit {
    coefficients: [f64; COUNT],
    slope: f64,
    errors: [f64; COUNT],
    steps: usize,
}

/// Newton's method from zero: the loss is convex.
fn fit(data: &Data) -> Fit {
    let mut b = [0.0; COUNT];
    for steps in 0.. {
        let (_, gradient, hessian) = loss::value_gradient_and_hessian(&b, &data.x, &data.y);
        let slope = linalg::norm2(&gradient);
        if slope < 1e-12 || steps == 20 {
            let unit = |i: usize| std::array::from_fn::<f64, COUNT, _>(|j| f64::from(i == j));
            let errors = std::array::from_fn(|i| {
                let column =
                    linalg::lu_solve(hessian.as_slice(), &unit(i), COUNT).expect("a minimum");
                (column[i] / data.y.len() as f64).sqrt()
            });
            return Fit { coefficients: b, slope, errors, steps };
        }
        let step = linalg::lu_solve(hessian.as_slice(), &gradient, COUNT).expect("a convex loss");
        b.iter_mut().zip(step).for_each(|(b, step)| *b -= step);
    }
    unreachable!("the last step returns")
}

/// The largest difference of the gradients by so many threads, and that of the chain without them.
fn difference(data: &Data, threads: usize) -> f64 {
    let b = COEFFICIENTS.map(|b| 0.5 * b);
    let by_threads = in_pool(threads, || loss::gradient(&b, &data.x, &data.y));
    let by_one = loss_of_one::gradient(&b, &data.x, &data.y);
    by_threads.iter().zip(by_one).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn in_pool<R: Send>(threads: usize, run: impl FnOnce() -> R + Send) -> R {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("a pool of threads").install(run)
}

/// The least of some runs.
fn time<R>(mut run: impl FnMut() -> R) -> Duration {
    let once = |_| {
        let start = Instant::now();
        std::hint::black_box(run());
        start.elapsed()
    };
    (0..7).map(once).min().expect("some runs")
}

fn milliseconds(duration: Duration) -> f64 {
    1e3 * duration.as_secs_f64()
}

fn print_times(data: &Data) {
    let (b, Data { x, y }) = (COEFFICIENTS.map(|b| 0.5 * b), data);
    println!("{:28}{:>10}{:>12}{:>9}", "", "value", "gradient", "ratio");
    let line = |name: &str, value: Duration, gradient: Duration| {
        let (value, gradient) = (milliseconds(value), milliseconds(gradient));
        println!("{name:28}{value:7.1} ms{gradient:9.1} ms{:9.2}", gradient / value);
    };
    let value = time(|| loss_of_one(&b, x, y));
    line("a chain without threads", value, time(|| loss_of_one::gradient(&b, x, y)));
    for threads in [1, rayon::current_num_threads()] {
        let times =
            in_pool(threads, || (time(|| loss(&b, x, y)), time(|| loss::gradient(&b, x, y))));
        line(&format!("a parallel one, {threads} threads"), times.0, times.1);
    }
}

fn main() -> ExitCode {
    let data = draw(OBSERVATIONS);
    print_times(&data);
    let fit = fit(&data);
    println!("\nNewton's method: {} steps to a gradient of {:.1e}", fit.steps, fit.slope);
    println!("{:>12}{:>12}{:>16}", "drawn with", "found", "standard error");
    for ((drawn, found), error) in COEFFICIENTS.iter().zip(fit.coefficients).zip(fit.errors) {
        println!("{drawn:12.4}{found:12.4}{error:16.4}");
    }
    let largest =
        [1, 2, 3].map(|threads| difference(&data, threads)).into_iter().fold(0.0, f64::max);
    println!("\nGradients by one, two and three threads differ by {largest:.1e} at most.");
    match is_right(&fit) && largest < 1e-12 {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

fn is_right(fit: &Fit) -> bool {
    let is_near = |i: usize| (fit.coefficients[i] - COEFFICIENTS[i]).abs() < 4.0 * fit.errors[i];
    fit.slope < 1e-12 && (0..COUNT).all(is_near)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coefficients_are_found() {
        let data = draw(20_000);
        assert!(is_right(&fit(&data)));
        for threads in [1, 2, 3, 8] {
            assert!(difference(&data, threads) < 1e-13);
        }
    }

    #[test]
    fn derivatives_are_right() {
        let Data { x, y } = draw(50);
        cotangent::check!(loss(&[0.1, 0.2, -0.3, 0.4, 0.5, -0.6, 0.7, 0.8], &x, &y), rounded)
            .unwrap();
    }
}
