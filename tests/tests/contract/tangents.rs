//! Tangents that stand for the zero of any variant: they take the shape of the value that they are given with.

use cotangent::{Differentiable, differentiate};

#[derive(Clone, Debug, PartialEq, Differentiable)]
enum Shape {
    Circle(f64),
    Rect { width: f64, height: f64 },
}

#[differentiate]
fn area(shape: &Shape) -> f64 {
    match shape {
        Shape::Circle(r) => 3.0 * r * r,
        Shape::Rect { width, height } => width * height,
    }
}

#[differentiate]
fn scaled(o: &Option<f64>, x: f64) -> f64 {
    if let Some(v) = o { v * x } else { x }
}

#[differentiate]
fn moved(shape: Shape, k: f64) -> Shape {
    match shape {
        Shape::Circle(r) => Shape::Rect { width: r * k, height: k },
        other => other,
    }
}

#[test]
fn default_is_the_zero_of_every_variant() {
    let rect = Shape::Rect { width: 2.0, height: 3.0 };
    assert_eq!(area::jvp(&rect, &ShapeTangent::default()), (6.0, 0.0));
    let (value, pullback) = area::vjp(&rect);
    let mut shadow = ShapeTangent::default();
    pullback(&rect, &mut shadow, 2.0);
    assert_eq!((value, shadow), (6.0, ShapeTangent::Rect { width: 6.0, height: 4.0 }));
}

#[test]
fn none_is_the_zero_of_some() {
    assert_eq!(scaled::jvp(&Some(2.0), &None, 3.0, 1.0), (6.0, 2.0));
    let (value, pullback) = scaled::vjp(&Some(2.0), 3.0);
    let mut shadow = None;
    let x_bar = pullback(&Some(2.0), &mut shadow, 1.0);
    assert_eq!((value, x_bar, shadow), (6.0, 2.0, Some(3.0)));
}

#[test]
fn shadows_of_variants_are_added_to() {
    let circle = Shape::Circle(2.0);
    let mut shadow = ShapeTangent::Circle(1.0);
    assert_eq!(area::accumulate_gradient(&circle, &mut shadow), (12.0, ()));
    assert_eq!(shadow, ShapeTangent::Circle(13.0));
}

#[test]
fn cotangents_have_the_variant_of_their_value() {
    let (value, pullback) = moved::vjp(Shape::Circle(2.0), 3.0);
    assert_eq!(value, Shape::Rect { width: 6.0, height: 3.0 });
    let cotangents = pullback(ShapeTangent::Rect { width: 1.0, height: 10.0 });
    assert_eq!(cotangents, (ShapeTangent::Circle(3.0), 12.0));
}

#[test]
#[should_panic(expected = "of another variant than its value")]
fn a_cotangent_of_another_variant_is_refused() {
    let (_, pullback) = moved::vjp(Shape::Circle(2.0), 3.0);
    let _ = pullback(ShapeTangent::Circle(1.0));
}
