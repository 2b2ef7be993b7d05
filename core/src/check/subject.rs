//! The function under test without its types, so that the tester is compiled once and not for every
//! function.
//!
//! In come tangents and seeds as lists of floats; out come values as lists of leaves and cotangents
//! as lists of floats. Every run starts from a fresh copy of the point.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::case::Case;
use super::leaves::{Floats, Leaves, leaves, parameter_leaves, read, write};
use super::memory::{self, Memory};
use super::mismatch::Mode;
use super::panics::Stage;
use super::parameter::Role;
use super::place::Whose;
use super::point::Point;
use super::settings::Settings;
use crate::differentiable::Differentiable;
use crate::tangent::Tangent;
use crate::visit::Visitor;

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

/// What the function makes at the point.
pub(super) struct Primal {
    pub state: State,
    pub sizes: Sizes,
    /// Where each parameter is before and after.
    pub memory: [Vec<Memory>; 2],
    pub allocations: usize,
}

/// What a run of `jvp` leaves behind.
pub(super) struct Forward {
    pub state: State,
    pub tangents: Tangents,
    /// The tangents of the parameters beforehand.
    pub given: Floats,
    /// Whether the buffers of each tangent are where they were.
    pub stay: Vec<bool>,
    pub allocations: usize,
}

/// What a run of `jvp_batch` leaves behind.
pub(super) struct Batch {
    pub state: State,
    pub tangents: [Tangents; 2],
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
    /// Whether the buffers of each shadow are where they were.
    pub stay: Vec<bool>,
    /// Of `accumulate` alone; a run of `vjp` is not measured, since the tester allocates in its midst.
    pub allocations: usize,
}

pub(super) trait Subject {
    fn name(&self) -> &str;
    fn parameter_names(&self) -> &[&str];
    fn roles(&self) -> Vec<Role>;
    /// The parameters at the point, and the sizes of their tangents.
    fn start(&self) -> (Vec<Leaves>, Vec<usize>);
    /// Runs the function at the point.
    fn primal(&self) -> Primal;
    /// The same function at a point that is moved.
    fn near(&self, offset: &Floats) -> Box<dyn Subject + '_>;
    /// Runs the function at the point moved by `step` along a direction.
    fn moved(&self, direction: &Floats, step: f64) -> State;
    fn jvp(&self, direction: &Floats) -> Option<Forward>;
    /// Runs `jvp_batch` along two directions.
    fn batch(&self, directions: [&Floats; 2]) -> Option<Batch>;
    fn vjp(&self, seed: &Tangents) -> Option<Reverse>;
    /// Whether there is an `accumulate_gradient`.
    fn accumulates(&self) -> bool;
    fn accumulate(&self, shadows: &Floats) -> Option<Reverse>;
    /// Shows a value, to find the names of its parts.
    fn show(&self, whose: Whose, visitor: &mut dyn Visitor);
    fn settings(&self) -> &Settings;
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

    fn primal(&self) -> Primal {
        let mut point = self.point.copied();
        let before = memory::of_parameters(&point.parameters());
        let (y, allocations) =
            self.settings.count(|| self.run(Stage::Function, || (self.primal)(&mut point)));
        let sizes = Sizes {
            output: output_floats(&y.zero_tangent()).len(),
            parameters: parameter_sizes(&point),
        };
        let memory = [before, memory::of_parameters(&point.parameters())];
        Primal { state: state(&y, &point), sizes, memory, allocations }
    }

