//! Complex numbers of the crate `num-complex`: import all of this module where functions with them are differentiated.
//!
//! The tangent of a complex number is a complex number, and so is its cotangent. Numbers are pairs of floats, and the
//! inner product is that of the plane, `Re(conj(a) b)`: the gradient of a function with one float as output is
//! `∂f/∂re + i ∂f/∂im`, so that of `|z|²` is `2 z`, and it points to where the function grows fastest. For a function `f` with a
//! complex derivative this says `ẏ = f'(z) ż` and `z̄ += conj(f'(z)) ȳ`.
//!
//! In formulas `z̄` is the cotangent of `z`. The methods are those of `num-complex`, as ever: the traits bear their rules.
//!
//! ```
//! # use num_complex_0_4 as num_complex;
//! use cotangent::differentiate;
//! use cotangent::num_complex::*;
//! use num_complex::Complex;
//!
//! #[differentiate]
//! fn power(z: Complex<f64>) -> f64 {
//!     z.norm_sqr()
//! }
//!
//! assert_eq!(power::gradient(Complex::new(3.0, 4.0)), Complex::new(6.0, 8.0));
//! ```
//!
//! In a Jacobian and in a Hessian a number is two floats, the real part first:
//!
//! ```
//! # use num_complex_0_4 as num_complex;
//! use cotangent::differentiate;
//! use cotangent::num_complex::*;
//! use num_complex::Complex;
//!
//! #[differentiate]
//! fn square(z: Complex<f64>) -> Complex<f64> {
//!     z * z
//! }
//!
//! #[differentiate]
//! #[differentiate]
//! fn real_part(z: Complex<f64>) -> f64 {
//!     (z * z).re
//! }
//!
//! let jacobian = square::jacobian(Complex::new(1.0, 2.0));
//! assert_eq!((jacobian.row(0), jacobian.row(1)), (&[2.0, -4.0][..], &[4.0, 2.0][..]));
//! let hessian = real_part::hessian(Complex::new(1.0, 2.0));
//! assert_eq!((hessian.row(0), hessian.row(1)), (&[2.0, 0.0][..], &[0.0, -2.0][..]));
//! ```
//!
//! At a branch cut the derivative is that of the branch which the function takes, and where a function has a pole or
//! a branch point, the derivative is no number. What has no rule is an error at its name:
//!
//! ```compile_fail
//! # use num_complex_0_4 as num_complex;
//! # use cotangent::differentiate;
//! # use cotangent::num_complex::*;
//! # use num_complex::Complex;
//! #[differentiate]
//! fn power(z: Complex<f64>) -> Complex<f64> {
//!     z * z % z
//! }
//! ```

mod holomorphic;
mod methods;
mod operators;

pub use methods::*;

// Again without names, for modules in which something else bears one of these.
#[doc(hidden)]
pub use methods::{Polar as _, Powers as _, Rectangular as _};
