//! The tangent of a type is `Copy` where the type is.

use cotangent::{Differentiable, check, differentiate};

#[derive(Debug, PartialEq, Differentiable)]
struct ByHand {
    a: f64,
    inner: Inner,
}

#[allow(clippy::expl_impl_clone_on_copy)]
impl Clone for ByHand {
    fn clone(&self) -> Self {
        *self
    }
}

impl Copy for ByHand {}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Inner([f64; 2], (f64, i32));

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Generic<T> {
    part: T,
    rest: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
enum Choice {
    One(f64),
    Two { inner: Inner },
    Nothing,
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Named<'a> {
    name: &'a str,
    x: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Fixed<const N: usize>([f64; N]);

/// Is not `Copy`, although all of its fields are.
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Moved {
    x: f64,
    inner: Inner,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Owner {
    line: Vec<f64>,
    next: Option<Box<Owner>>,
}

fn is_copy<T: Copy>() {}

#[test]
fn of_types_that_are_copy() {
    is_copy::<ByHandTangent>();
    is_copy::<InnerTangent>();
    is_copy::<GenericTangent<f64>>();
    is_copy::<GenericTangent<ByHand>>();
    is_copy::<ChoiceTangent>();
    is_copy::<NamedTangent<'static>>();
    is_copy::<FixedTangent<3>>();
}

#[test]
fn of_types_that_are_not() {
    trait Probe {
        const IS_COPY: bool = false;
    }
    impl<T: ?Sized> Probe for Of<T> {}
    struct Of<T: ?Sized>(core::marker::PhantomData<T>);
    impl<T: Copy> Of<T> {
        const IS_COPY: bool = true;
    }
    const { assert!(Of::<InnerTangent>::IS_COPY) };
    const { assert!(!Of::<MovedTangent>::IS_COPY) };
    const { assert!(!Of::<OwnerTangent>::IS_COPY) };
    const { assert!(!Of::<GenericTangent<Vec<f64>>>::IS_COPY) };
}

#[differentiate]
fn repeated(x: f64, y: f64) -> f64 {
    let by_hand = [ByHand { a: x, inner: Inner([y, x], (y, 2)) }; 3];
    let generic = [Generic { part: by_hand[0], rest: x * y }; 2];
    by_hand[1].inner.0[1] * by_hand[2].a * generic[1].rest + generic[0].part.inner.1.0
}

#[differentiate]
fn repeated_enum(x: f64) -> f64 {
    let mut y = 1.0;
    for all in [
        [Choice::One(x); 2],
        [Choice::Two { inner: Inner([x, 2.0], (x, 1)) }; 2],
        [Choice::Nothing; 2],
    ] {
        y *= match all[1] {
            Choice::One(y) => y * y,
            Choice::Two { inner } => inner.0[0],
            Choice::Nothing => 3.0,
        };
    }
    y
}

#[test]
fn arrays_of_equal_values() {
    check!(repeated(0.7, 1.2)).unwrap();
    check!(repeated_enum(0.7)).unwrap();
}
