//! Interpolation in a table.

use super::Float;
use super::shape::{check_beside, check_fit, check_same};
use crate::{differentiate, primitive, zero_adjoint};

/// The value at `x` of the piecewise linear function that is `ys[i]` at `xs[i]`, and constant outside.
///
/// `xs` ascends; this is not checked but where it is used. The derivatives are by `x`, by the knots `xs` and by
/// the values `ys`. At a knot they are those of the segment that begins there, and at the last knot those of
/// the last segment.
///
/// ```
/// use cotangent::linalg::interp;
///
/// let (xs, ys) = ([0.0, 1.0, 3.0], [0.0, 2.0, 4.0]);
/// assert_eq!(interp(2.0, &xs, &ys), 3.0);
/// let (x_bar, xs_bar, ys_bar) = interp::gradient(2.0, &xs, &ys);
/// assert_eq!((x_bar, xs_bar, ys_bar), (1.0, vec![0.0, -0.5, -0.5], vec![0.0, 0.5, 0.5]));
/// ```
///
/// # Panics
///
/// When the table is empty, its sides differ in length, or the knots beside `x` do not ascend.
#[track_caller]
#[primitive(vjp = interp_vjp, jvp = interp_jvp)]
#[differentiate]
#[differentiate]
pub fn interp<T: Float>(x: T, xs: &[T], ys: &[T]) -> T {
    Place::of(x, xs, ys).value(ys)
}

/// Where in the table a point lies.
enum Place<T> {
    /// Outside, or in a table of one knot: the value of this knot.
    At(usize),
    /// In the segment that begins at a knot: how far, as a part of its length, and that.
    Within { first: usize, part: T, length: T },
}

impl<T: Float> Place<T> {
    #[track_caller]
    fn of(x: T, xs: &[T], ys: &[T]) -> Self {
        check_same("interp", ("xs", xs), ("ys", ys));
        let [start, .., end] = xs else {
            assert!(!xs.is_empty(), "interp: the table is empty");
            return Place::At(0);
        };
        match () {
            () if x < *start => Place::At(0),
            () if x > *end => Place::At(xs.len() - 1),
            () => Place::within(x, xs),
        }
    }

    #[track_caller]
    fn within(x: T, xs: &[T]) -> Self {
        let after = xs.partition_point(|knot| *knot <= x);
        let first = after.clamp(1, xs.len() - 1) - 1;
        let length = xs[first + 1] - xs[first];
        assert!(length > T::zero(), "interp: knots {first} and {} do not ascend", first + 1);
        Place::Within { first, part: (x - xs[first]) / length, length }
    }

    fn value(&self, ys: &[T]) -> T {
        match *self {
            Place::At(knot) => ys[knot],
            Place::Within { first, part, .. } => {
                (T::one() - part) * ys[first] + part * ys[first + 1]
            }
        }
    }
}

/// The knots that the value at a point is between, or twice the one whose value it is.
#[track_caller]
#[zero_adjoint]
fn knots<T: Float>(x: T, xs: &[T], ys: &[T]) -> (usize, usize) {
    match Place::of(x, xs, ys) {
        Place::At(knot) => (knot, knot),
        Place::Within { first, .. } => (first, first + 1),
    }
}

fn interp_vjp<T: Float>(
    x: T,
    xs: &[T],
    ys: &[T],
) -> (T, impl FnOnce(&[T], &mut [T], &[T], &mut [T], T) -> T + use<T>) {
    let place = Place::of(x, xs, ys);
    let value = place.value(ys);
    (value, move |xs: &[T], xs_bar: &mut [T], ys: &[T], ys_bar: &mut [T], bar: T| {
        check_beside(xs, xs_bar);
        check_beside(ys, ys_bar);
        match place {
            Place::At(knot) => {
                ys_bar[knot] += bar;
                T::zero()
            }
            Place::Within { first, part, length } => {
                let x_bar = bar * ((ys[first + 1] - ys[first]) / length);
                xs_bar[first] -= (T::one() - part) * x_bar;
                xs_bar[first + 1] -= part * x_bar;
                ys_bar[first] += (T::one() - part) * bar;
                ys_bar[first + 1] += part * bar;
                x_bar
            }
        }
    })
}

#[differentiate]
fn interp_jvp<T: Float>(x: T, x_dot: T, xs: &[T], xs_dot: &[T], ys: &[T], ys_dot: &[T]) -> (T, T) {
    check_fit(xs_dot.len(), xs.len());
    check_fit(ys_dot.len(), ys.len());
    let (first, second) = knots(x, xs, ys);
    if first == second {
        return (ys[first], ys_dot[first]);
    }
    let length = xs[second] - xs[first];
    let part = (x - xs[first]) / length;
    let rest = T::one() - part;
    let knots_dot = rest * xs_dot[first] + part * xs_dot[second];
    let moved = (ys[second] - ys[first]) / length * (x_dot - knots_dot);
    let values_dot = rest * ys_dot[first] + part * ys_dot[second];
    (rest * ys[first] + part * ys[second], values_dot + moved)
}
