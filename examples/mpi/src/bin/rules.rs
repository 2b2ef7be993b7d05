//! The rules of messages, on as many processes as run this.
//!
//! Differentiated functions that send what they compute are held against differences, which all processes take at once, and
//! against the identity of adjoints, whose two sides are sums over all processes. Processes hold different numbers.

use cotangent::differentiate;
use cotangent::mpi::{broadcast, gather, scatter, sum, sums};
use mpi::topology::SimpleCommunicator;
use mpi::traits::*;

/// The last process, so that roots differ from zero where there are several.
fn last(world: &SimpleCommunicator) -> i32 {
    world.size() - 1
}

#[differentiate(constant(world))]
#[differentiate]
fn by_sum(world: &SimpleCommunicator, x: &[f64], root: i32) -> Vec<f64> {
    let total = sum(world, x[0] * x[1] + root as f64);
    vec![total * x[2], total.sin()]
}

#[differentiate(constant(world))]
#[differentiate]
fn by_sums(world: &SimpleCommunicator, x: &[f64], root: i32) -> Vec<f64> {
    let squares: Vec<f64> = x.iter().map(|x| x * x * (1 + root) as f64).collect();
    let all = sums(world, &squares);
    vec![all[0] * x[1], all[1] * all[2]]
}

#[differentiate(constant(world))]
#[differentiate]
fn by_broadcast(world: &SimpleCommunicator, x: &[f64], root: i32) -> Vec<f64> {
    let theirs = broadcast(world, root, x);
    vec![theirs[0] * x[0], theirs[1].exp() * x[2], theirs[2]]
}

#[differentiate(constant(world))]
#[differentiate]
fn by_gather(world: &SimpleCommunicator, x: &[f64], root: i32) -> Vec<f64> {
    let all = gather(world, root, &[x[0] * x[1], x[2]]);
    let mut product = x[0];
    for value in &all {
        product *= value;
    }
    vec![product, x[1]]
}

#[differentiate(constant(world))]
#[differentiate]
fn by_scatter(world: &SimpleCommunicator, x: &[f64], root: i32) -> Vec<f64> {
    let own = scatter(world, root, x, 2);
    vec![own[0] * own[1], own[0].sin() * x[0]]
}

type Value = fn(&SimpleCommunicator, &[f64], i32) -> Vec<f64>;
type Jvp = fn(&SimpleCommunicator, &[f64], &[f64], i32) -> (Vec<f64>, Vec<f64>);

/// Numbers that differ from process to process.
fn numbers(world: &SimpleCommunicator, count: usize, phase: f64) -> Vec<f64> {
    let rank = f64::from(world.rank());
    (0..count).map(|i| 0.8 + 0.5 * (phase + 1.7 * i as f64 + 0.9 * rank).sin()).collect()
}

fn along(x: &[f64], x_dot: &[f64], step: f64) -> Vec<f64> {
    x.iter().zip(x_dot).map(|(x, dot)| x + step * dot).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn assert_close(what: &str, a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance * (1.0 + b.abs()), "{what}: {a} and {b}");
}

/// The tangent is the difference along it, and that of the value as the function has it.
fn check_forward(world: &SimpleCommunicator, name: &str, value: Value, jvp: Jvp, len: usize) {
    let (x, x_dot) = (numbers(world, len, 0.3), numbers(world, len, 1.1));
    let (made, made_dot) = jvp(world, &x, &x_dot, last(world));
    assert_eq!(made, value(world, &x, last(world)), "{name}");
    let step = 1e-5;
    let [more, less] =
        [step, -step].map(|step| value(world, &along(&x, &x_dot, step), last(world)));
    for i in 0..made.len() {
        let difference = (more[i] - less[i]) / (2.0 * step);
        assert_close(name, made_dot[i], difference, 1e-8);
    }
}

macro_rules! check {
    ($world:expr, $($function:ident: $len:expr),*) => {$({
        let (world, name) = ($world, stringify!($function));
        check_forward(world, name, $function, $function::jvp, $len);

        // ⟨y_bar, J x_dot⟩ = ⟨Jᵀ y_bar, x_dot⟩, both summed over all processes, and shadows are added to.
        let (x, x_dot) = (numbers(world, $len, 0.3), numbers(world, $len, 1.1));
        let (_, y_dot) = $function::jvp(world, &x, &x_dot, last(world));
        let (y, pullback) = $function::vjp(world, &x, last(world));
        let y_bar = numbers(world, y.len(), 2.2);
        let mut x_bar = vec![1.0; x.len()];
        pullback(world, &x, &mut x_bar, y_bar.clone());
        let added: Vec<f64> = x_bar.iter().map(|x_bar| x_bar - 1.0).collect();
        assert_close(name, sum(world, dot(&y_bar, &y_dot)), sum(world, dot(&added, &x_dot)), 1e-12);
    })*};
}

/// A Hessian times a vector is the difference of gradients. Each process returns a number, and their sum is differentiated.
#[differentiate(constant(world))]
#[differentiate]
fn energy(world: &SimpleCommunicator, x: &[f64]) -> f64 {
    let theirs = broadcast(world, 0, x);
    let total = sum(world, theirs[0] * x[1]);
    total * total * x[2] + sums(world, x)[1].sin()
}

fn check_second(world: &SimpleCommunicator) {
    let (x, x_dot) = (numbers(world, 3, 0.3), numbers(world, 3, 1.1));
    let product = energy::hvp(world, &x, &x_dot);
    let step = 1e-5;
    let [more, less] = [step, -step].map(|step| energy::gradient(world, &along(&x, &x_dot, step)));
    for i in 0..3 {
        assert_close("energy", product[i], (more[i] - less[i]) / (2.0 * step), 1e-7);
    }
}

fn main() {
    let universe = mpi::initialize().expect("MPI");
    let world = universe.world();
    let len = 2 * world.size() as usize;
    check!(&world, by_sum: 3, by_sums: 3, by_broadcast: 3, by_gather: 3, by_scatter: len);
    check_second(&world);
    if world.rank() == 0 {
        println!("The rules hold on {} processes.", world.size());
    }
}
