//! Derivatives of a function by differences, without knowledge of the expected result.
//!
//! Differences are taken at many step sizes, extrapolated, and the value whose own error estimate is
//! the smallest is chosen: large steps suffer from the function's curvature, small ones from rounding.

/// The derivative at `x`; NaN where the function is not a number around `x`.
pub fn central(function: impl Fn(f64) -> f64, x: f64) -> f64 {
    let slope = |step: f64| slope(&function, x - step, x + step);
    best(|step| {
        let [coarse, middle, fine] = [step, step / 2.0, step / 4.0].map(slope);
        let (coarse, fine) = (middle + (middle - coarse) / 3.0, fine + (fine - middle) / 3.0);
        (fine + (fine - coarse) / 15.0, fine)
    })
}

/// The derivative at `x` from the left (`side` −1) or the right (`side` 1).
pub fn one_sided(function: impl Fn(f64) -> f64, x: f64, side: f64) -> f64 {
    let slope = |step: f64| slope(&function, x, x + side * step);
    best(|step| {
        let [coarse, middle, fine] = [step, step / 2.0, step / 4.0].map(slope);
        let (coarse, fine) = (middle + (middle - coarse), fine + (fine - middle));
        (fine + (fine - coarse) / 3.0, fine)
    })
}

/// The slope of a secant, over the distance that the rounded ends have.
fn slope(function: impl Fn(f64) -> f64, from: f64, to: f64) -> f64 {
    (function(to) - function(from)) / (to - from)
}

/// From pairs of an extrapolated value and the one before, the value that changed least.
fn best(extrapolated: impl Fn(f64) -> (f64, f64)) -> f64 {
    let steps = (4..22).map(|exponent| 0.5_f64.powi(exponent));
    let estimates = steps.map(extrapolated).map(|(value, before)| (value, (value - before).abs()));
    let finite = estimates.filter(|(_, error)| error.is_finite());
    finite.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(f64::NAN, |(value, _)| value)
}
