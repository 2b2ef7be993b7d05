//! `check!(f(x), against = exact)`: the gradient beside one that is known otherwise.
//!
//! **In:** two gradients of one type. **Out:** the report of the test before, or the first float in which they differ.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::leaves::Part;
use super::mismatch::{Kind, Mismatch, Mode};
use super::place::{listing, quoted};
use super::precision::Precision;
use super::report::Report;
use super::settings::Settings;
use crate::tangent::Tangent;

impl Report {
    /// Compares the gradient of the function that was tested with an exact one. Each float may differ by the tolerance,
    /// relative to that float, and by a few roundings of the largest.
    #[doc(hidden)]
    pub fn against<G: Tangent>(
        self,
        found: &G,
        exact: &G,
        by: &str,
        settings: &Settings,
    ) -> Result<Self, Mismatch> {
        let precision = Precision::of(self.single);
        let tolerance = settings.tolerance().unwrap_or(precision.rounding);
        let (found, exact) = (named_floats(found), named_floats(exact));
        if found.len() != exact.len() {
            let (found, exact) = (found.len(), exact.len());
            let message =
                format!("the gradient has {found} floats, and that of `{by}` has {exact}");
            return Err(self.differs(String::from("gradient"), message));
        }
        let largest = exact.iter().map(|(_, exact)| exact.abs()).fold(0.0, f64::max);
        for ((path, found), (_, exact)) in found.into_iter().zip(exact) {
            let allowed = tolerance * exact.abs() + 16.0 * precision.epsilon * largest;
            let is_same = found == exact || found.is_nan() && exact.is_nan();
            if is_same || (found - exact).abs() <= allowed {
                continue;
            }
            let place = format!("gradient{path}");
            let message = format!("{} is {found:?}, expected {exact:?} by `{by}`", quoted(&place));
            let mismatch = self.differs(place, message).between(found, exact);
            return Err(mismatch.naming_debug());
        }
        Ok(self)
    }

    fn differs(&self, place: String, message: String) -> Mismatch {
        let (kind, mode) = (Kind::Exact, Mode::AccumulateGradient);
        Mismatch::new(&self.function, kind, mode, place, message).at(self.point.clone())
    }
}

/// The floats of a gradient, each behind the steps that lead to it.
fn named_floats(gradient: &impl Tangent) -> Vec<(String, f64)> {
    let parts = listing(usize::MAX, |visitor| gradient.visit(visitor)).into_iter();
    parts.filter_map(|(path, part): (String, Part)| Some((path, part.float()?))).collect()
}
