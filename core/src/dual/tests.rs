//! Dual numbers beside closed forms; the rows of the table are compared with differences in `tests/`.

use super::Dual;
use alloc::format;
use num_traits::{Float, NumCast, ToPrimitive};

fn variable(value: f64) -> Dual<1> {
    Dual::variable(value, 0)
}

#[test]
fn partials_are_those_of_the_table() {
    let (x, y) = (Dual::variable(1.5, 0), Dual::variable(-0.5, 1));
    assert_eq!((x * y).tangents, [-0.5, 1.5]);
    assert_eq!((x / y).tangents, [-2.0, -6.0]);
    assert_eq!(x.powi(3).tangents, [6.75, 0.0]);
    assert_eq!(x.sin().tangents, [1.5_f64.cos(), 0.0]);
    assert_eq!((x % y).tangents, [1.0, 3.0]);
    assert_eq!(x.mul_add(y, x).tangents, [0.5, 1.5]);
    assert_eq!((x - 1.0).value, 0.5);
}

#[test]
fn what_did_not_happen_contributes_nothing() {
    let (zero, x) = (Dual::<1>::constant(0.0), variable(2.0));
    assert_eq!((zero.sqrt() + x).tangents, [1.0]);
    assert_eq!((Dual::infinity() * zero.max(x)).tangents, [f64::INFINITY]);
    assert_eq!((variable(0.0).sqrt() * 0.0).max(x).tangents, [1.0]);
    assert_eq!(Dual::<1>::infinity().min(x).tangents, [1.0]);
    assert_eq!((x * 0.0 + Dual::<1>::infinity() * zero.max(Dual::one_half())).tangents, [0.0]);
    assert_eq!(x.powf(Dual::constant(2.0)).tangents, [4.0]);
    assert_eq!(variable(-2.0).powf(Dual::constant(2.0)).tangents, [-4.0]);
    assert_eq!(variable(0.0).abs().tangents, [0.0]);
    assert_eq!(x.max(x).tangents, [1.0]);
    assert_eq!(Float::clamp(x, zero, Dual::constant(1.0)).tangents, [0.0]);
}

impl Dual<1> {
    fn one_half() -> Self {
        Self::constant(0.5)
    }
}

#[test]
fn sums_begin_as_those_of_floats() {
    let none: [Dual<1>; 0] = [];
    let sum: Dual<1> = none.iter().sum();
    let expected: f64 = [0.0; 0].iter().sum();
    assert_eq!(sum.value.to_bits(), expected.to_bits());
    let product: Dual<1> = [variable(2.0), variable(3.0)].iter().product();
    assert_eq!((product.value, product.tangents), (6.0, [5.0]));
}

#[test]
fn integers_have_no_derivative() {
    assert_eq!(variable(2.7).to_usize(), Some(2));
    assert_eq!(variable(2.7).floor().tangents, [0.0]);
    assert_eq!(<i32 as NumCast>::from(variable(-2.7)), Some(-2));
}

#[test]
fn constants_may_become_floats() {
    assert_eq!(Dual::<2>::constant(2.5).to_f64(), Some(2.5));
    assert_eq!(variable(2.5).floor().to_f32(), Some(2.0));
    assert_eq!(Dual::<1>::constant(2.0).integer_decode(), 2.0_f64.integer_decode());
    assert_eq!(Dual::<0>::constant(2.5).to_f64(), Some(2.5));
}

#[test]
#[should_panic(expected = "`to_f64` of 2.5 + [1]ε loses the derivative")]
fn variables_may_not() {
    let _ = variable(2.5).to_f64();
}

#[test]
#[should_panic(expected = "`integer_decode` of 2.5 + [1]ε loses the derivative")]
fn bits_of_variables_are_refused() {
    let _ = variable(2.5).integer_decode();
}

#[test]
#[should_panic(expected = "loses the derivative")]
fn casts_between_floats_are_refused() {
    let _ = num_traits::cast::<Dual<1>, Dual<1>>(variable(2.5));
}

#[test]
fn numbers_are_formatted_as_sums() {
    let x = Dual::new(2.5, [1.0, 0.0]);
    assert_eq!(
        format!("{x} {x:.1} {x:?} {x:e}"),
        "2.5 + [1, 0]ε 2.5 + [1.0, 0.0]ε 2.5 + [1.0, 0.0]ε 2.5e0 + [1e0, 0e0]ε"
    );
}
