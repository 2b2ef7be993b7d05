//! The function under test without its types, so that the tester is compiled once and not for every
//! function.
//!
//! In come tangents and seeds as lists of floats; out come values as lists of leaves and cotangents
//! as lists of floats. Every run starts from a fresh copy of the point.

use alloc::vec::Vec;

use super::case::Case;
use super::leaves::{Floats, Leaves, leaves, parameter_leaves, read, write};
use super::parameter::Role;
use super::point::Point;
use crate::differentiable::Differentiable;
use crate::tangent::Tangent;

/// What a run of the function leaves behind.
#[derive(Clone, PartialEq)]
pub(super) struct State {
    /// The value.
    pub output: Leaves,
    /// The parameters.
    pub parameters: Vec<Leaves>,
}

/// How many floats the tangents of a [`State`] have.
pub(super) struct Sizes {
    pub output: usize,
    pub parameters: Vec<usize>,
}

/// The tangents of a [`State`], or its seed.
pub(super) struct Tangents {
    pub output: Vec<f64>,
    pub parameters: Floats,
}

/// What a reverse run leaves behind.
pub(super) struct Reverse {
    /// The state after the forward pass; for `accumulate` the output alone.
    pub state: State,
    /// The parameters in the end.
    pub restored: Vec<Leaves>,
    /// The cotangents of by-value parameters and the shadows of the others.
    pub cotangents: Floats,
}

pub(super) trait Subject {
    fn name(&self) -> &str;
    fn parameter_names(&self) -> &[&str];
    fn roles(&self) -> Vec<Role>;
    /// The parameters at the point, and the sizes of their tangents.
    fn start(&self) -> (Vec<Leaves>, Vec<usize>);
    /// Runs the function at the point.
    fn primal(&self) -> (State, Sizes);
    /// Runs the function at the point moved by `step` along a direction.
    fn moved(&self, direction: &Floats, step: f64) -> State;
    fn jvp(&self, direction: &Floats) -> Option<(State, Tangents)>;
    fn vjp(&self, seed: &Tangents) -> Option<Reverse>;
    fn accumulate(&self, shadows: &Floats) -> Option<Reverse>;
}

impl<P: Point, Y: Differentiable> Subject for Case<'_, P, Y> {
    fn name(&self) -> &str {
        self.name
    }

    fn parameter_names(&self) -> &[&str] {
        self.parameter_names
    }

    fn roles(&self) -> Vec<Role> {
        self.point.parameters().iter().map(|parameter| parameter.role()).collect()
    }

    fn start(&self) -> (Vec<Leaves>, Vec<usize>) {
        (parameter_leaves(&self.point.parameters()), parameter_sizes(&self.point))
    }

    fn primal(&self) -> (State, Sizes) {
        let mut point = self.point.copied();
        let y = (self.primal)(&mut point);
        let sizes = Sizes {
            output: output_floats(&y.zero_tangent()).len(),
            parameters: parameter_sizes(&point),
        };
        (state(&y, &point), sizes)
    }

    fn moved(&self, direction: &Floats, step: f64) -> State {
        let mut point = self.point.copied();
        point.perturb(&slots_with(&self.point, direction), step);
        let y = (self.primal)(&mut point);
        state(&y, &point)
    }

    fn jvp(&self, direction: &Floats) -> Option<(State, Tangents)> {
        let jvp = self.jvp.as_ref()?;
        let mut point = self.point.copied();
        let mut slots = slots_with(&point, direction);
        let (y, y_dot) = jvp(&mut point, &mut slots);
        let tangents =
            Tangents { output: output_floats(&y_dot), parameters: read(&P::slots(&mut slots)) };
        Some((state(&y, &point), tangents))
    }

    fn vjp(&self, seed: &Tangents) -> Option<Reverse> {
        let vjp = self.vjp.as_ref()?;
        let mut point = self.point.copied();
        let mut slots = point.zero();
        let mut forward = None;
        vjp(&mut point, &mut slots, &mut |y, point, slots| {
            forward = Some(state(y, point));
            *slots = slots_with(point, &seed.parameters);
            output_seed(y, &seed.output)
        });
        Some(Reverse {
            state: forward.expect("the closure of `vjp` asks for its seed"),
            restored: parameter_leaves(&point.parameters()),
            cotangents: read(&P::slots(&mut slots)),
        })
    }

    fn accumulate(&self, shadows: &Floats) -> Option<Reverse> {
        let accumulate = self.accumulate.as_ref()?;
        let mut point = self.point.copied();
        let mut slots = slots_with(&point, shadows);
        let y = accumulate(&mut point, &mut slots);
        Some(Reverse {
            state: State { output: leaves(&y), parameters: Vec::new() },
            restored: parameter_leaves(&point.parameters()),
            cotangents: read(&P::slots(&mut slots)),
        })
    }
}

fn state<P: Point>(y: &impl Differentiable, point: &P) -> State {
    State { output: leaves(y), parameters: parameter_leaves(&point.parameters()) }
}

fn slots_with<P: Point>(point: &P, floats: &Floats) -> P::Slots {
    let mut slots = point.zero();
    write(P::slots(&mut slots), floats);
    slots
}

fn parameter_sizes<P: Point>(point: &P) -> Vec<usize> {
    read(&P::slots(&mut point.zero())).iter().map(Vec::len).collect()
}

fn output_floats(tangent: &impl Tangent) -> Vec<f64> {
    let mut floats = Vec::new();
    tangent.visit(&mut |float| floats.push(float));
    floats
}

fn output_seed<Y: Differentiable>(y: &Y, floats: &[f64]) -> Y::Tangent {
    let (mut seed, mut floats) = (y.zero_tangent(), floats.iter());
    seed.visit_mut(&mut |place| {
        if let Some(float) = floats.next() {
            *place = *float;
        }
    });
    seed
}
