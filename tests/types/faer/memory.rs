//! What derivative code copies: nothing that it may read where it is.

use cotangent::dump;
use cotangent::faer::*;
use faer::prelude::*;

use crate::words::counts;

#[test]
fn operands_are_read_where_they_are() {
    let text = dump!(
        rust,
        #[differentiate(constant(inputs, targets))]
        fn linear(
            first: &Mat<f64>,
            second: &Mat<f64>,
            inputs: &Mat<f64>,
            targets: &Mat<f64>,
        ) -> f64 {
            let hidden = first * inputs;
            (second * &hidden - targets).squared_norm_l2()
        }
    );
    let words = ["clone(", "zero_tangent(", "add_vjp_"];
    // The operand that is taken over and has the shape of what goes back; the shadow of what the norm is taken of.
    assert_eq!(counts(text, "accumulate_gradient", words), [1, 1, 2], "{text}");
}

#[test]
fn factors_leave_their_result() {
    let text = dump!(
        rust,
        fn density(covariance: &Mat<f64>, x: &Col<f64>) -> f64 {
            let factor = covariance.llt(Side::Lower).unwrap();
            let solved = factor.solve(x);
            solved.squared_norm_l2()
        }
    );
    let words = ["clone(", "enclosed(", "place.unwrap()"];
    assert_eq!(counts(text, "accumulate_gradient", words), [0, 1, 1], "{text}");
}
