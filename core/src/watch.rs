//! What derivatives with `#[differentiate(debug)]` check at run time.
//!
//! In come values with their tangents and cotangents; out comes nothing, or a panic that names the function, what was
//! wrong, where in the source, and the numbers.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::differentiable::Differentiable;
use crate::object::Shadow;
use crate::tangent::Tangent;
use crate::visit::floats;

/// A value.
pub struct Primal<'a, T: ?Sized>(pub &'a T);

/// A tangent, a cotangent or a shadow.
pub struct Differential<'a, T: ?Sized>(pub &'a T);

/// What has floats to look at.
pub trait Watched {
    /// All of them, in order.
    fn floats(&self) -> Vec<f64>;
}

impl<T: Differentiable + ?Sized> Watched for Primal<'_, T> {
    fn floats(&self) -> Vec<f64> {
        floats(|visitor| self.0.visit(visitor))
    }
}

impl<T: Tangent> Watched for Differential<'_, T> {
    fn floats(&self) -> Vec<f64> {
        floats(|visitor| self.0.visit(visitor))
    }
}

impl<T: Tangent> Watched for Differential<'_, [T]> {
    fn floats(&self) -> Vec<f64> {
        floats(|visitor| self.0.iter().for_each(|tangent| tangent.visit(visitor)))
    }
}

impl Watched for Differential<'_, dyn Shadow> {
    fn floats(&self) -> Vec<f64> {
        floats(|visitor| self.0.show_tangent(visitor))
    }
}

fn all(watched: &[&dyn Watched]) -> Vec<f64> {
    watched.iter().flat_map(|each| each.floats()).collect()
}

fn is_finite(floats: &[f64]) -> bool {
    floats.iter().all(|float| float.is_finite())
}

/// The first floats of a list, for a message.
fn shown(floats: &[f64]) -> String {
    const MANY: usize = 12;
    match floats.len() {
        0..=MANY => format!("{floats:?}"),
        len => format!("{:?} and {} more", &floats[..MANY], len - MANY),
    }
}

/// Panics where a rule makes what is not finite of finite operands and finite (co)tangents.
#[track_caller]
pub fn watch(
    function: &str,
    rule: &str,
    primals: &[&dyn Watched],
    given: &[&dyn Watched],
    made: &[&dyn Watched],
) {
    let made = all(made);
    if is_finite(&made) {
        return;
    }
    let (primals, given) = (all(primals), all(given));
    assert!(
        !is_finite(&primals) || !is_finite(&given),
        "`{function}`: the rule of `{rule}` makes {} of {}, at the operands and value {}",
        shown(&made),
        shown(&given),
        shown(&primals)
    );
}

/// A seed, and whether it is finite.
pub fn seed<T: Tangent>(seed: T) -> (T, bool) {
    let is_given = is_finite(&Differential(&seed).floats());
    (seed, is_given)
}

/// Panics where a pullback returns what is not finite, or adds it to a shadow, for a seed that is.
#[track_caller]
pub fn watch_call(function: &str, rule: &str, is_given: bool, made: &[&dyn Watched]) {
    let made = all(made);
    assert!(
        !is_given || is_finite(&made),
        "`{function}`: the pullback of `{rule}` makes {} of a cotangent that is finite",
        shown(&made)
    );
}

/// Panics where a `jvp` returns a tangent of another shape than its value's, or one that is not finite for a value
/// that is.
#[track_caller]
pub fn watch_jvp<T: Differentiable>(
    function: &str,
    rule: &str,
    (value, made): (T, T::Tangent),
) -> (T, T::Tangent) {
    let value_floats = Primal(&value).floats();
    let (made_floats, expected) = conformed(&value, &made);
    assert!(
        made_floats.len() == expected,
        "`{function}`: the tangent of `{rule}` has {} floats, and that of its value {expected}",
        made_floats.len()
    );
    assert!(
        is_finite(&made_floats) || !is_finite(&value_floats),
        "`{function}`: the tangent of `{rule}` is {} at the value {}",
        shown(&made_floats),
        shown(&value_floats)
    );
    (value, made)
}

/// Panics where the tangent, cotangent or shadow of a parameter has another shape than its value, or is not finite
/// where that is.
#[track_caller]
pub fn fits<T: Differentiable + ?Sized>(
    function: &str,
    parameter: &str,
    value: &T,
    tangent: &T::Tangent,
) {
    let (tangent, expected) = conformed(value, tangent);
    compare(function, parameter, &Primal(value).floats(), &tangent, expected);
}

/// The floats of a tangent, where a zero without shape has that of the value; and how many it should have.
fn conformed<T: Differentiable + ?Sized>(value: &T, tangent: &T::Tangent) -> (Vec<f64>, usize) {
    let mut conformed = tangent.clone();
    value.conform(&mut conformed);
    (Differential(&conformed).floats(), Differential(&value.zero_tangent()).floats().len())
}

/// Likewise for slices.
#[track_caller]
pub fn fits_each<T: Differentiable>(
    function: &str,
    parameter: &str,
    values: &[T],
    tangents: &[T::Tangent],
) {
    fits(function, parameter, values, &tangents.to_vec());
}

#[track_caller]
fn compare(function: &str, parameter: &str, value: &[f64], tangent: &[f64], expected: usize) {
    assert!(
        tangent.len() == expected,
        "`{function}`: what was given as the tangent or shadow of `{parameter}` has {} floats, and the value has {expected}: {} for {}",
        tangent.len(),
        shown(tangent),
        shown(value)
    );
    assert!(
        is_finite(tangent) || !is_finite(value),
        "`{function}`: what was given as the tangent or shadow of `{parameter}` is not finite: {} for {}",
        shown(tangent),
        shown(value)
    );
}
