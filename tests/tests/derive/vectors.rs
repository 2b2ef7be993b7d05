//! Derived types as vectors: the methods of both traits, against closed forms.

use cotangent::{Differentiable, NoTangent, Tangent, differentiate};

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Layer {
    weights: Vec<f64>,
    biases: [f32; 2],
    count: usize,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Model<T> {
    layers: Vec<Layer>,
    extra: T,
    option: Option<f64>,
    #[differentiable(constant)]
    name: Name,
}

/// A type without a tangent.
#[derive(Clone, Debug, PartialEq)]
struct Name(f64);

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Pair(f64, f32);

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Unit;

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Node {
    value: f64,
    next: Option<Box<Node>>,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
enum Activation {
    Identity,
    Leaky(f64),
    Spline { ends: (f64, f64), knots: Vec<f64> },
}

/// A parameter with the name of one that emitted code might use.
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Named<V> {
    visitor: V,
    other: V,
    sum: f64,
}

fn model() -> Model<(f64, Pair)> {
    let layer = Layer { weights: vec![1.0, 2.0], biases: [3.0, 4.0], count: 7 };
    let second = Layer { weights: vec![5.0], biases: [6.0, 7.0], count: 8 };
    let extra = (8.0, Pair(9.0, 10.0));
    Model { layers: vec![layer, second], extra, option: Some(11.0), name: Name(0.5) }
}

fn floats_of(value: &impl Differentiable) -> Vec<f64> {
    let mut flat = vec![0.0; value.dim()];
    value.write_to(&mut flat);
    flat
}

#[test]
fn structs_are_read_and_written() {
    let mut value = model();
    let numbers: Vec<f64> = (1..=11).map(f64::from).collect();
    assert_eq!((value.dim(), floats_of(&value)), (11, numbers.clone()));
    let moved: Vec<f64> = numbers.iter().map(|number| number + 0.5).collect();
    value.read_from(&moved);
    assert_eq!((value.layers[1].weights[0], value.extra.1), (5.5, Pair(9.5, 10.5)));
    assert_eq!((value.layers[0].count, &value.name), (7, &Name(0.5)));
    assert_eq!(super::floats(&super::numbered(&value)), floats_of(&super::numbered(&value)));
    assert_eq!((Unit.dim(), floats_of(&Pair(1.0, 2.0))), (0, vec![1.0, 2.0]));
}

#[test]
fn tangents_of_structs_are_vectors() {
    let value = model();
    let (mut tangent, numbers) = (value.zero_tangent(), super::numbered(&value));
    assert_eq!(numbers.dot(&numbers), 506.0);
    assert!((numbers.norm() - 506.0_f64.sqrt()).abs() < 1e-13);
    tangent.axpy(0.5, &numbers);
    assert_eq!(tangent.layers[0].biases, [1.5, 2.0]);
    assert_eq!((tangent.extra.1, tangent.option), (PairTangent(4.5, 5.0), Some(5.5)));
    assert_eq!((tangent.dot(&numbers), tangent.name), (253.0, NoTangent));
    tangent.scale(2.0);
    assert_eq!(tangent, numbers);
    tangent.map_floats(|float| -float);
    tangent.zip_floats(&numbers, |float, number| float + 2.0 * number);
    assert_eq!(tangent, numbers);
    let mut moved = value.clone();
    moved.perturb(&tangent, 1.0);
    assert_eq!(floats_of(&moved), (1..=11).map(|n| 2.0 * f64::from(n)).collect::<Vec<_>>());
    tangent.set_zero();
    assert_eq!(tangent, value.zero_tangent());
}

#[test]
fn recursive_types_are_vectors() {
    let last = Node { value: 3.0, next: None };
    let mut list = Node { value: 4.0, next: Some(Box::new(last)) };
    assert_eq!(floats_of(&list), [4.0, 3.0]);
    list.read_from(&[6.0, 8.0]);
    let mut tangent = NodeTangent { value: 1.0, next: None };
    let mut whole = list.zero_tangent();
    whole.read_from(&[6.0, 8.0]);
    assert_eq!((whole.norm(), whole.dot(&tangent)), (10.0, 6.0));
    tangent.axpy(1.0, &whole);
    assert_eq!(floats_of(&tangent), [7.0, 8.0]);
}

#[test]
fn names_of_fields_and_parameters_are_free() {
    let mut named = Named { visitor: 1.0, other: 2.0, sum: 3.0 };
    named.read_from(&[4.0, 5.0, 6.0]);
    let mut tangent: NamedTangent<f64> = NamedTangent { visitor: 1.0, other: 2.0, sum: 3.0 };
    tangent.axpy(1.0, &tangent.clone());
    assert_eq!((named.dim(), tangent.dot(&tangent)), (3, 56.0));
}

#[test]
fn zeros_of_enums_have_no_shape() {
    let mut zero = ActivationTangent::Zero;
    let leaky = ActivationTangent::Leaky(3.0);
    assert_eq!((zero.dim(), zero.norm(), zero.dot(&leaky), leaky.dot(&zero)), (0, 0.0, 0.0, 0.0));
    zero.axpy(2.0, &leaky);
    assert_eq!(zero, ActivationTangent::Leaky(6.0));
    zero.zip_floats(&ActivationTangent::Zero, |float, zero| float + zero + 1.0);
    assert_eq!(zero, ActivationTangent::Leaky(7.0));
    zero.set_zero();
    assert_eq!(zero, ActivationTangent::Leaky(0.0));
    let mut none = ActivationTangent::default();
    none.axpy(1.0, &ActivationTangent::Zero);
    none.scale(2.0);
    assert_eq!((none, Activation::Identity.dim()), (ActivationTangent::Zero, 0));
}

#[test]
fn enums_are_read_and_written() {
    let mut value = Activation::Spline { ends: (1.0, 2.0), knots: vec![3.0] };
    assert_eq!(floats_of(&value), [1.0, 2.0, 3.0]);
    value.read_from(&[4.0, 5.0, 6.0]);
    assert_eq!(value, Activation::Spline { ends: (4.0, 5.0), knots: vec![6.0] });
    let mut tangent = ActivationTangent::Zero;
    value.conform(&mut tangent);
    tangent.read_from(&[3.0, 4.0, 12.0]);
    assert_eq!(tangent.norm(), 13.0);
}

#[test]
#[should_panic(expected = "a tangent of another variant of `Activation` was given")]
fn variants_agree() {
    let spline = ActivationTangent::Spline { ends: (0.0, 0.0), knots: vec![] };
    ActivationTangent::Leaky(1.0).axpy(1.0, &spline);
}

#[test]
#[should_panic(expected = "a slice of length 10 was given for 11 floats")]
fn slices_have_the_length() {
    model().read_from(&[0.0; 10]);
}

/// Code that is generic over parameters knows nothing but the traits.
fn descend<P: Differentiable>(params: &mut P, gradient: &mut P::Tangent, rate: f64) -> f64 {
    let length = gradient.norm();
    if length > 1.0 {
        gradient.scale(1.0 / length);
    }
    params.perturb(gradient, -rate);
    assert_eq!(gradient.dim(), params.dim());
    length
}

#[differentiate]
fn energy(model: &Model<(f64, Pair)>) -> f64 {
    let mut energy = model.extra.0 * model.extra.0;
    for layer in &model.layers {
        for weight in &layer.weights {
            energy += weight * weight;
        }
    }
    energy
}

#[test]
fn gradients_are_directions() {
    let mut value = model();
    let mut gradient = energy::gradient(&value);
    value.conform(&mut gradient);
    // Twice the length of (1, 2, 5, 8).
    let length = descend(&mut value, &mut gradient, 0.5);
    assert!((length - 2.0 * 94.0_f64.sqrt()).abs() < 1e-13);
    assert!((gradient.norm() - 1.0).abs() < 1e-15);
    assert!((value.extra.0 - (8.0 - 4.0 / 94.0_f64.sqrt())).abs() < 1e-15);
}

fn by_reference(array: &[f64; 2]) -> usize {
    array.dim()
}

/// No method is in both traits, so that each call resolves with both in scope.
#[test]
fn calls_resolve_on_values_that_are_tangents() {
    let (mut float, mut list, mut array) = (3.0, vec![3.0, 4.0], [3.0, 4.0]);
    assert_eq!(
        (float.dim(), list.dim(), array.dim(), list[..].dim(), by_reference(&array)),
        (1, 2, 2, 2, 2)
    );
    assert_eq!(
        (float.norm(), list.norm(), array.norm(), (3.0, [4.0]).norm()),
        (3.0, 5.0, 5.0, 5.0)
    );
    float.read_from(&[1.0]);
    list.read_from(&[1.0, 2.0]);
    array[..].read_from(&[1.0, 2.0]);
    list.scale(2.0);
    let by_reference = &mut list;
    by_reference.axpy(1.0, &vec![1.0, 1.0]);
    by_reference.read_from(&[3.0, 5.0]);
    assert_eq!((float, list, array), (1.0, vec![3.0, 5.0], [1.0, 2.0]));
}
