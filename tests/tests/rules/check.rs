//! The test of one row: its partials are derivatives, in both float types and through the traits.

use super::differences::{central, one_sided};

/// A row of the table, evaluated.
pub struct Row {
    pub name: &'static str,
    pub axes: Vec<Axis>,
    /// The points that the row names besides its intervals.
    pub corners: Vec<Vec<f64>>,
    pub double: Evaluation,
    pub single: Evaluation,
}

/// Where an operand is sampled.
pub struct Axis {
    low: f64,
    high: f64,
    pub integer: bool,
}

impl Axis {
    /// From a row's interval; the name of an integer type, if the operand has one.
    pub fn new<T: Into<f64>>(interval: std::ops::Range<T>, integer: &str) -> Self {
        Axis { low: interval.start.into(), high: interval.end.into(), integer: !integer.is_empty() }
    }

    fn at(&self, fraction: f64) -> f64 {
        let value = self.low + fraction * (self.high - self.low);
        if self.integer { value.floor() } else { value }
    }
}

/// A row in one float type, as functions of a point in double precision.
pub struct Evaluation {
    pub primal: fn(&[f64]) -> f64,
    pub partials: Partials,
    /// For each partial the results of the traits' vjp and jvp in a direction.
    pub products: fn(&[f64], f64) -> Vec<[f64; 2]>,
}

/// The partials at a point, one for each operand that is not an integer.
pub type Partials = Box<dyn Fn(&[f64]) -> Vec<f64>>;

const SAMPLES: usize = 200;

/// Of the derivatives, relative to 1 or the derivative: central differences, extrapolated, have about
/// ten digits, one-sided ones eight.
const CENTRAL_TOLERANCE: f64 = 1e-9;
const ONE_SIDED_TOLERANCE: f64 = 1e-7;

/// Relative to 1 or the derivative: a few operations in single precision.
const SINGLE_TOLERANCE: f64 = 8.0 * f32::EPSILON as f64;

/// Tests a row at points of its intervals and at its corners.
///
/// # Errors
///
/// The first disagreement, with the row's name.
pub fn check(row: &Row) -> Result<(), String> {
    check_derivatives(row)?;
    check_single_precision(row)?;
    check_traits(row)
}

/// That the partials are derivatives.
pub fn check_derivatives(row: &Row) -> Result<(), String> {
    samples(&row.axes).iter().try_for_each(|point| row.check_inside(point))?;
    row.corners.iter().try_for_each(|point| row.check_corner(point))
}

/// That the partials in single precision are those in double precision, rounded.
pub fn check_single_precision(row: &Row) -> Result<(), String> {
    samples(&row.axes).iter().chain(&row.corners).try_for_each(|point| row.check_single(point))
}

/// That the traits for unknown types give the partials.
fn check_traits(row: &Row) -> Result<(), String> {
    samples(&row.axes).iter().chain(&row.corners).try_for_each(|point| {
        row.check_products(&row.double, point)?;
        row.check_products(&row.single, point)
    })
}

/// Points that fill the intervals evenly: multiples of irrational numbers, modulo one.
fn samples(axes: &[Axis]) -> Vec<Vec<f64>> {
    let steps = [2.0_f64.sqrt(), 3.0_f64.sqrt(), 5.0_f64.sqrt()];
    let point = |index: usize| {
        let fraction = |step: &f64| (index as f64 * step).fract();
        axes.iter().zip(&steps).map(|(axis, step)| axis.at(fraction(step))).collect()
    };
    (1..=SAMPLES).map(point).collect()
}

impl Row {
    /// The partials with the operands that they belong to.
    fn partials(&self, point: &[f64]) -> Vec<(usize, f64)> {
        let operands = (0..self.axes.len()).filter(|&operand| !self.axes[operand].integer);
        operands.zip((self.double.partials)(point)).collect()
    }

    /// The function along one operand.
    fn along(&self, point: &[f64], operand: usize) -> impl Fn(f64) -> f64 {
        let (primal, point) = (self.double.primal, point.to_vec());
        move |value| {
            let mut point = point.clone();
            point[operand] = value;
            primal(&point)
        }
    }

    fn check_inside(&self, point: &[f64]) -> Result<(), String> {
        for (operand, partial) in self.partials(point) {
            let expected = central(self.along(point, operand), point[operand]);
            self.require(
                agree(partial, expected, CENTRAL_TOLERANCE),
                point,
                operand,
                partial,
                expected,
            )?;
        }
        Ok(())
    }

    /// At a corner a partial lies between the derivatives of the two sides.
    fn check_corner(&self, point: &[f64]) -> Result<(), String> {
        for (operand, partial) in self.partials(point) {
            let function = self.along(point, operand);
            let [left, right] = [-1.0, 1.0].map(|side| one_sided(&function, point[operand], side));
            let nearest =
                if left.is_nan() { right } else { partial.clamp(left.min(right), left.max(right)) };
            self.require(
                agree(partial, nearest, ONE_SIDED_TOLERANCE),
                point,
                operand,
                partial,
                nearest,
            )?;
        }
        Ok(())
    }

    fn check_single(&self, point: &[f64]) -> Result<(), String> {
        let point: Vec<f64> = point.iter().map(|&value| f64::from(value as f32)).collect();
        let single = (self.single.partials)(&point);
        for ((operand, double), single) in self.partials(&point).into_iter().zip(single) {
            self.require(agree(single, double, SINGLE_TOLERANCE), &point, operand, single, double)?;
        }
        Ok(())
    }

    /// The traits give exactly the partial times the direction.
    fn check_products(&self, evaluation: &Evaluation, point: &[f64]) -> Result<(), String> {
        // A power of two, which multiplies without rounding.
        let direction = -2.0;
        let partials = (evaluation.partials)(point);
        let products = (evaluation.products)(point, direction);
        for (operand, (partial, products)) in partials.iter().zip(products).enumerate() {
            for product in products {
                let expected = partial * direction;
                self.require(agree(product, expected, 0.0), point, operand, product, expected)?;
            }
        }
        Ok(())
    }

    fn require(
        &self,
        holds: bool,
        point: &[f64],
        operand: usize,
        found: f64,
        expected: f64,
    ) -> Result<(), String> {
        if holds {
            return Ok(());
        }
        Err(format!(
            "row `{}` at {point:?}, operand {operand}: {found:e} instead of {expected:e}",
            self.name
        ))
    }
}

/// Equality up to a tolerance relative to 1 or the value; NaN agrees with NaN.
fn agree(found: f64, expected: f64, tolerance: f64) -> bool {
    let scale = expected.abs().max(1.0);
    found == expected
        || (found - expected).abs() <= tolerance * scale
        || (found.is_nan() && expected.is_nan())
}
