//! `#[derive(Differentiable)]`: the tangent types that it makes, and the impls of both traits.

mod checked;
mod constructors;
mod copies;
mod definition;
mod enums;
mod generics;
mod second;
mod structs;
mod vectors;

use cotangent::{Differentiable, Leaf, Tangent};

/// The leaves of a value.
fn leaves(value: &impl Differentiable) -> Vec<String> {
    let mut leaves = vec![];
    value.visit(&mut |leaf: Leaf<'_>| leaves.push(format!("{leaf:?}")));
    leaves
}

/// The floats among the leaves of a value.
fn floats_of_value(value: &impl Differentiable) -> Vec<f64> {
    let mut floats = vec![];
    value.visit(&mut |leaf: Leaf<'_>| floats.extend(leaf.float()));
    floats
}

/// The floats of a tangent.
fn floats(tangent: &impl Tangent) -> Vec<f64> {
    let mut floats = vec![];
    tangent.visit(&mut |leaf: Leaf<'_>| floats.extend(leaf.float()));
    floats
}

/// A tangent of the value with the floats 1, 2, 3, … in the order of `visit_mut`.
fn numbered<T: Differentiable>(value: &T) -> T::Tangent {
    let (mut tangent, mut number) = (value.zero_tangent(), 0.0);
    tangent.visit_mut(&mut |float| {
        number += 1.0;
        *float = number;
    });
    tangent
}

/// Moves a value along [`numbered`] and expects every float to move by its own number: the order of
/// floats is one in `perturb`, in both `visit`s and in `visit_mut`.
#[track_caller]
fn assert_one_order<T: Differentiable + Clone>(value: &T) {
    let (mut moved, direction) = (value.clone(), numbered(value));
    moved.perturb(&direction, 0.5);
    let steps: Vec<f64> = floats_of_value(&moved)
        .into_iter()
        .zip(floats_of_value(value))
        .map(|(after, before)| (after - before) / 0.5)
        .collect();
    let numbers: Vec<f64> = (1..=floats_of_value(value).len()).map(|n| n as f64).collect();
    assert_eq!(floats(&direction), numbers);
    assert_eq!(steps, numbers);
}
