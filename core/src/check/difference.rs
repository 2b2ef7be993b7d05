//! Directional derivatives by central differences: the yardstick that knows nothing of rules.
//!
//! Two neighbouring steps give one quotient by Richardson's extrapolation, which removes the error
//! term of second order. Each quotient estimates its own error: what the two steps disagree about,
//! and what rounding makes of a division by so small a step. Invariant: a quotient whose error is
//! much larger than that of the best is never believed.

use alloc::vec;
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

/// The quotients of one result at all pairs of steps; none where the function is not finite.
pub(super) struct Quotients(Vec<Estimate>);

/// The derivative of every result along a direction.
pub(super) fn differences(tester: &Tester<'_>, direction: &Floats) -> Vec<Quotients> {
    let precision = tester.precision;
    let mut quotients = vec![Vec::new(); tester.results.len()];
    let mut coarse: Option<Vec<f64>> = None;
    for step in precision.steps() {
        let fine = central(tester, direction, step);
        if let (Some(coarse), Some(fine)) = (&coarse, &fine) {
            extrapolate(&mut quotients, coarse, fine, step, tester);
        }
        coarse = fine;
    }
    quotients.into_iter().map(Quotients).collect()
}

/// `(f(x + h d) - f(x - h d)) / 2h`, unless a result changes its shape on the way.
fn central(tester: &Tester<'_>, direction: &Floats, step: f64) -> Option<Vec<f64>> {
    let above = tester.results_of(&tester.subject.moved(direction, step));
    let below = tester.results_of(&tester.subject.moved(direction, -step));
    let size = tester.results.len();
    let quotient = |(above, below)| (above - below) / (2.0 * step);
    let fits = above.len() == size && below.len() == size;
    fits.then(|| above.iter().zip(&below).map(quotient).collect())
}

/// Adds one quotient to each result from those of two neighbouring steps.
fn extrapolate(
    quotients: &mut [Vec<Estimate>],
    coarse: &[f64],
    fine: &[f64],
    step: f64,
    tester: &Tester<'_>,
) {
    let Precision { epsilon, ratio, .. } = tester.precision;
    // What cancels in one result is as large as what is left in another: a zero that elimination makes
    // is rounded like the rest of its matrix.
    let size = largest(&tester.results);
    for (quotients, (coarse, fine)) in quotients.iter_mut().zip(coarse.iter().zip(fine)) {
        let spread = fine - coarse;
        let value = fine + spread / (ratio * ratio - 1.0);
        let rounding = epsilon * (size + value.abs()) / step;
        if value.is_finite() {
            quotients.push(Estimate { value, error: spread.abs() / 4.0 + rounding });
        }
    }
}

impl Quotients {
    /// The quotient with the smallest error.
    pub(super) fn best(&self) -> Option<Estimate> {
        self.0.iter().copied().min_by(|a, b| a.error.total_cmp(&b.error))
    }

    /// The quotient that a tangent agrees with, if there is one. `tolerance` is relative.
    pub(super) fn agreeing(&self, tangent: f64, tolerance: f64) -> Option<Estimate> {
        let best = self.best()?.error;
        self.0.iter().copied().find(|quotient| {
            let close = tolerance * quotient.value.abs().max(tangent.abs());
            let credible = quotient.error <= close.max(10.0 * best);
            credible && (quotient.value - tangent).abs() <= close + 4.0 * quotient.error
        })
    }
}
