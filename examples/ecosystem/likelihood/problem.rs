//! A likelihood as argmin wants it.
//!
//! In: a regression, and which form of the Hessian a method asks for. Out: the traits `CostFunction`, `Gradient` and
//! `Hessian`. Invariant: a value and its gradient are made together, and once for each point.

use std::cell::RefCell;

use argmin::core::{CostFunction, Error, Gradient, Hessian};
use argmin_math::ArgminDot;

use super::model::{Regression, negative_log_likelihood};

/// The point that was evaluated last, its value and its gradient, and how many there were before.
#[derive(Default)]
struct Last {
    x: Vec<f64>,
    value: f64,
    gradient: Vec<f64>,
    evaluations: usize,
}

/// A function to minimise, with its Hessian in the form `H`.
pub struct Likelihood<'a, H> {
    regression: &'a Regression,
    hessian: fn(&[f64], &'a Regression) -> H,
    last: RefCell<Last>,
}

impl<'a, H> Likelihood<'a, H> {
    pub fn new(regression: &'a Regression, hessian: fn(&[f64], &'a Regression) -> H) -> Self {
        Likelihood { regression, hessian, last: RefCell::default() }
    }

    /// How many points were evaluated.
    pub fn evaluations(&self) -> usize {
        self.last.borrow().evaluations
    }

    /// Reads from what is known of a point.
    fn at<T>(&self, x: &[f64], read: impl FnOnce(&Last) -> T) -> Result<T, Error> {
        let mut last = self.last.borrow_mut();
        if last.x != x {
            let (value, gradient) = negative_log_likelihood::value_and_gradient(x, self.regression);
            *last = Last { x: x.to_vec(), value, gradient, evaluations: last.evaluations + 1 };
        }
        Ok(read(&last))
    }
}

impl<H> CostFunction for Likelihood<'_, H> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, x: &Vec<f64>) -> Result<f64, Error> {
        self.at(x, |last| last.value)
    }
}

impl<H> Gradient for Likelihood<'_, H> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, x: &Vec<f64>) -> Result<Vec<f64>, Error> {
        self.at(x, |last| last.gradient.clone())
    }
}

impl<H> Hessian for Likelihood<'_, H> {
    type Param = Vec<f64>;
    type Hessian = H;

    fn hessian(&self, x: &Vec<f64>) -> Result<H, Error> {
        Ok((self.hessian)(x, self.regression))
    }
}

/// The Hessian as rows.
pub fn rows(x: &[f64], regression: &Regression) -> Vec<Vec<f64>> {
    let hessian = negative_log_likelihood::hessian(x, regression);
    (0..x.len()).map(|i| hessian.row(i).to_vec()).collect()
}

/// The Hessian at a point, by its products with vectors alone.
#[derive(Clone)]
pub struct Curvature<'a> {
    x: Vec<f64>,
    regression: &'a Regression,
}

impl<'a> Curvature<'a> {
    pub fn at(x: &[f64], regression: &'a Regression) -> Self {
        Curvature { x: x.to_vec(), regression }
    }
}

impl ArgminDot<Vec<f64>, Vec<f64>> for Curvature<'_> {
    fn dot(&self, direction: &Vec<f64>) -> Vec<f64> {
        negative_log_likelihood::hvp(&self.x, direction, self.regression)
    }
}
