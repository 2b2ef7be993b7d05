//! Functions of a struct of parameters, as functions of a slice.
//!
//! **In**: parameters of any type, and a closure that calls derivatives by them. **Out**: the value and the gradient by the
//! floats of the parameters, as solvers and samplers ask for them.
//! **Invariant**: the floats are in the order of [`Differentiable::visit`], and there are as many of them in each gradient
//! as in the parameters.

use alloc::vec;
use alloc::vec::Vec;

use crate::differentiable::Differentiable;
use crate::tangent::Tangent;

/// A function of parameters of type `P`, as one of their floats.
///
/// The methods have the forms in which the adapters of solvers and samplers take derivatives:
///
/// ```
/// use cotangent::{Differentiable, Flat, differentiate};
///
/// #[derive(Clone, Differentiable)]
/// struct Line {
///     slope: f64,
///     intercept: f64,
/// }
///
/// #[differentiate(wrt(line))]
/// fn loss(line: &Line, data: &[(f64, f64)]) -> f64 {
///     data.iter().map(|(x, y)| (line.slope * x + line.intercept - y).powi(2)).sum()
/// }
///
/// let data = [(0.0, 1.0), (1.0, 3.0)];
/// let start = Line { slope: 0.0, intercept: 0.0 };
/// let flat = Flat::new(start, |line| loss::value_and_gradient(line, &data));
/// assert_eq!(flat.value_and_gradient(&[2.0, 0.0]), (2.0, vec![-2.0, -4.0]));
/// assert_eq!(flat.params(&[2.0, 1.0]).intercept, 1.0);
/// ```
#[derive(Clone, Debug)]
pub struct Flat<P, F> {
    template: P,
    value_and_gradient: F,
}

impl<P, F> Flat<P, F>
where
    P: Differentiable + Clone,
    F: Fn(&P) -> (f64, P::Tangent),
{
    /// A function, by parameters of the shape that all of its arguments have, and a closure that returns its value and
    /// gradient, such as `|params| f::value_and_gradient(params, data)`.
    pub fn new(template: P, value_and_gradient: F) -> Self {
        const { assert!(!P::Tangent::SHARES, "parameters that hold shared cells are not supported") };
        Flat { template, value_and_gradient }
    }

    /// The parameters with these floats.
    ///
    /// # Panics
    ///
    /// When there are more or fewer than the parameters have.
    #[must_use]
    pub fn params(&self, x: &[f64]) -> P {
        let mut params = self.template.clone();
        params.read_from(x);
        params
    }

    /// The value, and the gradient by each float.
    ///
    /// # Panics
    ///
    /// When there are more or fewer floats than the parameters have.
    #[must_use]
    pub fn value_and_gradient(&self, x: &[f64]) -> (f64, Vec<f64>) {
        let params = self.params(x);
        let (value, mut gradient) = (self.value_and_gradient)(&params);
        params.conform(&mut gradient);
        let mut flat = vec![0.0; x.len()];
        gradient.write_to(&mut flat);
        (value, flat)
    }

    /// Adds the gradient by each float to a shadow, and returns the value.
    ///
    /// ```
    /// use cotangent::{Flat, differentiate};
    ///
    /// #[differentiate]
    /// fn product(pair: &(f64, f64)) -> f64 {
    ///     pair.0 * pair.1
    /// }
    ///
    /// let flat = Flat::new((0.0, 0.0), product::value_and_gradient);
    /// let mut shadow = [10.0, 20.0];
    /// assert_eq!(flat.accumulate_gradient(&[2.0, 3.0], &mut shadow), 6.0);
    /// assert_eq!(shadow, [13.0, 22.0]);
    /// ```
    ///
    /// # Panics
    ///
    /// When there are more or fewer floats than the parameters have, or than there are in the shadow.
    pub fn accumulate_gradient(&self, x: &[f64], shadow: &mut [f64]) -> f64 {
        let (value, gradient) = self.value_and_gradient(x);
        assert!(
            shadow.len() == gradient.len(),
            "a shadow of length {} was given for {} floats",
            shadow.len(),
            gradient.len()
        );
        shadow.iter_mut().zip(gradient).for_each(|(place, float)| *place += float);
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `Σ x² + y`, where there is a `y`; its gradient leaves zeros without shape.
    fn square(params: &(Vec<f64>, Option<f64>)) -> (f64, (Vec<f64>, Option<f64>)) {
        let value = params.0.iter().map(|x| x * x).sum();
        (value, (params.0.iter().map(|x| 2.0 * x).collect(), None))
    }

    #[test]
    fn zeros_without_shape_have_their_floats() {
        let flat = Flat::new((vec![0.0; 2], Some(0.0)), square);
        assert_eq!(flat.value_and_gradient(&[1.0, 2.0, 3.0]), (5.0, vec![2.0, 4.0, 0.0]));
        let mut shadow = [1.0; 3];
        assert_eq!(flat.accumulate_gradient(&[1.0, 2.0, 3.0], &mut shadow), 5.0);
        assert_eq!(shadow, [3.0, 5.0, 1.0]);
    }

    #[test]
    #[should_panic(expected = "a slice of length 2 was given for 3 floats")]
    fn there_are_as_many_floats_as_parameters() {
        let _ = Flat::new((vec![0.0; 2], Some(0.0)), square).params(&[1.0, 2.0]);
    }

    #[test]
    #[should_panic(expected = "a shadow of length 1 was given for 2 floats")]
    fn a_shadow_has_as_many_floats() {
        let flat = Flat::new((vec![0.0; 2], None), square);
        flat.accumulate_gradient(&[1.0, 2.0], &mut [0.0]);
    }
}