    fn near(&self, offset: &Floats) -> Box<dyn Subject + '_> {
        Box::new(self.at(moved(&self.point, offset, 1.0)))
    }

    fn moved(&self, direction: &Floats, step: f64) -> State {
        let mut point = moved(&self.point, direction, step);
        let y = self.run(Stage::Nearby, || (self.primal)(&mut point));
        state(&y, &point)
    }

    fn jvp(&self, direction: &Floats) -> Option<Forward> {
        let jvp = self.jvp.as_ref()?;
        let mut point = self.point.copied();
        let mut slots = slots_with(&point, direction);
        let given = read(&P::slots(&mut slots));
        let before = memory::of_slots(&P::slots(&mut slots));
        let run = || self.run(Stage::Derivative(Mode::Jvp), || jvp(&mut point, &mut slots));
        let ((y, y_dot), allocations) = self.settings.count(run);
        let slots = P::slots(&mut slots);
        Some(Forward {
            state: state(&y, &point),
            tangents: Tangents { output: output_floats(&y_dot), parameters: read(&slots) },
            given,
            stay: memory::stay(&before, &memory::of_slots(&slots)),
            allocations,
        })
    }

    fn batch(&self, directions: [&Floats; 2]) -> Option<Batch> {
        let batch = self.batch.as_ref()?;
        let mut point = self.point.copied();
        let mut slots = directions.map(|direction| slots_with(&point, direction));
        let stage = Stage::Derivative(Mode::Jvp);
        let (y, y_dots) = self.run(stage, || batch(&mut point, &mut slots));
        let mut slots = slots.iter_mut();
        let tangents = y_dots.map(|y_dot| {
            let slots = slots.next().expect("slots for each direction");
            Tangents { output: output_floats(&y_dot), parameters: read(&P::slots(slots)) }
        });
        Some(Batch { state: state(&y, &point), tangents })
    }

    fn vjp(&self, seed: &Tangents) -> Option<Reverse> {
        let vjp = self.vjp.as_ref()?;
        let mut point = self.point.copied();
        let mut slots = point.zero();
        let mut between = None;
        let mut ask = |y: &Y, point: &P, slots: &mut P::Slots| {
            *slots = slots_with(point, &seed.parameters);
            between = Some((state(y, point), memory::of_slots(&P::slots(slots))));
            output_seed(y, &seed.output)
        };
        self.run(Stage::Derivative(Mode::Vjp), || vjp(&mut point, &mut slots, &mut ask));
        let (state, before) = between.expect("the closure of `vjp` asks for its seed");
        Some(reverse(&point, &mut slots, state, &before, 0))
    }

    fn accumulates(&self) -> bool {
        self.accumulate.is_some()
    }

    fn accumulate(&self, shadows: &Floats) -> Option<Reverse> {
        let accumulate = self.accumulate.as_ref()?;
        let mut point = self.point.copied();
        let mut slots = slots_with(&point, shadows);
        let before = memory::of_slots(&P::slots(&mut slots));
        let stage = Stage::Derivative(Mode::AccumulateGradient);
        let run = || self.run(stage, || accumulate(&mut point, &mut slots));
        let (y, allocations) = self.settings.count(run);
        let state = State { output: leaves(&y), parameters: Vec::new() };
        Some(reverse(&point, &mut slots, state, &before, allocations))
    }

    fn show(&self, whose: Whose, visitor: &mut dyn Visitor) {
        let mut point = self.point.copied();
        let runs = !matches!(whose, Whose::Before(_));
        let y = runs.then(|| (self.primal)(&mut point));
        match whose {
            Whose::Before(index) | Whose::After(index) => point.parameters()[index].visit(visitor),
            Whose::Output => y.iter().for_each(|y| y.visit(visitor)),
        }
    }

    fn settings(&self) -> &Settings {
        &self.settings
    }
}

/// What a reverse run has left in the point and in the shadows.
fn reverse<P: Point>(
    point: &P,
    slots: &mut P::Slots,
    state: State,
    before: &[Memory],
    allocations: usize,
) -> Reverse {
    let slots = P::slots(slots);
    Reverse {
        state,
        restored: parameter_leaves(&point.parameters()),
        cotangents: read(&slots),
        stay: memory::stay(before, &memory::of_slots(&slots)),
        allocations,
    }
}

/// A copy of a point, moved.
fn moved<P: Point>(point: &P, direction: &Floats, step: f64) -> P {
    let mut moved = point.copied();
    moved.perturb(&slots_with(point, direction), step);
    moved
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
    crate::visit::floats(|visitor| tangent.visit(visitor))
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
