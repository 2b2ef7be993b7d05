//! `#[differentiate(debug)]`: derivatives check what they are given and what rules make, and panic at the source line.

use cotangent::{Differentiable, differentiate, primitive};
use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::sync::Mutex;

/// One hook at a time.
static HOOK: Mutex<()> = Mutex::new(());

/// The message and the line of a panic.
fn panic_of<T>(run: impl FnOnce() -> T) -> (String, u32) {
    let _one = HOOK.lock().unwrap_or_else(|error| error.into_inner());
    let line = std::sync::Arc::new(std::sync::atomic::AtomicU32::new(0));
    let (seen, before) = (line.clone(), std::panic::take_hook());
    let thread = std::thread::current().id();
    std::panic::set_hook(Box::new(move |info| {
        // Other tests may panic at the same time.
        if std::thread::current().id() == thread {
            let line = info.location().map_or(0, Location::line);
            seen.store(line, std::sync::atomic::Ordering::Relaxed);
        }
    }));
    let result = catch_unwind(AssertUnwindSafe(run));
    std::panic::set_hook(before);
    let payload = result.err().expect("a panic");
    let message = payload.downcast_ref::<String>().expect("a message with figures");
    (message.clone(), line.load(std::sync::atomic::Ordering::Relaxed))
}

const SQRT: u32 = line!() + 4;

#[differentiate(debug)]
fn roots(x: f64, w: &[f64]) -> f64 {
    w.iter().map(|w| (w * x).sqrt()).sum::<f64>()
}

#[test]
fn a_rule_that_is_not_finite_is_named() {
    let message = "the rule of `sqrt` makes [inf] of [1.0], at the operands and value [0.0, 0.0]";
    let (reverse, line) = panic_of(|| roots::gradient(0.5, &[1.0, 0.0]));
    assert_eq!((reverse, line), (format!("`roots::accumulate_gradient`: {message}"), SQRT));
    let (forward, line) = panic_of(|| roots::jvp(0.5, 0.0, &[0.0], &[2.0]));
    assert_eq!((forward, line), (format!("`roots::jvp`: {message}"), SQRT));
    let (pullback, _) = panic_of(|| roots::vjp(0.5, &[0.0]).1(&[0.0], &mut [0.0], 1.0));
    assert_eq!(pullback, format!("`roots::vjp`: {message}"));
}

#[test]
fn what_is_not_finite_itself_is_let_through() {
    let (value, (x_bar, _)) = roots::value_and_gradient(f64::INFINITY, &[1.0]);
    assert!(value.is_infinite() && !x_bar.is_infinite());
}

fn broken_vjp(w: &[f64]) -> (f64, impl FnOnce(&[f64], &mut [f64], f64) + use<>) {
    (w[0], |_: &[f64], w_bar: &mut [f64], y_bar: f64| w_bar[0] += y_bar / 0.0)
}

fn broken_jvp(w: &[f64], w_dot: &[f64]) -> (f64, f64) {
    (w[0], w_dot[0] / 0.0)
}

#[primitive(vjp = broken_vjp, jvp = broken_jvp)]
fn broken(w: &[f64]) -> f64 {
    w[0]
}

const BROKEN: u32 = line!() + 4;

#[differentiate(debug)]
fn calls(x: f64, w: &[f64]) -> f64 {
    x * broken(w)
}

#[test]
fn a_rule_of_the_users_own_is_named() {
    let (reverse, line) = panic_of(|| calls::gradient(2.0, &[3.0]));
    let (forward, _) = panic_of(|| calls::jvp(2.0, 1.0, &[3.0], &[1.0]));
    let text = "`calls::accumulate_gradient`: the pullback of `broken` makes [inf] of a cotangent that is finite";
    assert_eq!((reverse.as_str(), line), (text, BROKEN));
    assert!(forward.contains("the tangent of `broken` is [inf] at the value [3.0]"), "{forward}");
}

#[derive(Clone, Differentiable)]
struct State {
    velocity: Vec<f64>,
    mass: f64,
}

const STATE: u32 = line!() + 3;

#[differentiate(debug)]
fn energy(state: &mut State, w: &[f64], x: f64) -> f64 {
    for i in 0..w.len() {
        state.velocity[i] *= x * w[i];
    }
    0.5 * state.mass * state.velocity.iter().map(|v| v * v).sum::<f64>()
}

fn state() -> State {
    State { velocity: vec![1.0, 2.0], mass: 3.0 }
}

#[test]
fn shadows_must_fit() {
    let (w, mut shadow) = ([0.5, 0.25], StateTangent::default());
    let (message, line) =
        panic_of(|| energy::accumulate_gradient(&mut state(), &mut shadow, &w, &mut [0.0; 2], 2.0));
    let text = "`energy`: what was given as the tangent or shadow of `state` has 1 floats, and the value has 3";
    assert!(message.starts_with(text), "{message}");
    assert_eq!(line, STATE);
    let mut shadow = state().zero_tangent();
    let (message, _) =
        panic_of(|| energy::accumulate_gradient(&mut state(), &mut shadow, &w, &mut [0.0], 2.0));
    assert!(message.contains("shadow of `w` has 1 floats, and the value has 2"), "{message}");
    let (message, _) = panic_of(|| {
        let mut dot = StateTangent { velocity: vec![f64::NAN, 0.0], mass: 0.0 };
        energy::jvp(&mut state(), &mut dot, &w, &[0.0; 2], 2.0, 1.0)
    });
    assert!(message.contains("shadow of `state` is not finite: [NaN, 0.0, 0.0]"), "{message}");
}

#[test]
fn checked_derivatives_are_the_same() {
    cotangent::check!(energy(&mut state(), &[0.5, 0.25], 2.0)).unwrap();
    cotangent::check!(roots(0.7, &[0.5, 0.25])).unwrap();
}
