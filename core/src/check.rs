//! The rule tester: whether derivatives are those of their function.
//!
//! `check!(f(args..))` compares every derivative of a function under `#[differentiate]` or `#[primitive]` with the
//! function itself, at the point of the call. The result is a [`Report`] or the first [`Mismatch`].
//!
//! ```
//! use cotangent::{check, differentiate};
//!
//! #[differentiate]
//! fn energy(x: f64, w: &[f64]) -> f64 {
//!     let mut sum = 0.0;
//!     for i in 0..w.len() {
//!         sum += (w[i] * x).sin();
//!     }
//!     sum
//! }
//!
//! let report = check!(energy(0.3, &[1.0, 2.0, 3.0])).unwrap();
//! assert!(report.forward() && report.reverse() && report.accumulate());
//! ```
//!
//! # What is tested
//!
//! Along random directions, the same in every run, and with random seeds, that
//!
//! 1. every mode gives the function's value, bit for bit, and makes of `&mut` arguments what the
//!    function makes of them;
//! 2. the tangents of `jvp` are those of central differences;
//! 3. ⟨ȳ, J ẋ⟩ = ⟨Jᵀ ȳ, ẋ⟩ between `jvp` and `vjp` to rounding, where J is the derivative of
//!    the whole map: `&mut` arguments are among its inputs and its outputs. Without `jvp`, J ẋ
//!    comes from differences;
//! 4. shadows of `&` arguments that are not zero are added to, in the memory in which they are;
//! 5. `&mut` arguments are restored by the pullback;
//! 6. a second run gives the same bits;
//! 7. tangents and cotangents have as many floats as their values, and those of constants are zero;
//! 8. `accumulate_gradient` agrees with the pullback whose seed is one;
//! 9. where a counter is given, and the function allocates nothing, neither do `jvp` and `accumulate_gradient`, and
//!    shadows of `&mut` arguments stay in their memory, too.
//!
//! Of a function with several `#[differentiate]` all orders are tested: its `jvp`, along tangents that are drawn, and its
//! gradient are functions with derivatives of one order less, and are tested as such, where a value is compared to
//! rounding only. [`Report::orders`] says how many there were. `check!(f::gradient(args..))` and
//! `check!(f::jvp(args..))` test one of them alone.
//!
//! The point must lie away from corners, further than a hundredth of each argument (a tenth with `f32`), since
//! differences look that far.
//!
//! # Reading a mismatch
//!
//! A mismatch names the function and the mode, the place by the names of parameters and fields, the direction, and
//! both numbers. Where a tangent is wrong, it also says what reverse mode makes of it, since a rule may be right in one
//! mode alone. The second line is the point.
//!
//! ```
//! use cotangent::check::{Kind, Mode};
//! use cotangent::{Differentiable, check, primitive};
//!
//! #[derive(Clone, Differentiable)]
//! struct State {
//!     level: f64,
//!     velocity: [f64; 2],
//! }
//!
//! fn speed_jvp(state: &State, state_dot: &StateTangent) -> (f64, f64) {
//!     let [v, w] = state.velocity;
//!     (speed(state), (v * state_dot.velocity[0] + w * state_dot.velocity[1]) / speed(state))
//! }
//!
//! fn speed_vjp(state: &State) -> (f64, impl FnOnce(&State, &mut StateTangent, f64) + use<>) {
//!     let speed = speed(state);
//!     (speed, move |state: &State, state_bar: &mut StateTangent, speed_bar: f64| {
//!         state_bar.velocity[0] += state.velocity[0] / speed * speed_bar;
//!         state_bar.velocity[1] += state.velocity[0] / speed * speed_bar;
//!     })
//! }
//!
//! #[primitive(jvp = speed_jvp, vjp = speed_vjp)]
//! fn speed(state: &State) -> f64 {
//!     state.velocity[0].hypot(state.velocity[1])
//! }
//!
//! let mismatch = check!(speed(&State { level: 1.0, velocity: [3.0, 4.0] })).unwrap_err();
//! assert_eq!(
//!     mismatch.to_string(),
//!     "`speed`: vjp's cotangent of `state.velocity[1]` with a seed of 1 at the output is 0.6, \
//!      expected 0.8 ± 1.4e-10 by jvp\n    \
//!      at state.level = 1.0, state.velocity[0] = 3.0, state.velocity[1] = 4.0",
//! );
//! assert_eq!((mismatch.kind(), mismatch.mode()), (Kind::Cotangent, Mode::Vjp));
//! assert_eq!(mismatch.place(), "state.velocity[1]");
//! ```
//!
//! # Points of a domain
//!
//! After the call, names of its arguments may be drawn from a [`Domain`], each time the same points. They are sixteen
//! unless `points` says otherwise. A rule that is right for positive arguments alone is found by a domain that has
//! others; the mismatch prints the point.
//!
//! ```
//! use cotangent::{check, primitive};
//!
//! #[primitive(partials(3.0 * x * x))]
//! fn cube(x: f64) -> f64 {
//!     x.abs().powi(3)
//! }
//!
//! check!(cube(x), x in 0.1..2.0).unwrap();
//! let mismatch = check!(cube(x), x in -2.0..2.0, points = 8).unwrap_err();
//! assert!(mismatch.point().starts_with("x = -"));
//! ```
//!
//! A domain may depend on names before it. Arrays, vectors and tuples of domains are domains, and so are closures that
//! make values of types of your own:
//!
//! ```
//! use cotangent::check::{Domain, Random};
//! use cotangent::{Differentiable, check, differentiate};
//!
//! #[derive(Clone, Differentiable)]
//! struct Spring {
//!     stiffness: f64,
//!     rest: f64,
//! }
//!
//! #[differentiate]
//! fn energy(spring: &Spring, x: &mut Vec<f64>) -> f64 {
//!     let mut sum = 0.0;
//!     for i in 0..x.len() {
//!         x[i] -= spring.rest;
//!         sum += 0.5 * spring.stiffness * x[i] * x[i];
//!     }
//!     sum
//! }
//!
//! let springs = |random: &mut Random| {
//!     let (stiffness, rest) = (0.5..2.0, 0.0..1.0).draw(random);
//!     Spring { stiffness, rest }
//! };
//! check!(energy(&spring, &mut x), spring in springs, n in 1..5, mut x in vec![-1.0..1.0; n]).unwrap();
//! ```
//!
//! A [`Mismatch`] is an error, so that `check!(f(x, &w))?` does the same in a test of the crate `proptest`, whose
//! strategies also make a failing point smaller.
//!
//! # An exact gradient
//!
//! `against = exact` compares the gradient with that of a function which takes what the function takes, and returns what its
//! `gradient` returns: a closed form, a published table, another library. Arguments of the call are evaluated for each.
//!
//! ```
//! use cotangent::check::Kind;
//! use cotangent::{check, differentiate};
//!
//! #[differentiate]
//! fn energy(x: f64, w: &[f64]) -> f64 {
//!     w.iter().map(|w| (w * x).sin()).sum()
//! }
//!
//! fn exact(x: f64, w: &[f64]) -> (f64, Vec<f64>) {
//!     let cosines = w.iter().map(|w| (w * x).cos());
//!     (cosines.clone().zip(w).map(|(cosine, w)| w * cosine).sum(), cosines.map(|cosine| x * cosine).collect())
//! }
//!
//! check!(energy(x, &w), x in -2.0..2.0, w in [-1.0..1.0; 3], against = exact).unwrap();
//! let mismatch = check!(energy(1.0, &[0.0]), against = |x: f64, _: &[f64]| (0.0, vec![2.0 * x])).unwrap_err();
//! assert_eq!((mismatch.kind(), mismatch.place()), (Kind::Exact, "gradient.1[0]"));
//! ```
//!
//! A float may differ from the exact one by 1e-10 of it, and by a few roundings of the largest.
//!
//! # Tolerance and step
//!
//! `within = 1e-4` allows that relative error against differences and against an exact gradient: for a rule that is itself
//! an approximation. `step = 1e-4` is for a point near the edge of a domain: differences look no further than that part of
//! each argument.
//!
//! ```
//! use cotangent::check::Kind;
//! use cotangent::{check, differentiate};
//!
//! #[differentiate]
//! fn rapidity(gamma: f64) -> f64 {
//!     assert!(gamma > 1.0, "slower than at rest");
//!     gamma.acosh()
//! }
//!
//! assert_eq!(check!(rapidity(1.001)).unwrap_err().kind(), Kind::Panic);
//! check!(rapidity(1.001), step = 1e-4).unwrap();
//! ```
//!
//! # Tangents that are written by hand
//!
//! [`laws`] tests the impls of `Differentiable` and `Tangent` that are not derived.
//!
//! # Allocations
//!
//! `allocations = counter` gives a function that says how often the present thread has allocated. The allocator that
//! counts is in the tests, since it is unsafe to write:
//!
//! ```
//! use cotangent::check::Kind;
//! use cotangent::{check, differentiate};
//! use std::alloc::{GlobalAlloc, Layout, System};
//! use std::cell::Cell;
//!
//! thread_local! {
//!     static COUNT: Cell<usize> = const { Cell::new(0) };
//! }
//!
//! struct Counting;
//!
//! unsafe impl GlobalAlloc for Counting {
//!     unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
//!         // There is no counter any more when a thread ends.
//!         let _ = COUNT.try_with(|count| count.set(count.get() + 1));
//!         unsafe { System.alloc(layout) }
//!     }
//!
//!     unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
//!         unsafe { System.dealloc(pointer, layout) }
//!     }
//! }
//!
//! #[global_allocator]
//! static COUNTING: Counting = Counting;
//!
//! fn allocations() -> usize {
//!     COUNT.with(Cell::get)
//! }
//!
//! #[differentiate]
//! fn sum_of_sines(x: &[f64]) -> f64 {
//!     x.iter().map(|x| x.sin()).sum()
//! }
//!
//! #[differentiate]
//! fn iterated(x: f64, rate: f64, shift: f64, n: usize) -> f64 {
//!     let mut y = x;
//!     for _ in 0..n {
//!         y = (y * rate + shift).sin();
//!     }
//!     y
//! }
//!
//! check!(sum_of_sines(&[0.3, 0.4]), allocations = allocations).unwrap();
//! // This loop needs a tape. `tape` allows `accumulate_gradient` to have one.
//! check!(iterated(0.3, 1.5, 0.1, 5), allocations = allocations, tape).unwrap();
//! let mismatch = check!(iterated(0.3, 1.5, 0.1, 5), allocations = allocations).unwrap_err();
//! assert_eq!(mismatch.kind(), Kind::Allocation);
//! ```
//!
//! What is done once, such as filling a table, is not held against a rule: the second run is counted. The pullback of
//! `vjp` is not measured, as it owns what it needs.
//!
//! # Sums in no fixed order
//!
//! Values are compared bit by bit. Threads that share a sum add it up in another order each time, so that there is no
//! such value: `rounded` compares it up to rounding, in `check!(total(&x), rounded)`.
//!
//! # What cannot be tested
//!
//! A test runs the function many times, each time with fresh arguments. What is behind `&` and constant is passed as it
//! is, whatever its type. Of everything else the tester makes copies: by `Clone`, and for cells only where a copy has
//! cells of its own, which that of an `Rc` has not. If there are none, `check!` returns a mismatch of
//! [`Kind::Argument`], and if the function panics, at the point or where differences are taken, one of [`Kind::Panic`]
//! with the message. It does not panic itself; without the feature `std` it cannot catch the function's panic.
//!
//! ```
//! use cotangent::check::Kind;
//! use cotangent::{check, differentiate};
//!
//! /// It is not `Clone`.
//! struct Steps(usize);
//!
//! #[differentiate(constant(steps))]
//! fn growth(x: f64, steps: Steps) -> f64 {
//!     x.powi(steps.0 as i32)
//! }
//!
//! #[differentiate]
//! fn first(x: &[f64]) -> f64 {
//!     x[0]
//! }
//!
//! assert_eq!(check!(growth(1.5, Steps(3))).unwrap_err().kind(), Kind::Argument);
//! assert_eq!(check!(first(&[])).unwrap_err().kind(), Kind::Panic);
//! ```
//!
//! # Tolerances
//!
//! How far a tangent may be from differences follows from the differences themselves. `D(h) = (f(x + h ẋ) - f(x - h
//! ẋ)) / 2h` is computed at seven steps, each an eighth of the one before (six, each a half, with `f32`), and
//! Richardson's extrapolation makes a table of them:
//!
//! `T[j, 0] = D(h[j])`, `T[j, k] = T[j, k-1] + (T[j, k-1] - T[j-1, k-1]) / (r²ᵏ - 1)`
//!
//! An entry's error is estimated as a quarter of the larger of `|T[j, k] - T[j, k-1]|` and `|T[j, k] - T[j-1, k-1]|`,
//! which Ridders takes for its truncation, and the rounding that reaches it: that of the function, divided by the step
//! and carried through the same recursion. The rounding of the function is that of its result, or, where it is
//! noisier than that, what the quotients of the smallest steps disagree about. A tangent agrees if it is within four
//! estimated errors, and sixteen roundings of its own, of an entry whose error is at most ten times the smallest. In
//! smooth functions of `f64` this finds errors of 1e-8 of the derivative. However noisy a function is, no more
//! is allowed than 1e-6 of the derivative (1e-3 with `f32`) beyond what two neighbouring quotients disagree about and the
//! results are rounded by. Where the quotients disagree by more than roundings, because the function varies too quickly
//! for them, there are as many smaller steps again.
//! (C. J. F. Ridders, "Accurate computation of F'(x) and F'(x) F''(x)", Advances in Engineering Software 4, 1982;
//! also `dfridr` in "Numerical Recipes".)
//!
//! Derivatives that differ by rounding alone, `vjp` from `jvp` and `accumulate_gradient` from `vjp`, are compared to
//! 1e-10 (1e-5 with `f32`) of the sum of the magnitudes of their terms. The least precise float among the arguments and
//! the results decides.
//!
//! At a minimum these terms are what rounding leaves of larger ones, which cancel inside of the derivative. So each
//! derivative also runs at three neighbours of the point, a few roundings away: by 64 times what it differs by there it
//! may differ. A tangent that is within no tolerance is wrong if seven of nine neighbours see the same; rounding
//! scatters. (J. Vignes, "A stochastic arithmetic for reliable scientific computation", Mathematics and Computers in
//! Simulation 35, 1993.)
//!
//! # Derivatives without a macro
//!
//! What `check!` does is done by hand with a [`Case`]: a function at a point, with its derivatives as closures.

mod argument;
mod case;
mod difference;
mod domain;
mod exact;
mod forward;
mod laws;
mod leaves;
mod memory;
mod mismatch;
mod opaque;
mod panics;
mod parameter;
mod place;
mod point;
mod precision;
mod random;
mod report;
mod reverse;
mod rounding;
mod settings;
mod subject;
mod tester;
#[cfg(test)]
mod tests;
mod verify;

pub use argument::{Argument, ArgumentMut, ArgumentRef, Hold, HoldConstant};
pub use case::{Case, Seed};
pub use domain::{Domain, Uniform, at_points};
pub use laws::laws;
pub use mismatch::{Kind, Mismatch, Mode};
pub use opaque::{
    Opaque, OpaqueShared, OpaqueUnique, Refused, opaque, opaque_shared, opaque_unique, refused,
};
pub use parameter::{
    Bare, Copied, Held, Inspect, Parameter, Role, Shadow, Shared, Slot, Unique, Value, celled,
    drawn, shared, unique, value,
};
pub use point::Point;
pub use random::Random;
pub use report::Report;
pub use settings::Settings;
