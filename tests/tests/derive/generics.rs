//! Type and const parameters, lifetimes, recursion.

use std::fmt::Debug;
use std::marker::PhantomData;

use cotangent::{Differentiable, NoTangent, Tangent};

use super::{assert_one_order, floats, numbered};

/// Without any trait but what the tests need: the tangent's traits must not ask for the type's.
#[derive(Differentiable)]
struct Opaque(f64);

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Layer<T, const N: usize> {
    pub weights: [[T; N]; N],
    pub bias: Vec<T>,
    pub rate: T,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Tree<T: Clone>
where
    T: PartialEq,
{
    value: T,
    children: Vec<Tree<T>>,
    next: Option<Box<Self>>,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub enum Either<L, R = L> {
    Left(L),
    Right { right: R },
}

/// Something that says with what it is measured.
pub trait System {
    type Scale;
    const UNITS: usize;
}

#[derive(Clone, Debug, PartialEq)]
struct Metric;

impl System for Metric {
    type Scale = f64;
    const UNITS: usize = 2;
}

#[derive(Differentiable)]
pub struct Measured<S: System + ?Sized> {
    scale: S::Scale,
    offset: Option<<S as System>::Scale>,
    system: PhantomData<S>,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Named<'a, 'b: 'a, T> {
    name: &'a str,
    marker: PhantomData<&'b T>,
    value: f64,
}

/// Field types that differ in their lifetimes alone, or in nothing but their names.
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Related<'a, 'b> {
    first: Named<'a, 'a, f64>,
    second: Named<'b, 'b, f64>,
    real: Real,
    float: Float,
}

type Real = f64;
type Float = f64;

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Sampled {
    values: [f64; Self::LEN],
    more: [f64; <Metric as System>::UNITS],
}

impl Sampled {
    const LEN: usize = 3;
}

#[test]
fn parameters_are_those_of_the_type() {
    let layer = Layer { weights: [[1.0_f32; 2]; 2], bias: vec![2.0], rate: 3.0 };
    let tangent: LayerTangent<f32, 2> = layer.zero_tangent();
    let expected = LayerTangent { weights: [[0.0; 2]; 2], bias: vec![0.0_f32], rate: 0.0 };
    assert_eq!(tangent, expected);
    assert_one_order(&layer);
}

#[test]
fn the_tangent_of_a_parameter_is_that_of_its_type() {
    let layer = Layer { weights: [[(1.0, 2_u8)]], bias: vec![], rate: (3.0, 4) };
    let sum = numbered(&layer).plus(numbered(&layer));
    assert_eq!((sum.weights, sum.rate), ([[(2.0, NoTangent)]], (4.0, NoTangent)));
    let opaque = Layer { weights: [[Opaque(1.0)]], bias: vec![], rate: Opaque(2.0) };
    assert_eq!(format!("{:?}", numbered(&opaque).clone().rate), "OpaqueTangent(2.0)");
}

#[test]
fn long_arrays_have_defaults() {
    let default = LayerTangent::<f64, 40>::default();
    assert_eq!((default.weights, default.rate), ([[0.0; 40]; 40], 0.0));
}

#[test]
fn recursive_types_have_recursive_tangents() {
    let leaf = |value| Tree { value, children: vec![], next: None };
    let tree =
        Tree { value: 1.0, children: vec![leaf(2.0), leaf(3.0)], next: Some(Box::new(leaf(4.0))) };
    assert_one_order(&tree);
    let tangent: TreeTangent<f64> = numbered(&tree);
    assert_eq!(tangent.children[1].value, 3.0);
    assert_eq!(tangent.next.as_ref().unwrap().value, 4.0);
    assert_eq!(
        tangent.clone().plus(TreeTangent {
            children: vec![TreeTangent::default(); 2],
            ..TreeTangent::default()
        }),
        tangent
    );
    assert!(
        format!("{tangent:?}").starts_with("TreeTangent { value: 1.0, children: [TreeTangent {")
    );
}

#[test]
fn enums_may_be_generic() {
    let values: [Either<f64, [f64; 2]>; 2] =
        [Either::Left(1.0), Either::Right { right: [2.0, 3.0] }];
    values.iter().for_each(assert_one_order);
    assert_eq!(numbered(&values[1]), EitherTangent::Right { right: [1.0, 2.0] });
    let by_default: EitherTangent<f64> = EitherTangent::default();
    assert_eq!(by_default, EitherTangent::Zero);
}

#[test]
fn projected_types_are_bounded_themselves() {
    let measured = Measured::<Metric> { scale: 2.0, offset: Some(3.0), system: PhantomData };
    let tangent = numbered(&measured);
    assert_eq!((tangent.scale, tangent.offset), (1.0, Some(2.0)));
    assert_eq!(tangent.system, NoTangent);
    assert_eq!(MeasuredTangent::<Metric>::default().scale, 0.0);
}

#[test]
fn lifetimes_of_strings_and_markers_are_kept() {
    let name = String::from("n");
    let named = Named::<'_, '_, String> { name: &name, marker: PhantomData, value: 1.0 };
    assert_one_order(&named);
    let tangent: NamedTangent<'_, '_, String> = numbered(&named);
    assert_eq!((tangent.name, tangent.marker, tangent.value), (NoTangent, NoTangent, 1.0));
}

#[test]
fn fields_may_have_the_same_tangent() {
    let (name, other) = (String::from("n"), String::from("o"));
    let named = |name| Named { name, marker: PhantomData, value: 1.0 };
    let (first, second) = (named(&*name), named(&*other));
    let value = Related { first, second, real: 2.0, float: 3.0 };
    assert_one_order(&value);
    assert_one_order(&numbered(&value));
    assert_eq!(RelatedTangent::default(), value.zero_tangent());
}

#[test]
fn lengths_may_name_the_type() {
    let value = Sampled { values: [1.0, 2.0, 3.0], more: [4.0, 5.0] };
    assert_one_order(&value);
    assert_eq!(SampledTangent::default(), value.zero_tangent());
}

/// In generic code the tangent type is as good as any.
fn doubled<T>(layer: &Layer<T, 1>) -> LayerTangent<T, 1>
where
    T: Differentiable<Tangent: Debug + PartialEq + Default>,
{
    let tangent = numbered(layer);
    assert_ne!(tangent, LayerTangent::default());
    tangent.clone().plus(tangent)
}

#[test]
fn tangents_serve_in_generic_code() {
    let layer = Layer { weights: [[1.0]], bias: vec![], rate: 2.0 };
    assert_eq!(floats(&doubled(&layer)), [2.0, 4.0]);
}
