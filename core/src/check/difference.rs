//! Directional derivatives by central differences: the yardstick that knows nothing of rules.
//!
//! Central differences `D(h) = (f(x + h d) - f(x - h d)) / 2h` at steps `h`, each by a ratio `r` smaller than the one
//! before, have an error in even powers of `h`. Richardson's extrapolation removes these, one power a column:
//!
//! `T[j, 0] = D(h[j])`, `T[j, k] = T[j, k-1] + (T[j, k-1] - T[j-1, k-1]) / (r^2k - 1)`
//!
//! Each entry estimates its own error. What is left of the truncation is no more than what its last extrapolation has
//! changed, as Ridders has it. What rounding contributes follows from the function's noise, which central differences
//! divide by `h` and each extrapolation amplifies: `R[j, 0] = noise / h[j]`, `R[j, k] = (r^2k R[j, k-1] +
//! R[j-1, k-1]) / (r^2k - 1)`. The noise is one rounding of the results, or what the quotients of the smallest
//! steps, where truncation has vanished, disagree about. Invariant: an entry whose error is much larger than that of
//! the best is never believed.
//!
//! C. J. F. Ridders, "Accurate computation of F'(x) and F'(x) F''(x)", Advances in Engineering Software 4 (1982).

use alloc::vec::Vec;

use super::leaves::Floats;
use super::precision::Precision;
use super::reverse::largest;
use super::tester::Tester;

/// A number with an estimate of its error.
#[derive(Clone, Copy)]
pub(super) struct Estimate {
    pub value: f64,
    pub error: f64,
}

/// An entry of the table.
#[derive(Clone, Copy)]
struct Entry {
    value: f64,
    /// What rounding contributes to its error.
    rounding: f64,
}

/// The entries of the table of one result that estimate their errors; none where the function is not finite.
pub(super) struct Quotients {
    entries: Vec<Limited>,
    epsilon: f64,
    /// The relative error that is allowed in any case.
    within: f64,
    /// Whether what the smallest steps disagree about is as small as rounding, if only that of single precision
    /// somewhere in the function.
    is_rounded: bool,
}

/// Up to which part of a result a disagreement is taken for its rounding.
const ROUNDED: f64 = 1e-5;

/// An estimate, and the error that is allowed to a tangent at most, whatever the estimate says.
#[derive(Clone, Copy)]
struct Limited {
    estimate: Estimate,
    limit: f64,
}

/// The results with a pair of steps; nothing where one changes its shape on the way.
struct Row {
    step: f64,
    results: Option<[Vec<f64>; 2]>,
}

impl Row {
    /// The largest result.
    fn size(&self) -> f64 {
        let results = self.results.iter().flatten();
        results.map(|results| largest(results)).fold(0.0, f64::max)
    }
}

/// How often a quotient is extrapolated at most: more would only amplify what steps that are too large have seen.
const COLUMNS: usize = 5;

/// The derivative of every result along a direction. What varies too quickly for the usual steps is seen by smaller ones.
pub(super) fn differences(tester: &Tester<'_>, direction: &Floats) -> Vec<Quotients> {
    let precision = tester.precision;
    let row = |step| central(tester, direction, step);
    let mut rows: Vec<Row> = precision.steps().map(row).collect();
    let results = 0..tester.results.len();
    let mut all: Vec<_> = results.map(|result| quotients(&rows, result, precision)).collect();
    if all.iter().any(Quotients::is_coarse) {
        rows.extend(precision.further_steps().map(row));
        let coarse = all.iter_mut().enumerate().filter(|(_, quotients)| quotients.is_coarse());
        coarse.for_each(|(result, place)| *place = quotients(&rows, result, precision));
    }
    all
}

/// The results at `x + h d` and `x - h d`.
fn central(tester: &Tester<'_>, direction: &Floats, step: f64) -> Row {
    let at = |step| tester.results_of(&tester.subject.moved(direction, step));
    let (above, below) = (at(step), at(-step));
    let count = tester.results.len();
    let fits = above.len() == count && below.len() == count;
    Row { step, results: fits.then_some([above, below]) }
}

/// A quotient, where it is finite.
struct Difference {
    step: f64,
    value: Option<f64>,
    /// The larger result.
    size: f64,
}

impl Difference {
    /// That of one result in a row.
    fn of(row: &Row, result: usize) -> Self {
        let [above, below] = match &row.results {
            Some([above, below]) => [above[result], below[result]],
            None => [f64::NAN; 2],
        };
        let value = (above - below) / (2.0 * row.step);
        let value = Some(value).filter(|value| value.is_finite());
        Difference { step: row.step, value, size: above.abs().max(below.abs()) }
    }
}

