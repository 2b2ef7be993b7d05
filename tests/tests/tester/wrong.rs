//! Rules with one mistake each. The message names the place, and the numbers there.

use super::counter::allocations;
use cotangent::check::{Kind, Mismatch, Mode};
use cotangent::{Differentiable, check};
use expect_test::Expect;
use std::cell::Cell;

#[derive(Clone, Debug, Differentiable)]
struct State {
    level: f64,
    velocity: Vec<f64>,
}

/// `x |x| Σ velocity + s[1]`, after which `s[1]` is `x level`.
fn value(x: f64, state: &State, s: &mut Vec<f64>) -> f64 {
    let y = x * x.abs() * state.velocity.iter().sum::<f64>() + s[1];
    s[1] = x * state.level;
    y
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mistake {
    None,
    Sign,
    Factor,
    PositiveOnly,
    Overwrites,
    ForgetsToRestore,
    ForgetsToZero,
    Shape,
    Stale,
    JvpAlone,
    VjpAlone,
    Allocates,
    Moves,
}

use Mistake::*;

/// The derivative of `x |x|` as both modes have it.
fn slope(mistake: Mistake, x: f64) -> f64 {
    match mistake {
        Sign => -2.0 * x.abs(),
        Factor => 2.000_002 * x.abs(),
        PositiveOnly => 2.0 * x,
        _ => 2.0 * x.abs(),
    }
}

fn jvp(
    mistake: Mistake,
    (x, x_dot): (f64, f64),
    (state, state_dot): (&State, &StateTangent),
    (s, s_dot): (&mut Vec<f64>, &mut Vec<f64>),
) -> (f64, f64) {
    let sum: f64 = state.velocity.iter().sum();
    let sum_dot: f64 = match mistake {
        JvpAlone => state_dot.velocity.iter().skip(1).sum(),
        Allocates => state_dot.velocity.clone().iter().sum(),
        _ => state_dot.velocity.iter().sum(),
    };
    let y_dot = slope(mistake, x) * x_dot * sum + x * x.abs() * sum_dot + s_dot[1];
    s_dot[1] = x_dot * state.level + x * state_dot.level;
    if mistake == Shape {
        s_dot.push(0.0);
    }
    (value(x, state, s), y_dot)
}

fn pullback(
    mistake: Mistake,
    (x, s_1): (f64, f64),
    (state, state_bar): (&State, &mut StateTangent),
    (s, s_bar): (&mut Vec<f64>, &mut Vec<f64>),
    y_bar: f64,
) -> f64 {
    if mistake != ForgetsToRestore {
        s[1] = s_1;
    }
    let product_bar =
        if mistake == ForgetsToZero { s_bar[1] } else { std::mem::take(&mut s_bar[1]) };
    s_bar[1] += y_bar;
    state_bar.level += product_bar * x;
    for (i, bar) in state_bar.velocity.iter_mut().enumerate() {
        let term = x * x.abs() * y_bar;
        match mistake {
            Overwrites => *bar = term,
            VjpAlone if i == 2 => *bar -= term,
            _ => *bar += term,
        }
    }
    if mistake == Moves {
        state_bar.velocity = state_bar.velocity.clone();
    }
    slope(mistake, x) * state.velocity.iter().sum::<f64>() * y_bar + product_bar * state.level
}

thread_local! {
    static RUNS: Cell<f64> = const { Cell::new(0.0) };
}

/// What is left of the runs before: wrong by a rounding only.
fn stale(mistake: Mistake) -> f64 {
    RUNS.set(RUNS.get() + 1e-14);
    if mistake == Stale { 1.0 + RUNS.get() } else { 1.0 }
}

/// The state at which all rules are tested.
fn state() -> State {
    State { level: 0.5, velocity: vec![0.25, 0.75, -0.5] }
}

#[track_caller]
fn assert_rejected(mismatch: &Mismatch, (kind, mode): (Kind, Mode), place: &str, message: &Expect) {
    assert_eq!((mismatch.kind(), mismatch.mode()), (kind, mode), "{mismatch}");
    assert_eq!(mismatch.place(), place, "{mismatch}");
    let point = "x = 1.5, state.level = 0.5, state.velocity[0] = 0.25, state.velocity[1] = 0.75, \
                 state.velocity[2] = -0.5, s[0] = 3.0, s[1] = 4.0";
    assert_eq!(mismatch.point(), point);
    message.assert_eq(mismatch.message());
}

/// The function with a rule that has a mistake.
macro_rules! rule {
    ($mistake:ident) => {
        use super::{State, StateTangent};

        fn f_jvp(
            x: f64,
            x_dot: f64,
            state: &State,
            state_dot: &StateTangent,
            s: &mut Vec<f64>,
            s_dot: &mut Vec<f64>,
        ) -> (f64, f64) {
            super::jvp(super::$mistake, (x, x_dot), (state, state_dot), (s, s_dot))
        }

        fn f_vjp(
            x: f64,
            state: &State,
            s: &mut Vec<f64>,
        ) -> (
            f64,
            impl FnOnce(&State, &mut StateTangent, &mut Vec<f64>, &mut Vec<f64>, f64) -> f64 + use<>,
        ) {
            let s_1 = s[1];
            let pullback = move |state: &State, state_bar: &mut StateTangent, s: &mut Vec<f64>, s_bar: &mut Vec<f64>, y_bar| {
                let (state, s) = ((state, state_bar), (s, s_bar));
                super::pullback(super::$mistake, (x, s_1), state, s, y_bar) * super::stale(super::$mistake)
            };
            (super::value(x, state, s), pullback)
        }

        #[cotangent::primitive(jvp = f_jvp, vjp = f_vjp)]
        pub fn f(x: f64, state: &State, s: &mut Vec<f64>) -> f64 {
            super::value(x, state, s)
        }
    };
}

macro_rules! rejected {
    ($($name:ident: $mistake:ident => $kind:ident in $mode:ident at $place:literal, $message:expr;)*) => {$(
        mod $name {
            rule!($mistake);

            #[test]
            fn is_rejected() {
                let (x, s) = (1.5, &mut vec![3.0, 4.0]);
                let outcome =
                    cotangent::check!(f(x, &super::state(), s), allocations = super::allocations);
                let expected = (super::Kind::$kind, super::Mode::$mode);
                super::assert_rejected(&outcome.unwrap_err(), expected, $place, &$message);
            }
        }
    )*};
}

mod right {
    rule!(None);
}

#[test]
fn the_rule_without_mistakes() {
    let report = check!(
        right::f(x, &state(), &mut vec![3.0, 4.0]),
        x in -2.0..2.0,
        allocations = allocations,
        // By way of `vjp` a gradient needs shadows of its own for what is changed.
        tape,
    );
    let report = report.unwrap();
    assert!(report.forward() && report.reverse() && report.accumulate());
}

mod right_for_positive_inputs {
    rule!(PositiveOnly);
}

#[test]
fn right_for_positive_inputs_alone() {
    use right_for_positive_inputs::f;

    check!(f(x, &state(), &mut vec![3.0, 4.0]), x in 0.1..2.0).unwrap();
    let mismatch = check!(f(x, &state(), &mut vec![3.0, 4.0]), x in -2.0..2.0).unwrap_err();
    assert_eq!((mismatch.kind(), mismatch.direction()), (Kind::Tangent, Some("x")), "{mismatch}");
    assert!(mismatch.point().starts_with("x = -"), "{mismatch}");
}

rejected! {
    wrong_sign: Sign => Tangent in Jvp at "output", expect_test::expect!["jvp's tangent of the output along `x` is -1.5, expected 1.5000000000000577 ± 9.0e-13 by differences; by vjp it is -1.5"];
    wrong_factor: Factor => Tangent in Jvp at "output", expect_test::expect!["jvp's tangent of the output along `x` is 1.5000014999999998, expected 1.5000000000000577 ± 9.0e-13 by differences; by vjp it is 1.5000014999999998"];
    overwrites: Overwrites => Shadow in Vjp at "state.velocity[0]", expect_test::expect!["with shadows that were not zero, vjp's cotangent of `state.velocity[0]` is -0.005017971756939344, expected 0.03218736568681062 ± 3.2e-12"];
    forgets_to_restore: ForgetsToRestore => Restored in Vjp at "s[1]", expect_test::expect!["vjp does not restore its arguments: `s[1]` is 0.75, expected 4.0"];
    forgets_to_zero: ForgetsToZero => Cotangent in Vjp at "s[1]", expect_test::expect!["vjp's cotangent of `s[1]` with a seed of 1 at `s[1]` is 1.0, expected 0.0 ± 1.0e-10 by jvp"];
    wrong_shape: Shape => Shape in Jvp at "s", expect_test::expect!["jvp's tangent of `s` has 3 floats, but the value has 2"];
    stale_state: Stale => Repeat in Vjp at "x", expect_test::expect!["vjp's cotangent of `x` is 0.014269215792181341, and 0.014269215792181484 in a second run"];
    wrong_in_forward_mode: JvpAlone => Tangent in Jvp at "output", expect_test::expect!["jvp's tangent of the output along `state.velocity[0]` is 0.0, expected 2.24999999999792 ± 4.7e-12 by differences; by vjp it is 2.25"];
    wrong_in_reverse_mode: VjpAlone => Cotangent in Vjp at "state.velocity[2]", expect_test::expect!["vjp's cotangent of `state.velocity[2]` with a seed of 1 at the output is -2.25, expected 2.25 ± 4.5e-10 by jvp"];
    allocates: Allocates => Allocation in Jvp at "", expect_test::expect!["jvp allocates once, and the function does not"];
    moves_its_shadow: Moves => Moved in Vjp at "state", expect_test::expect!["vjp moves the shadow of `state` to other memory, instead of changing it in place"];
}
