//! What is printed: the table, and which problems were not solved.

use super::method::Outcome;
use crate::Solved;

/// How close a value must be to a minimum of the paper: as a part of it, whose six digits are cut off, and
/// where it is zero.
const AGREEMENT: f64 = 1e-5;
const ZERO: f64 = 1e-20;
/// How small the gradient must be, as a part of that at the start.
const GRADIENT: f64 = 1e-8;

/// One line a problem and number of variables.
pub fn print_table(solved: &[Solved]) {
    println!(
        " no  problem                     n  steps  trials        value      minimum   gradient"
    );
    println!(
        "---  --------------------------  --  -----  ------  -----------  -----------  ---------"
    );
    for one in solved {
        let Outcome { steps, trials, value, gradient, .. } = &one.outcome;
        let reached = one.reached().map_or("none".to_owned(), |minimum| format!("{minimum:.5e}"));
        println!(
            "{:>3}  {:<26}  {:>2}  {steps:>5}  {trials:>6}  {value:>11.5e}  {reached:>11}  {gradient:>9.1e}",
            one.problem.number, one.problem.name, one.variables
        );
    }
}

impl Solved {
    /// The minimum of the paper that was found.
    fn reached(&self) -> Option<f64> {
        let value = self.outcome.value;
        let near = |minimum: &&f64| (value - **minimum).abs() <= AGREEMENT * **minimum + ZERO;
        self.minima.iter().find(near).copied()
    }
}

/// A message for each problem that was not solved.
pub fn failures(solved: &[Solved]) -> Vec<String> {
    solved.iter().filter_map(failure).collect()
}

fn failure(solved: &Solved) -> Option<String> {
    let Solved { problem, variables, outcome, .. } = solved;
    let flat = outcome.gradient <= GRADIENT * outcome.gradient_at_start;
    let complaint = match solved.reached() {
        None => format!("no minimum of the paper is {:e}", outcome.value),
        Some(_) if !flat => format!("the gradient is {:e}", outcome.gradient),
        Some(_) => return None,
    };
    Some(format!("{} of {variables} variables: {complaint}", problem.name))
}