/// The table of one result.
fn quotients(rows: &[Row], result: usize, precision: Precision) -> Quotients {
    let differences: Vec<_> = rows.iter().map(|row| Difference::of(row, result)).collect();
    let scatter = scatter(&differences, precision.ratio);
    let size = differences.iter().map(|one| one.size).filter(|size| size.is_finite());
    let is_rounded = scatter <= ROUNDED * size.fold(0.0, f64::max);
    let Precision { epsilon, within, .. } = precision;
    let mut quotients = Quotients { entries: Vec::new(), epsilon, within, is_rounded };
    let mut above: Vec<Entry> = Vec::new();
    for (Difference { step, value, size }, row) in differences.into_iter().zip(rows) {
        let Some(value) = value else {
            above.clear();
            continue;
        };
        // A result that scatters, and is as small as a rounding of the largest, is one: what cancels in a zero that
        // elimination makes is as large as the rest of its matrix.
        let all = row.size();
        let is_zero = !is_rounded && size <= 64.0 * precision.epsilon * all;
        let rounded = precision.epsilon * (if is_zero { all } else { size } + value.abs());
        let first = Entry { value, rounding: rounded.max(scatter) / step };
        let row = extrapolated(first, &above, precision.ratio);
        let noise = if is_rounded { first.rounding } else { rounded / step };
        let limit = limit(&row, &above, noise, precision);
        quotients.extend(&row, &above, limit);
        above = row;
    }
    quotients
}

/// What the quotients of the four smallest steps disagree about, as an error of the function. They are extrapolated
/// once, so that it is not their truncation.
fn scatter(differences: &[Difference], ratio: f64) -> f64 {
    let once = |pair: &[Difference]| {
        let (coarse, fine) = (pair[0].value?, pair[1].value?);
        Some((pair[1].step, fine + (fine - coarse) / (ratio * ratio - 1.0)))
    };
    let disagreement = |pair: &[Option<(f64, f64)>]| match pair {
        [Some((_, coarse)), Some((step, fine))] => (fine - coarse).abs() * step,
        _ => 0.0,
    };
    let smallest = differences.len().saturating_sub(5);
    let extrapolated: Vec<_> = differences[smallest..].windows(2).map(once).collect();
    extrapolated.windows(2).map(disagreement).fold(0.0, f64::max)
}

/// A row of the table, from its first entry and the row above.
fn extrapolated(first: Entry, above: &[Entry], ratio: f64) -> Vec<Entry> {
    let mut row = Vec::from([first]);
    let mut power = 1.0;
    for above in above.iter().take(COLUMNS - 1) {
        power *= ratio * ratio;
        let Some(left) = row.last() else { break };
        row.push(Entry {
            value: left.value + (left.value - above.value) / (power - 1.0),
            rounding: (power * left.rounding + above.rounding) / (power - 1.0),
        });
    }
    row
}

/// What two quotients that are not extrapolated allow: far more than the table estimates for a smooth function,
/// but a noisy one is not to excuse a wrong tangent.
fn limit(row: &[Entry], above: &[Entry], rounding: f64, precision: Precision) -> f64 {
    match (row, above) {
        ([fine, second, ..], [coarse, ..]) => {
            let spread = (fine.value - coarse.value).abs();
            precision.difference * second.value.abs() + spread + 4.0 * rounding
        }
        _ => f64::INFINITY,
    }
}

impl Quotients {
    /// Adds the entries of a row that are extrapolated, which is what their errors are estimated from.
    fn extend(&mut self, row: &[Entry], above: &[Entry], limit: f64) {
        for (column, pair) in row.windows(2).enumerate() {
            let [left, entry] = pair else { continue };
            let value = entry.value;
            let change = (value - left.value).abs().max((value - above[column].value).abs());
            let error = change / 4.0 + entry.rounding;
            if value.is_finite() && error.is_finite() {
                self.entries.push(Limited { estimate: Estimate { value, error }, limit });
            }
        }
    }

    fn best_entry(&self) -> Option<&Limited> {
        self.entries.iter().min_by(|a, b| a.estimate.error.total_cmp(&b.estimate.error))
    }

    /// The quotient with the smallest error.
    pub(super) fn best(&self) -> Option<Estimate> {
        self.best_entry().map(|entry| entry.estimate)
    }

    /// The quotient with the smallest error, and as its error what a comparison with it has to allow.
    pub(super) fn allowed(&self) -> Option<Estimate> {
        let best = self.best_entry()?;
        Some(Estimate { error: self.tolerance(best, best.estimate.value), ..best.estimate })
    }

    /// Whether smaller steps would see more: these disagree by more than roundings.
    fn is_coarse(&self) -> bool {
        let is_far = |Estimate { value, error }: Estimate| error > 1e-5 * value.abs();
        !self.is_rounded && self.best().is_none_or(is_far)
    }

    /// Whether the function varies by more than its rounding.
    pub(super) fn is_seen(&self) -> bool {
        self.best().is_some_and(|Estimate { value, error }| value.abs() > 100.0 * error)
    }

    /// The quotient that a tangent agrees with, if there is one.
    pub(super) fn agreeing(&self, tangent: Estimate) -> Option<Estimate> {
        let best = self.best()?.error;
        let agrees = |entry: &&Limited| {
            let Estimate { value, error } = entry.estimate;
            let tolerance = self.tolerance(entry, tangent.value) + tangent.error;
            error <= 10.0 * best && (value - tangent.value).abs() <= tolerance
        };
        self.entries.iter().find(agrees).map(|entry| entry.estimate)
    }

    /// Four times the estimated error, and the rounding of the tangent itself.
    fn tolerance(&self, entry: &Limited, tangent: f64) -> f64 {
        let rounding = 16.0 * self.epsilon * tangent.abs();
        let allowed = (4.0 * entry.estimate.error + rounding).min(entry.limit);
        allowed.max(self.within * entry.estimate.value.abs())
    }
}
