//! Derivatives of constructors, called as derivative code calls those of a function.

use cotangent::Differentiable;

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Pair(f64, Vec<f64>);

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Mixed<T>(f64, T, usize);

#[derive(Clone, Debug, PartialEq, Differentiable)]
enum Shape {
    Circle(f64),
    Box(f64, Vec<f64>),
    Dot,
}

#[test]
fn of_a_tuple_struct() {
    let (value, pullback) = Pair::__vjp(1.0, vec![2.0]);
    assert_eq!(value, Pair(1.0, vec![2.0]));
    assert_eq!(pullback(PairTangent(3.0, vec![4.0])), (3.0, vec![4.0]));
    let (value, dot) = Pair::__jvp(1.0, 0.5, vec![2.0], vec![0.25]);
    assert_eq!((value, dot), (Pair(1.0, vec![2.0]), PairTangent(0.5, vec![0.25])));
}

#[test]
fn of_a_generic_tuple_struct() {
    let (value, pullback) = Mixed::__vjp(1.0, [2.0, 3.0], 3);
    assert_eq!(value, Mixed(1.0, [2.0, 3.0], 3));
    let (first, second, _) = pullback(MixedTangent(5.0, [6.0, 7.0], Default::default()));
    assert_eq!((first, second), (5.0, [6.0, 7.0]));
}

#[test]
fn of_variants() {
    type Needs = Shape;
    let (value, pullback) =
        Needs::__Box_vjp_needs_differentiate_or_primitive_or_zero_adjoint(1.0, vec![2.0, 3.0]);
    assert_eq!(value, Shape::Box(1.0, vec![2.0, 3.0]));
    assert_eq!(pullback(ShapeTangent::Box(1.5, vec![1.0, 2.0])), (1.5, vec![1.0, 2.0]));
    let (value, dot) =
        Needs::__Circle_jvp_needs_differentiate_or_primitive_or_zero_adjoint(1.0, 2.0);
    assert_eq!((value, dot), (Shape::Circle(1.0), ShapeTangent::Circle(2.0)));
    assert_ne!(Shape::Dot, Shape::Circle(1.0));
}

#[test]
fn of_a_variant_whose_cotangent_is_the_zero_of_all_variants() {
    let (_, pullback) =
        Shape::__Box_vjp_needs_differentiate_or_primitive_or_zero_adjoint(1.0, vec![2.0, 3.0]);
    assert_eq!(pullback(ShapeTangent::Zero), (0.0, vec![0.0, 0.0]));
}

#[test]
fn of_the_second_order() {
    let all = Pair::__jvp_over_jvp_needs_another_differentiate(
        1.0,
        2.0,
        3.0,
        4.0,
        vec![1.0],
        vec![2.0],
        vec![3.0],
        vec![4.0],
    );
    assert_eq!((all.0, all.3), (Pair(1.0, vec![1.0]), PairTangent(4.0, vec![4.0])));
    let (_, _, pullback) =
        Pair::__jvp_over_vjp_needs_another_differentiate(1.0, 2.0, vec![1.0], vec![2.0]);
    let cotangents = pullback(PairTangent(1.0, vec![2.0]), PairTangent(3.0, vec![4.0]));
    assert_eq!(cotangents, (1.0, 3.0, vec![2.0], vec![4.0]));
}
