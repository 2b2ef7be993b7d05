//! The vector methods of tangents and parameters, beside loops over slices.
//!
//! ```text
//! cargo bench --bench parameters
//! cargo bench --bench parameters -- network
//! ```
//!
//! Each kind of parameters has as many floats in a slice beside it. A method and the loop are a Criterion group of two.
//! After the groups the two are timed again in turns, and a table of their ratios is printed.

mod settings;

use std::hint::black_box;

use cotangent::{Differentiable, Matrix, Tangent};
use cotangent_examples::inputs::sequence;
use cotangent_examples::ratios;
use criterion::Criterion;

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Layer {
    weights: Vec<f64>,
    biases: Vec<f64>,
}

/// Structs of structs of vectors.
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Network {
    layers: Vec<Layer>,
    temperature: f64,
}

/// A struct whose floats lie between those of others of its kind.
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Particle {
    place: [f64; 4],
    velocity: [f64; 4],
}

fn network() -> Network {
    let layer = |ends: &[usize]| Layer {
        weights: vec![0.0; ends[0] * ends[1]],
        biases: vec![0.0; ends[1]],
    };
    Network { layers: [64, 128, 64, 10].windows(2).map(layer).collect(), temperature: 1.0 }
}

/// What is compared: a method, and a loop that does the same to a slice.
struct Comparison<'c> {
    name: String,
    method: Box<dyn FnMut() + 'c>,
    by_loop: Box<dyn FnMut() + 'c>,
}

/// A tangent, another one, and the floats of both in slices.
struct Operands<T> {
    tangents: [T; 2],
    slices: [Vec<f64>; 2],
}

impl<T: Tangent> Operands<T> {
    fn new(zero: T) -> Self {
        let slices = [sequence(zero.dim(), -1.0..1.0), sequence(zero.dim(), 0.5..2.0)];
        let tangents = slices.each_ref().map(|slice| {
            let mut tangent = zero.clone();
            tangent.read_from(slice);
            tangent
        });
        Operands { tangents, slices }
    }

    /// Compares one method.
    fn compare<'c>(
        self,
        name: String,
        method: impl Fn(&mut T, &T) + 'c,
        by_loop: impl Fn(&mut [f64], &[f64]) + 'c,
    ) -> Comparison<'c>
    where
        T: 'c,
    {
        let ([mut tangent, other], [mut slice, others]) = (self.tangents, self.slices);
        Comparison {
            name,
            method: Box::new(move || method(black_box(&mut tangent), black_box(&other))),
            by_loop: Box::new(move || by_loop(black_box(&mut slice), black_box(&others))),
        }
    }
}

/// The methods, each beside its loop.
fn comparisons<T: Tangent + 'static>(kind: &str, zero: &T) -> Vec<Comparison<'static>> {
    let operands = || Operands::new(zero.clone());
    let name = |method: &str| format!("{kind}: {method}");
    vec![
        operands().compare(
            name("dot"),
            |a, b| _ = black_box(a.dot(b)),
            |a, b| _ = black_box(a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>()),
        ),
        operands().compare(
            name("norm"),
            |a, _| _ = black_box(a.norm()),
            |a, _| _ = black_box(a.iter().map(|a| a * a).sum::<f64>().sqrt()),
        ),
        operands().compare(
            name("scale"),
            |a, _| a.scale(black_box(-1.0)),
            |a, _| {
                let factor = black_box(-1.0);
                a.iter_mut().for_each(|a| *a *= factor);
            },
        ),
        operands().compare(
            name("axpy"),
            |a, b| a.axpy(black_box(1e-9), b),
            |a, b| {
                let factor = black_box(1e-9);
                a.iter_mut().zip(b).for_each(|(a, b)| *a += factor * b);
            },
        ),
        operands().compare(
            name("zip_floats"),
            |a, b| a.zip_floats(b, |a, b| 0.9 * a + 0.1 * b * b),
            |a, b| a.iter_mut().zip(b).for_each(|(a, b)| *a = 0.9 * *a + 0.1 * b * b),
        ),
        operands().compare(
            name("perturb"),
            |a, b| a.perturb(b, black_box(1e-9)),
            |a, b| {
                let step = black_box(1e-9);
                a.iter_mut().zip(b).for_each(|(a, b)| *a += step * b);
            },
        ),
    ]
}

fn all() -> Vec<Comparison<'static>> {
    let particles = vec![Particle { place: [0.0; 4], velocity: [0.0; 4] }; 1024];
    let mut all = comparisons("vector", &vec![0.0; 8192]);
    all.extend(comparisons("matrix", &Matrix::<f64>::zeros(128, 64)));
    all.extend(comparisons("network", &network().zero_tangent()));
    all.extend(comparisons("particles", &particles.zero_tangent()));
    all
}

fn main() {
    let mut criterion = settings::criterion();
    all().into_iter().for_each(|comparison| bench(&mut criterion, comparison));
    criterion.final_summary();
    if ratios::is_measured() {
        println!("Medians of interleaved runs:");
        println!("{:<30} {:>12} {:>12}", "", "loop", "method/loop");
        all().into_iter().for_each(print_ratio);
    }
}

fn bench(criterion: &mut Criterion, mut comparison: Comparison<'_>) {
    let mut group = criterion.benchmark_group(comparison.name);
    group.bench_function("method", |bencher| bencher.iter(&mut comparison.method));
    group.bench_function("loop", |bencher| bencher.iter(&mut comparison.by_loop));
    group.finish();
}

fn print_ratio(Comparison { name, mut method, mut by_loop }: Comparison<'_>) {
    let (seconds, ratios) = ratios::to_first(&mut [&mut by_loop, &mut method]);
    println!("{name:<30} {:>9.2} µs {:>12.2}", seconds * 1e6, ratios[1]);
}
