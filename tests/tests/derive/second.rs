//! Tangents as values: a tangent type is its own tangent type.

use cotangent::{Differentiable, NoTangent, Tangent};

use super::{assert_one_order, leaves, numbered};

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct State {
    x: f64,
    single: f32,
    count: u8,
    list: Vec<(f64, [f64; 2])>,
    inner: Inner,
    option: Option<Inner>,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Inner(f64);

#[derive(Clone, Debug, PartialEq, Differentiable)]
enum Tree<T> {
    Leaf(T),
    Node { left: Box<Tree<T>>, right: Vec<Self>, weight: Option<T> },
    Empty,
}

/// Also says that the type is its own tangent type.
fn assert_tangents_are_values<T>(value: &T)
where
    T: Differentiable<Tangent: Differentiable<Tangent = T::Tangent> + PartialEq + std::fmt::Debug>,
{
    let tangent = numbered(value);
    assert_one_order(&tangent);
    assert_eq!(tangent.zero_tangent(), value.zero_tangent());
    let (mut moved, mut sum) = (tangent.clone(), tangent.clone());
    moved.perturb(&tangent, 1.0);
    sum.accumulate(tangent);
    assert_eq!(moved, sum);
}

fn tree() -> Tree<f64> {
    let left = Box::new(Tree::Leaf(1.0));
    Tree::Node { left, right: vec![Tree::Empty, Tree::Leaf(2.0)], weight: Some(3.0) }
}

#[test]
fn tangents_are_values() {
    let (inner, list) = (Inner(1.0), vec![(2.0, [3.0, 4.0])]);
    let option = Some(Inner(5.0));
    assert_tangents_are_values(&State { x: 6.0, single: 7.0, count: 8, list, inner, option });
    assert_tangents_are_values(&tree());
    assert_tangents_are_values(&Tree::Leaf((1.0, 'c')));
}

#[test]
fn leaves_of_tangents_are_those_of_their_fields() {
    let tangent = StateTangent { x: 1.0, single: 2.0, ..StateTangent::default() };
    assert_eq!(tangent.count, NoTangent);
    assert_eq!(leaves(&tangent)[..2], ["F64(1.0)", "F32(2.0)"]);
    let trees = [TreeTangent::<f64>::Leaf(1.0), TreeTangent::Empty, TreeTangent::Zero];
    assert_eq!(trees.map(|tree| leaves(&tree)[0].clone()), ["Shape(0)", "Shape(2)", "Shape(3)"]);
}

#[test]
fn the_zero_of_every_variant_moves_into_one() {
    let mut moved = TreeTangent::<f64>::Zero;
    assert_eq!(moved.zero_tangent(), TreeTangent::Zero);
    moved.perturb(&TreeTangent::Zero, 2.0);
    assert_eq!(moved, TreeTangent::Zero);
    moved.perturb(&TreeTangent::Leaf(3.0), 2.0);
    assert_eq!(moved, TreeTangent::Leaf(6.0));
    moved.perturb(&TreeTangent::Zero, 2.0);
    assert_eq!(moved, TreeTangent::Leaf(6.0));
}

#[test]
#[should_panic(expected = "a direction of another variant was given for a value of type `Tree`")]
fn tangents_do_not_move_along_another_variant() {
    TreeTangent::<f64>::Leaf(1.0).perturb(&TreeTangent::Empty, 1.0);
}
