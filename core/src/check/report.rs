//! What the tester went through without finding a fault.

use alloc::string::String;
use core::fmt;

/// A summary of a test that passed.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    pub(super) function: String,
    pub(super) points: usize,
    pub(super) orders: usize,
    /// Whether there are floats of single precision.
    pub(super) single: bool,
    pub(super) directions: usize,
    pub(super) forward: bool,
    pub(super) reverse: bool,
    pub(super) accumulate: bool,
    pub(super) largest_difference: f64,
    pub(super) largest_disagreement: f64,
    /// The arguments of the last point.
    pub(super) point: String,
}

impl Report {
    pub(super) fn new(function: &str) -> Report {
        Report {
            function: function.into(),
            points: 1,
            orders: 1,
            single: false,
            directions: 0,
            forward: false,
            reverse: false,
            accumulate: false,
            largest_difference: 0.0,
            largest_disagreement: 0.0,
            point: String::new(),
        }
    }

    /// The name of the function.
    #[must_use]
    pub fn function(&self) -> &str {
        &self.function
    }

    /// Adds the test at another point.
    pub(super) fn join(&mut self, other: &Report) {
        self.points += other.points;
        self.orders = self.orders.max(other.orders);
        self.directions += other.directions;
        self.largest_difference = self.largest_difference.max(other.largest_difference);
        self.largest_disagreement = self.largest_disagreement.max(other.largest_disagreement);
    }

    /// Adds the test of a derivative as a function of its own.
    #[doc(hidden)]
    #[must_use]
    pub fn and(mut self, derivative: &Report) -> Self {
        self.orders = self.orders.max(derivative.orders + 1);
        self.largest_difference = self.largest_difference.max(derivative.largest_difference);
        self.largest_disagreement = self.largest_disagreement.max(derivative.largest_disagreement);
        self
    }

    /// Derivatives of how many orders were tested: as many as there are `#[differentiate]`.
    #[must_use]
    pub fn orders(&self) -> usize {
        self.orders
    }

    /// At how many points the derivatives were tested.
    #[must_use]
    pub fn points(&self) -> usize {
        self.points
    }

    /// Along how many directions the derivatives were tested.
    #[must_use]
    pub fn directions(&self) -> usize {
        self.directions
    }

    /// Whether forward mode was there to be tested.
    #[must_use]
    pub fn forward(&self) -> bool {
        self.forward
    }

    /// Whether reverse mode was there to be tested.
    #[must_use]
    pub fn reverse(&self) -> bool {
        self.reverse
    }

    /// Whether `accumulate_gradient` was there to be tested.
    #[must_use]
    pub fn accumulate(&self) -> bool {
        self.accumulate
    }

    /// The largest relative error of `jvp` against central differences.
    #[must_use]
    pub fn largest_difference(&self) -> f64 {
        self.largest_difference
    }

    /// The largest relative error of reverse mode against `jvp`, or against central differences where
    /// there is no `jvp`.
    #[must_use]
    pub fn largest_disagreement(&self) -> f64 {
        self.largest_disagreement
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: ", self.function)?;
        if self.points > 1 {
            write!(f, "{} points, ", self.points)?;
        }
        if self.orders > 1 {
            write!(f, "{} orders, ", self.orders)?;
        }
        write!(f, "{} directions", self.directions)?;
        if self.forward {
            write!(f, "; jvp within {:.1e} of differences", self.largest_difference)?;
        }
        if self.reverse {
            let against = if self.forward { "jvp" } else { "differences" };
            write!(f, "; vjp within {:.1e} of {against}", self.largest_disagreement)?;
        }
        if self.accumulate {
            f.write_str("; accumulate_gradient agrees with vjp")?;
        }
        Ok(())
    }
}
