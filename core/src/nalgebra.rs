//! Matrices, vectors, rotations and poses of the crate `nalgebra`: import all of this module where functions with them are
//! differentiated.
//!
//! The tangent of a matrix is a matrix of the same type. The traits bear the rules of methods, each with its formula; the
//! methods themselves are those of `nalgebra`, as ever, since a type's own method goes before a trait's. In formulas
//! `x̄` is the cotangent of `x`. Invariant: a shadow has the sizes of its value.
//!
//! ```
//! # use nalgebra_0_35 as nalgebra;
//! use cotangent::differentiate;
//! use cotangent::nalgebra::*;
//! use nalgebra::{Matrix3, Vector3};
//!
//! #[differentiate]
//! fn energy(stiffness: &Matrix3<f64>, x: Vector3<f64>) -> f64 {
//!     0.5 * x.dot(&(stiffness * x))
//! }
//!
//! let stiffness = Matrix3::from_diagonal_element(2.0);
//! let (_, force) = energy::gradient(&stiffness, Vector3::new(1.0, 2.0, 3.0));
//! assert_eq!(force, Vector3::new(2.0, 4.0, 6.0));
//! ```
//!
//! Matrices whose sizes are known at run time are like the others. What is solved has the adjoint of a solve, with the
//! same factors:
//!
//! ```
//! # use nalgebra_0_35 as nalgebra;
//! use cotangent::differentiate;
//! use cotangent::nalgebra::*;
//! use nalgebra::{DMatrix, DVector};
//!
//! #[differentiate]
//! fn compliance(stiffness: &DMatrix<f64>, load: &DVector<f64>) -> f64 {
//!     load.dot(&stiffness.clone().lu().solve(load).unwrap())
//! }
//!
//! let stiffness = DMatrix::from_diagonal_element(2, 2, 2.0);
//! let (by_stiffness, by_load) = compliance::gradient(&stiffness, &DVector::from_vec(vec![1.0, 2.0]));
//! assert_eq!(by_load.as_slice(), [1.0, 2.0]);
//! assert_eq!(by_stiffness.as_slice(), [-0.25, -0.5, -0.5, -1.0]);
//! ```
//!
//! Of symmetric matrices, eigenvalues and eigenvectors have derivatives; what they are where eigenvalues are equal is
//! said at the trait [`Spectral`]:
//!
//! ```
//! # use nalgebra_0_35 as nalgebra;
//! use cotangent::differentiate;
//! use cotangent::nalgebra::*;
//! use nalgebra::Matrix2;
//!
//! #[differentiate]
//! fn energy(stiffness: Matrix2<f64>) -> f64 {
//!     let eigen = stiffness.symmetric_eigen();
//!     eigen.eigenvalues.norm_squared()
//! }
//!
//! // The lower triangle is read, and so an entry below the diagonal stands for two.
//! let gradient = energy::gradient(Matrix2::new(3.0, 1.0, 1.0, 2.0));
//! assert!((gradient - Matrix2::new(6.0, 0.0, 4.0, 4.0)).norm() < 1e-14);
//! ```
//!
//! Points, rotations and poses have tangents with all of their coordinates, each free of the others: a point's is a point,
//! a unit quaternion's a quaternion, a rotation's a matrix, and a pose's an [`IsometryTangent`]. Derivatives are those of
//! the formulas that `nalgebra` evaluates. How a function changes as a rotation is turned is its derivative by a step from
//! there:
//!
//! ```
//! # use nalgebra_0_35 as nalgebra;
//! use cotangent::differentiate;
//! use cotangent::nalgebra::*;
//! use nalgebra::{Isometry3, Point3, UnitQuaternion, Vector3};
//!
//! #[differentiate(wrt(step))]
//! fn depth(step: Vector3<f64>, pose: &Isometry3<f64>, x: &Point3<f64>) -> f64 {
//!     (UnitQuaternion::from_scaled_axis(step) * pose * x).z
//! }
//!
//! let (pose, x) = (Isometry3::translation(0.0, 0.0, 2.0), Point3::new(0.5, 0.25, 0.0));
//! assert_eq!(depth::gradient(Vector3::zeros(), &pose, &x), Vector3::new(0.25, -0.5, 0.0));
//! ```
//!
//! Derivatives of methods have derivatives once more, but for those of methods with closures, of `qr`, of eigenvalues, of
//! logarithms of rotations and of `new` of 16 entries:
//!
//! ```
//! # use nalgebra_0_35 as nalgebra;
//! use cotangent::differentiate;
//! use cotangent::nalgebra::*;
//! use nalgebra::Vector2;
//!
//! #[differentiate]
//! #[differentiate]
//! fn length(x: Vector2<f64>) -> f64 {
//!     x.norm()
//! }
//!
//! let hessian = length::hessian(Vector2::new(0.0, 2.0));
//! assert_eq!((hessian.row(0), hessian.row(1)), (&[0.5, 0.0][..], &[0.0, 0.0][..]));
//! ```
//!
//! A method without a rule is an error at its name:
//!
//! ```compile_fail
//! # use nalgebra_0_35 as nalgebra;
//! # use cotangent::differentiate;
//! # use cotangent::nalgebra::*;
//! # use nalgebra::Matrix3;
//! #[differentiate]
//! fn largest(a: &Matrix3<f64>) -> f64 {
//!     a.singular_values()[0]
//! }
//! ```

#![allow(
    clippy::type_complexity,
    reason = "pullbacks have no names, and types of matrices have four parameters"
)]

mod components;
mod construction;
mod direction;
mod eigen;
mod entries;
mod factors;
mod functions;
mod geometry;
mod mixing;
mod operators;
mod products;
mod qr;
mod shape;
mod square;
mod types;

pub use components::*;
pub use construction::*;
pub use eigen::*;
pub use factors::*;
pub use functions::*;
pub use geometry::*;
pub use mixing::*;
pub use products::*;
pub use qr::*;
pub use shape::*;
pub use square::*;

// Again without names, for modules in which something else bears one of these.
#[doc(hidden)]
pub use components::Components as _;
#[doc(hidden)]
pub use construction::{
    Filled as _, OfEight as _, OfFive as _, OfFour as _, OfNine as _, OfOne as _, OfSix as _,
    OfSixteen as _, OfThree as _, OfTwelve as _, OfTwo as _,
};
#[doc(hidden)]
pub use eigen::Spectral as _;
#[doc(hidden)]
pub use factors::{
    Factorised as _, FactorisedSymmetric as _, OfCholesky as _, OfLu as _, Solving as _,
};
#[doc(hidden)]
pub use functions::Functions as _;
#[doc(hidden)]
pub use geometry::{
    AngleInPlane as _, Conjugate as _, FromQuaternion as _, Inverse as _, InverseProduct as _,
    Logarithm as _, Moving as _, Normalized as _, OfMatrix as _, OfParts as _, OfQuaternion as _,
    Posed as _, PosedInPlane as _, ToMatrix as _, Turned as _, TurnedInPlane as _, Unchecked as _,
    Wrapping as _,
};
#[doc(hidden)]
pub use mixing::{Between as _, Extremes as _, Flooded as _};
#[doc(hidden)]
pub use products::TransposedProduct as _;
#[doc(hidden)]
pub use qr::{FactorisedOrthogonal as _, OfQr as _};
#[doc(hidden)]
pub use shape::{
    FromLines as _, Lines as _, Owning as _, Plane as _, SetLines as _, Shaped as _, Space as _,
    Transposed as _,
};
#[doc(hidden)]
pub use square::{Cross as _, CrossMatrix as _, Square as _};
