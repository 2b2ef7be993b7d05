//! A chemical reactor at its steady state: a stirred tank in which `2 A → B → C`, and the second reaction runs back.
//!
//! In: the conditions of the tank. Out: its concentrations, a table of their sensitivities to the conditions, and how far
//! the table is from central differences.

use cotangent::{Differentiable, check, differentiate, linalg, primitive};

/// The conditions: the feed of `A`, the flow through the tank, and rate constants.
#[derive(Differentiable, Clone)]
struct Conditions {
    feed: f64,
    flow: f64,
    forming: f64,
    forward: f64,
    backward: f64,
}

/// What flows in and reacts, of each substance: zero at a steady state.
#[differentiate]
fn balance(concentrations: [f64; 3], conditions: &Conditions) -> [f64; 3] {
    let [a, b, c] = concentrations;
    let first = conditions.forming * a * a;
    let second = conditions.forward * b - conditions.backward * c;
    [
        conditions.flow * (conditions.feed - a) - 2.0 * first,
        first - second - conditions.flow * b,
        second - conditions.flow * c,
    ]
}

/// The steady state, by Newton's method.
#[primitive(root = balance)]
fn steady(conditions: &Conditions) -> [f64; 3] {
    let mut state = [conditions.feed, 0.0, 0.0];
    for _ in 0..50 {
        let slope = slope_of_balance::jacobian(state, conditions);
        let step = linalg::lu_solve(slope.as_slice(), &balance(state, conditions), 3);
        let step = step.expect("a steady state that is stable");
        (0..3).for_each(|i| state[i] -= step[i]);
    }
    state
}

/// The same balance, by its unknowns alone.
#[differentiate(wrt(concentrations))]
fn slope_of_balance(concentrations: [f64; 3], conditions: &Conditions) -> [f64; 3] {
    balance(concentrations, conditions)
}

/// The sensitivity of each concentration by central differences along a condition.
fn differences(conditions: &Conditions, along: usize) -> [f64; 3] {
    let at = |change: f64| {
        let mut changed = conditions.clone();
        *fields(&mut changed)[along] *= 1.0 + change;
        steady(&changed)
    };
    let (step, size) = (1e-5, *fields(&mut conditions.clone())[along]);
    let (above, below) = (at(step), at(-step));
    std::array::from_fn(|i| (above[i] - below[i]) / (2.0 * step * size))
}

fn fields(conditions: &mut Conditions) -> [&mut f64; 5] {
    let Conditions { feed, flow, forming, forward, backward } = conditions;
    [feed, flow, forming, forward, backward]
}

/// A tangent with one entry.
fn unit(along: usize) -> ConditionsTangent {
    let mut tangent = ConditionsTangent::default();
    let ConditionsTangent { feed, flow, forming, forward, backward } = &mut tangent;
    *[feed, flow, forming, forward, backward][along] = 1.0;
    tangent
}

/// Prints the table, and returns whether it agrees with differences.
pub fn report() -> bool {
    let conditions =
        Conditions { feed: 2.0, flow: 0.1, forming: 0.5, forward: 0.3, backward: 0.05 };
    let [a, b, c] = steady(&conditions);
    println!("A stirred tank at its steady state: a = {a:.6}, b = {b:.6}, c = {c:.6}\n");
    println!("by            a           b           c   differences");
    let mut worst = 0.0_f64;
    for (along, name) in ["feed", "flow", "forming", "forward", "backward"].iter().enumerate() {
        let (_, [a, b, c]) = steady::jvp(&conditions, &unit(along));
        let expected = differences(&conditions, along);
        let error = [a, b, c].iter().zip(expected).fold(0.0_f64, |e, (x, y)| e.max((x - y).abs()));
        worst = worst.max(error);
        println!("{name:8} {a:11.6} {b:11.6} {c:11.6}   {error:.1e}");
    }
    // What flows in leaves in one of the substances, two for one.
    let kept = (a + 2.0 * b + 2.0 * c - conditions.feed).abs();
    println!("\nOf the feed {kept:.1e} is lost.");
    worst < 1e-7 && kept < 1e-12 && check!(steady(&conditions)).is_ok()
}
