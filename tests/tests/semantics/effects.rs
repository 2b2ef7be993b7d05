//! What a function does besides its value happens once, in order: calls without active arguments,
//! output and assertions. A pullback repeats none of it.

use cotangent::differentiate;
use std::cell::{Cell, RefCell};

thread_local! {
    static LOG: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// Writes an entry, and says how many there were.
fn note(entry: usize) -> usize {
    LOG.with_borrow_mut(|log| {
        log.push(entry);
        log.len() - 1
    })
}

/// An effect with a value that is never the same twice.
fn next() -> f64 {
    note(7) as f64 + 1.0
}

fn is_even(entry: usize) -> bool {
    note(entry);
    entry % 2 == 0
}

/// What a run writes to the log.
fn logged<T>(run: impl FnOnce() -> T) -> (T, Vec<usize>) {
    LOG.take();
    let result = run();
    (result, LOG.take())
}

/// All modes write what the primal writes; a pullback writes nothing.
macro_rules! assert_same_log {
    ($name:ident($x:expr $(, $rest:expr)*), $expected:expr) => {{
        let (value, log) = logged(|| $name($x $(, $rest)*));
        assert_eq!(log, $expected, "the function itself");
        let ((seen, _), log) = logged(|| $name::value_and_gradient($x $(, $rest)*));
        assert_eq!((seen, log), (value, $expected.to_vec()), "value_and_gradient");
        let ((seen, _), log) = logged(|| $name::accumulate_gradient($x $(, $rest)*));
        assert_eq!((seen, log), (value, $expected.to_vec()), "accumulate_gradient");
        let ((seen, _), log) = logged(|| $name::jvp($x, 1.0 $(, $rest)*));
        assert_eq!((seen, log), (value, $expected.to_vec()), "jvp");
        let ((seen, pullback), log) = logged(|| $name::vjp($x $(, $rest)*));
        assert_eq!((seen, log), (value, $expected.to_vec()), "vjp");
        let (_, log) = logged(|| pullback(1.0));
        assert_eq!(log, [], "pullback");
    }};
}

#[differentiate]
fn noted(x: f64, n: usize) -> f64 {
    note(100);
    let mut sum = 0.0;
    for i in 0..n {
        note(i);
        sum += x.sin() * i as f64;
    }
    note(200);
    sum * sum
}

#[test]
fn calls_for_their_effect_alone() {
    assert_same_log!(noted(1.5, 3), [100, 0, 1, 2, 200]);
    assert_same_log!(noted(1.5, 0), [100, 200]);
}

#[differentiate]
fn drawn(x: f64, n: usize) -> f64 {
    let mut product = x;
    for _ in 0..n {
        product *= next() * x;
    }
    product
}

#[test]
fn values_that_differ_from_call_to_call() {
    assert_same_log!(drawn(2.0, 3), [7, 7, 7]);
    let (gradient, _) = logged(|| drawn::gradient(2.0, 3));
    assert_eq!(gradient, 4.0 * 8.0 * 6.0, "x⁴ · 1 · 2 · 3");
    let ((_, pullback), _) = logged(|| drawn::vjp(2.0, 3));
    assert_eq!(pullback(1.0), 4.0 * 8.0 * 6.0);
    let ((_, tangent), _) = logged(|| drawn::jvp(2.0, 1.0, 3));
    assert_eq!(tangent, 4.0 * 8.0 * 6.0);
}

#[differentiate]
fn asked(x: f64, n: usize) -> f64 {
    let mut y = x;
    for i in 0..n {
        if is_even(i) && is_even(i / 2) || is_even(i + 5) {
            y = y * x;
        }
    }
    y
}

#[test]
fn conditions_with_effects() {
    assert_same_log!(asked(1.5, 4), [0, 0, 1, 6, 2, 1, 7, 3, 8]);
    let ((_, pullback), _) = logged(|| asked::vjp(2.0, 4));
    assert_eq!(pullback(1.0), 4.0 * 8.0, "three factors more: at 0, 1 and 3");
}

#[differentiate]
fn counted_down(x: f64, n: usize) -> f64 {
    let mut y = x;
    let start = note(0);
    while note(1) < start + n {
        y *= x;
    }
    y
}

#[test]
fn loops_with_effects_in_their_condition() {
    assert_same_log!(counted_down(1.5, 3), [0, 1, 1, 1]);
    let ((_, pullback), _) = logged(|| counted_down::vjp(2.0, 3));
    assert_eq!(pullback(1.0), 3.0 * 4.0);
}

#[differentiate]
fn left_early(x: f64, n: usize) -> f64 {
    let mut y = x;
    for i in 0..n {
        note(i);
        if y > 10.0 {
            note(50);
            return y * x;
        }
        note(20 + i);
        y *= x;
    }
    note(60);
    y
}

#[test]
fn early_exits_end_them() {
    assert_same_log!(left_early(3.0, 9), [0, 20, 1, 21, 2, 50]);
    assert_same_log!(left_early(3.0, 1), [0, 20, 60]);
}

#[differentiate]
fn left_within_a_statement(x: f64, n: usize) -> f64 {
    let twice = note(if n == 1 { return x } else { 3 }) + note(4);
    x * twice as f64
}

#[test]
fn an_exit_ends_its_statement() {
    assert_same_log!(left_within_a_statement(1.5, 0), [3, 4]);
    assert_same_log!(left_within_a_statement(1.5, 1), [0; 0]);
}

#[differentiate]
fn asserted(x: f64) -> f64 {
    assert!(note(1) < 10);
    assert_eq!(note(3), 1);
    debug_assert!(note(4) < 10);
    let y = x * x;
    assert!({
        note(5);
        y > 0.0
    });
    y
}

#[test]
fn arguments_of_assertions() {
    if cfg!(debug_assertions) {
        assert_same_log!(asserted(1.5), [1, 3, 4, 5]);
    } else {
        assert_same_log!(asserted(1.5), [1, 3, 5]);
    }
}

#[differentiate]
fn discarded(x: f64) -> f64 {
    let _ = note(1);
    let _unused = next();
    let shadowed = next();
    let shadowed = shadowed * 0.0 + x;
    (note(2), note(3));
    shadowed
}

#[test]
fn values_that_nobody_reads() {
    assert_same_log!(discarded(1.5), [1, 7, 7, 2, 3]);
}

#[differentiate]
fn explained(x: f64, table: &[f64]) -> f64 {
    assert!(table.is_empty() || note(1) < 10, "{}: {}", table[0], note(2));
    assert_eq!(note(3), 1, "{}", table[note(4) + 100]);
    debug_assert!(x > 0.0, "{}", table[note(5) + 100]);
    x * x
}

/// The message of an assertion that holds is not made: here it would panic.
#[test]
fn arguments_of_messages() {
    let run = || explained::value_and_gradient(3.0, &[0.0]).0;
    assert_eq!(logged(|| explained(3.0, &[0.0])), (9.0, vec![1, 3]));
    assert_eq!(logged(run), (9.0, vec![1, 3]));
    assert_eq!(logged(|| explained::jvp(3.0, 1.0, &[0.0], &[0.0]).0), (9.0, vec![1, 3]));
    assert_eq!(logged(|| explained::vjp(3.0, &[0.0]).0), (9.0, vec![1, 3]));
}

/// A place that a call changes without knowing of derivatives.
fn advance(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    note((*state >> 60) as usize);
    (*state >> 11) as f64 / (1_u64 << 53) as f64
}

fn monte_carlo_reference(x: f64, n: usize) -> f64 {
    let mut state = 1;
    (0..n).map(|_| advance(&mut state)).sum::<f64>() * x
}

#[differentiate]
fn monte_carlo(x: f64, n: usize) -> f64 {
    let mut state = 1;
    let mut sum = 0.0;
    for _ in 0..n {
        sum += advance(&mut state) * x;
    }
    sum
}

#[test]
fn a_generator_of_random_numbers() {
    let (slope, log) = logged(|| monte_carlo_reference(1.0, 5));
    let ((value, gradient), seen) = logged(|| monte_carlo::value_and_gradient(1.0, 5));
    assert_eq!((value, seen), (slope, log));
    assert!((gradient - slope).abs() < 1e-15);
}

#[differentiate]
fn noted_in_segments(x: f64, n: usize) -> f64 {
    let mut y = x;
    #[checkpoint(every = 3)]
    for i in 0..n {
        note(i);
        println!("{i}");
        y = y.sin();
    }
    #[checkpoint(snapshots = 2)]
    for i in 0..n {
        note(100 + i);
        y = y.sin();
    }
    y
}

#[test]
fn what_runs_again_is_silent() {
    assert_same_log!(noted_in_segments(0.7, 5), [0, 1, 2, 3, 4, 100, 101, 102, 103, 104]);
}

#[differentiate]
fn logs(x: f64) -> f64 {
    note(3);
    x.sin()
}

#[differentiate]
fn calls_what_logs(x: f64) -> f64 {
    logs(2.0 * x) * x
}

#[test]
fn a_call_with_several_tangents_runs_once() {
    let ((y, y_dot), log) = logged(|| calls_what_logs::jvp_batch(0.7, [1.0, -2.0]));
    let derivative = 1.4_f64.sin() + 0.7 * 2.0 * 1.4_f64.cos();
    assert_eq!(y, 1.4_f64.sin() * 0.7);
    assert!((y_dot[0] - derivative).abs() < 1e-15 && (y_dot[1] + 2.0 * derivative).abs() < 1e-15);
    assert_eq!(log, [3]);
}

thread_local! {
    /// How many guards there are.
    static GUARDS: Cell<u32> = const { Cell::new(0) };
}

/// Counts itself while it lives.
struct Guard;

impl Guard {
    fn new() -> Self {
        GUARDS.with(|guards| guards.set(guards.get() + 1));
        Guard
    }

    fn another(&self) -> Option<Guard> {
        Some(Guard::new())
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        GUARDS.with(|guards| guards.set(guards.get() - 1));
    }
}

fn guards() -> f64 {
    GUARDS.with(|guards| f64::from(guards.get()))
}

#[differentiate]
fn guarded(x: f64, n: usize) -> f64 {
    let guard = Guard::new();
    let _second = guard.another().unwrap();
    let _ = Guard::new();
    Guard::new();
    let mut sum = x * guards();
    for _ in 0..n {
        let _within = Guard::new();
        sum += x * guards();
    }
    if n > 1 {
        let _third = guard.another().expect("another");
        sum *= guards();
    }
    sum * guards()
}

#[test]
fn what_has_a_name_lives_as_long_as_the_name() {
    for n in [0, 1, 3] {
        let value = guarded(1.0, n);
        assert_eq!(guarded::value_and_gradient(1.0, n), (value, value), "{n}");
        assert_eq!(guarded::jvp(1.0, 1.0, n), (value, value), "{n}");
        let (of_vjp, pullback) = guarded::vjp(1.0, n);
        assert_eq!((of_vjp, pullback(1.0)), (value, value), "{n}");
    }
    assert_eq!(guards(), 0.0);
}
