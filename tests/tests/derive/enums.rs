//! Enums: the tangent knows its variant, and has a zero without one.

use cotangent::{Differentiable, NoTangent, Tangent};

use super::{assert_one_order, floats, leaves, numbered};

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub enum Shape {
    Point,
    Circle(f64, u8),
    Rectangle { width: f64, height: f64 },
    Polygon(Vec<(f64, f64)>),
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub enum Expression {
    Constant(f64),
    Negated(Box<Expression>),
    Sum(Vec<Expression>),
    Scaled { factor: f64, by: Box<Self> },
}

/// Has a variant of the name that the additional variant usually has.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub enum Series {
    Zero,
    ZeroTangent(f64),
    Linear { slope: f64 },
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub enum Never {}

fn shapes() -> [Shape; 4] {
    [
        Shape::Point,
        Shape::Circle(1.5, 2),
        Shape::Rectangle { width: 2.5, height: 3.5 },
        Shape::Polygon(vec![(4.5, 5.5), (6.5, 7.5)]),
    ]
}

#[test]
fn a_zero_tangent_is_of_the_variant_of_its_value() {
    let expected = [
        ShapeTangent::Point,
        ShapeTangent::Circle(0.0, NoTangent),
        ShapeTangent::Rectangle { width: 0.0, height: 0.0 },
        ShapeTangent::Polygon(vec![(0.0, 0.0), (0.0, 0.0)]),
    ];
    assert_eq!(shapes().zero_tangent(), expected);
}

#[test]
fn the_default_is_the_zero_of_every_variant() {
    assert_eq!(ShapeTangent::default(), ShapeTangent::Zero);
    for shape in shapes() {
        let tangent = numbered(&shape);
        assert_eq!(tangent.clone().plus(ShapeTangent::Zero), tangent);
        assert_eq!(ShapeTangent::Zero.plus(tangent.clone()), tangent);
        let mut moved = shape.clone();
        moved.perturb(&ShapeTangent::Zero, 1.0);
        assert_eq!(moved, shape);
    }
    assert_eq!(ShapeTangent::Zero.plus(ShapeTangent::Zero), ShapeTangent::Zero);
    assert!(floats(&ShapeTangent::Zero).is_empty());
}

#[test]
fn tangents_of_one_variant_add() {
    let mut sum = ShapeTangent::Circle(1.0, NoTangent);
    sum.accumulate(ShapeTangent::Circle(2.0, NoTangent));
    assert_eq!(sum, ShapeTangent::Circle(3.0, NoTangent));
    let sum = numbered(&shapes()[3]).plus(numbered(&shapes()[3]));
    assert_eq!(sum, ShapeTangent::Polygon(vec![(2.0, 4.0), (6.0, 8.0)]));
}

#[test]
#[should_panic(expected = "tangents of different variants of `Shape` were added")]
fn tangents_of_different_variants_do_not_add() {
    let _ = ShapeTangent::Point.plus(ShapeTangent::Circle(1.0, NoTangent));
}

#[test]
#[should_panic(expected = "a direction of another variant was given for a value of type `Shape`")]
fn values_do_not_move_along_another_variant() {
    Shape::Point.perturb(&ShapeTangent::Circle(1.0, NoTangent), 1.0);
}

#[test]
fn floats_have_one_order() {
    shapes().iter().for_each(assert_one_order);
    assert_one_order(&nested());
}

#[test]
fn leaves_start_with_the_number_of_the_variant() {
    let [point, circle, rectangle, polygon] = shapes();
    assert_eq!(leaves(&point), ["Shape(0)"]);
    assert_eq!(leaves(&circle), ["Shape(1)", "F64(1.5)", "Integer(2)"]);
    assert_eq!(leaves(&rectangle), ["Shape(2)", "F64(2.5)", "F64(3.5)"]);
    assert_eq!(leaves(&polygon)[..3], ["Shape(3)", "Shape(2)", "F64(4.5)"]);
}

#[test]
fn tangents_of_different_variants_are_not_equal() {
    let tangents = shapes().map(|shape| shape.zero_tangent());
    for (row, left) in tangents.iter().enumerate() {
        for (column, right) in tangents.iter().enumerate() {
            assert_eq!(left == right, row == column);
        }
        assert_ne!(*left, ShapeTangent::Zero);
    }
    assert_ne!(ShapeTangent::Circle(1.0, NoTangent), ShapeTangent::Circle(2.0, NoTangent));
}

#[test]
fn debug_shows_the_variant() {
    let show = |tangent: ShapeTangent| format!("{tangent:?}");
    assert_eq!(show(ShapeTangent::Zero), "Zero");
    assert_eq!(show(ShapeTangent::Point), "Point");
    assert_eq!(show(ShapeTangent::Circle(1.0, NoTangent)), "Circle(1.0, NoTangent)");
    let rectangle = ShapeTangent::Rectangle { width: 1.0, height: 2.0 };
    assert_eq!(show(rectangle), "Rectangle { width: 1.0, height: 2.0 }");
}

fn nested() -> Expression {
    let inner = Expression::Negated(Box::new(Expression::Constant(1.0)));
    Expression::Scaled { factor: 2.0, by: Box::new(Expression::Sum(vec![inner.clone(), inner])) }
}

#[test]
fn recursive_types_have_recursive_tangents() {
    let ExpressionTangent::Scaled { factor, by } = numbered(&nested()) else {
        panic!("the tangent is of another variant than its value");
    };
    let negated =
        |number| ExpressionTangent::Negated(Box::new(ExpressionTangent::Constant(number)));
    assert_eq!((factor, *by), (1.0, ExpressionTangent::Sum(vec![negated(2.0), negated(3.0)])));
}

#[test]
fn the_additional_variant_makes_way_for_one_of_the_type() {
    assert_eq!(SeriesTangent::default(), SeriesTangent::ZeroTangentTangent);
    assert_eq!(Series::Zero.zero_tangent(), SeriesTangent::Zero);
    for series in [Series::ZeroTangent(1.0), Series::Linear { slope: 2.0 }] {
        let tangent = numbered(&series);
        assert_eq!(SeriesTangent::default().plus(tangent.clone()), tangent);
    }
    assert_eq!(numbered(&Series::ZeroTangent(2.0)), SeriesTangent::ZeroTangent(1.0));
}

#[test]
fn an_enum_without_values_has_a_zero() {
    assert_eq!(None::<Never>.zero_tangent(), None);
    assert_eq!(NeverTangent::default().plus(NeverTangent::Zero), NeverTangent::Zero);
}
