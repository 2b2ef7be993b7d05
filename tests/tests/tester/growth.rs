//! Derivatives allocate, as their functions grow, in proportion: what a call is given by reference or moves through is not
//! copied for each call.

use super::counter::bytes;
use cotangent::{Differentiable, differentiate};

#[derive(Clone, Differentiable)]
struct Bar {
    stiffness: f64,
    from: usize,
    to: usize,
}

#[derive(Clone, Differentiable)]
struct Truss {
    bars: Vec<Bar>,
    nodes: Vec<f64>,
}

#[differentiate]
impl Bar {
    fn energy(&self, nodes: &[f64]) -> f64 {
        let stretch = nodes[self.to] - nodes[self.from];
        0.5 * self.stiffness * stretch * stretch
    }

    fn among(&self, bars: &[Bar], i: usize) -> f64 {
        self.stiffness * bars[i].stiffness
    }
}

#[differentiate]
fn energy(truss: &Truss) -> f64 {
    let mut sum = 0.0;
    for i in 0..truss.bars.len() {
        sum += truss.bars[i].energy(&truss.nodes) + truss.bars[i].among(&truss.bars, i / 2);
    }
    sum
}

#[differentiate]
fn add(a: &mut [f64], b: &[f64], i: usize) {
    a[i] += b[i] * b[i];
}

#[derive(Clone, Differentiable)]
struct State {
    path: Vec<f64>,
    speed: Vec<f64>,
    time: f64,
}

fn state(n: usize) -> State {
    State { path: vec![0.5; n], speed: vec![0.25; n], time: 0.0 }
}

#[differentiate]
fn flow(state: &mut State) -> f64 {
    for i in 0..state.path.len() {
        add(&mut state.path, &state.speed, i);
    }
    state.path[0] * state.path[1]
}

#[differentiate]
fn step(mut state: State, i: usize, dt: f64) -> State {
    state.time += dt;
    state.path[i] = state.time * state.time;
    state
}

#[differentiate]
fn run(state: State, dt: f64) -> f64 {
    let mut state = state;
    for i in 0..state.path.len() {
        state = step(state, i, dt);
    }
    state.path.iter().sum()
}

#[differentiate]
fn swapped(x: &[f64], k: f64) -> f64 {
    let (mut a, mut b) = (x.to_vec(), x.to_vec());
    for i in 0..x.len() {
        a[i] = b[i] * k;
        (a, b) = (b, a);
    }
    a[0] * b[0]
}

/// Asserts that four times the size takes no more than some four times the bytes.
fn assert_linear(name: &str, run: impl Fn(usize)) {
    let [small, large] = [250, 1000].map(|n| {
        let before = bytes();
        run(n);
        bytes() - before
    });
    assert!(large <= 5 * small, "{name}: {small} bytes at 250, {large} at 1000");
}

fn truss(n: usize) -> Truss {
    let bar = |i| Bar { stiffness: 0.5, from: i, to: i + 1 };
    Truss { bars: (0..n).map(bar).collect(), nodes: vec![0.25; n + 1] }
}

#[test]
fn fields_of_one_struct() {
    assert_linear("energy::gradient", |n| drop(energy::gradient(&truss(n))));
    assert_linear("flow::gradient", |n| drop(flow::gradient(&mut state(n))));
    let tangent = |n| state(n).zero_tangent();
    assert_linear("flow::jvp", |n| _ = flow::jvp(&mut state(n), &mut tangent(n)));
}

#[test]
fn states_by_value() {
    let tangent = |n| state(n).zero_tangent();
    assert_linear("run::gradient", |n| drop(run::gradient(state(n), 0.5)));
    assert_linear("run::jvp", |n| _ = run::jvp(state(n), tangent(n), 0.5, 1.0));
    assert_linear("swapped::gradient", |n| drop(swapped::gradient(&vec![0.5; n], 0.5)));
    let x = |n| vec![0.5; n];
    assert_linear("swapped::jvp", |n| _ = swapped::jvp(&x(n), &x(n), 0.5, 1.0));
}
