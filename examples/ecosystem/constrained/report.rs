//! What is printed, and what does not agree.

use super::problems::Problem;
use super::solver::Outcome;

/// How closely a value must agree with the one that is given, as a part of it.
const VALUE: f64 = 1e-8;
/// How closely variables must agree with those that are given.
const PLACE: f64 = 1e-5;
/// How far constraints may be violated, and how long the gradient of the Lagrangian may be.
const OPTIMALITY: f64 = 1e-5;

/// How far a point is from a minimum.
struct Judgement {
    value: f64,
    /// The part by which the value differs from the one that is given.
    value_away: f64,
    /// The largest difference of a variable from the one that is given.
    place_away: f64,
    /// The largest violation of a constraint.
    violation: f64,
    /// The largest part of the gradient of the Lagrangian that no bound holds.
    stationarity: f64,
}

/// Judges an outcome, by the Jacobian of the constraints.
fn judge(problem: &Problem, outcome: &Outcome) -> Judgement {
    let x = &outcome.x;
    let value = (problem.value)(x);
    let constraints = (problem.constraints)(x);
    let outside = |(c, largest): (&f64, &f64)| (-c).max(c - largest);
    let mut lagrangian = vec![0.0; x.len()];
    (problem.gradient)(x, &mut lagrangian);
    let jacobian = (problem.jacobian)(x);
    for (j, multiplier) in outcome.multipliers.iter().enumerate() {
        let row = jacobian.row(j);
        lagrangian.iter_mut().zip(row).for_each(|(part, entry)| *part += multiplier * entry);
    }
    let (least, largest) = problem.bounds;
    let projected = |(x, part): (&f64, &f64)| (x - (x - part).clamp(least, largest)).abs();
    Judgement {
        value,
        value_away: (value / problem.minimum - 1.0).abs(),
        place_away: largest_of(x.iter().zip(problem.minimiser).map(|(x, known)| (x - known).abs())),
        violation: largest_of(constraints.iter().zip(problem.largest).map(outside)),
        stationarity: largest_of(x.iter().zip(&lagrangian).map(projected)),
    }
}

fn largest_of(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, f64::max)
}

/// Prints the head of the table.
pub fn print_head() {
    println!(
        "{:>4} {:>14} {:>14} {:>8} {:>9} {:>12} {:>6} {:>6} {:>8}",
        "", "found", "given", "x away", "violation", "stationarity", "outer", "inner", "ms"
    );
}

/// Prints a row of the table, and returns what does not agree.
pub fn print(problem: &Problem, outcome: &Outcome) -> Vec<String> {
    let judgement = judge(problem, outcome);
    let Judgement { value, value_away, place_away, violation, stationarity } = judgement;
    println!(
        "{:>4} {value:>14.7} {:>14.7} {place_away:>8.1e} {violation:>9.1e} {stationarity:>12.1e} {:>6} {:>6} {:>8.2}",
        problem.number, problem.minimum, outcome.outer, outcome.inner, outcome.milliseconds
    );
    let limits = [
        ("value", value_away, VALUE),
        ("place", place_away, PLACE),
        ("violation", violation, OPTIMALITY),
        ("stationarity", stationarity, OPTIMALITY),
    ];
    limits
        .into_iter()
        .filter(|(_, found, limit)| found.is_nan() || found > limit)
        .map(|(what, found, _)| format!("problem {}: {what} {found:e}", problem.number))
        .collect()
}
