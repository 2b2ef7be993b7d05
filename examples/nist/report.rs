//! What is printed: progress, the table, and which requirements were missed.

use super::data::{Difficulty, Problem};
use super::fit::Outcome;
use crate::Solved;

/// Agreement asked of a fit.
const REQUIRED_DIGITS: f64 = 6.0;

/// One line for a finished fit.
pub fn print_progress(problem: &Problem, start: usize, outcome: &Outcome) {
    let Outcome { iterations, digits, .. } = outcome;
    println!(
        "{} from start {}: {iterations} iterations, {digits:.1} digits",
        problem.name,
        start + 1
    );
}

/// Two lines a problem, one for each start.
pub fn print_table(solved: &[Solved]) {
    println!("\nproblem   difficulty  start  iterations  digits  converged");
    println!("--------  ----------  -----  ----------  ------  ---------");
    for Solved { problem, outcomes, .. } in solved {
        for (start, outcome) in outcomes.iter().enumerate() {
            print_row(problem, start, outcome);
        }
    }
}

fn print_row(problem: &Problem, start: usize, outcome: &Outcome) {
    let converged = match &outcome.termination {
        _ if outcome.converged() => "yes".to_owned(),
        reason => format!("no: {reason:?}"),
    };
    println!(
        "{:<8}  {:<10}  {:>5}  {:>10}  {:>6.1}  {converged}",
        problem.name,
        format!("{:?}", problem.difficulty),
        start + 1,
        outcome.iterations,
        outcome.digits,
    );
}

/// A message for each problem that missed what is asked of it.
pub fn failures(solved: &[Solved]) -> Vec<String> {
    solved.iter().filter_map(failure).collect()
}

fn failure(Solved { problem, outcomes, .. }: &Solved) -> Option<String> {
    let reached = outcomes.iter().filter(|outcome| outcome.digits >= REQUIRED_DIGITS).count();
    let required = if problem.difficulty == Difficulty::Lower { 2 } else { 1 };
    (reached < required).then(|| {
        format!(
            "{}: {REQUIRED_DIGITS} digits from {reached} starts, required from {required}",
            problem.name
        )
    })
}
