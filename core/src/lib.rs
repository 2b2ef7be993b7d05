//! Automatic differentiation of ordinary Rust functions, at compile time, on stable Rust.
//!
//! The book is the module [`guide`]; begin with [`guide::first_gradient`]. What follows is the reference.
//!
//! What users name: the attribute [`differentiate`], the traits [`Differentiable`], [`Tangent`] and [`Float`],
//! [`Matrix`] for Jacobians and Hessians, [`Flat`] and the module [`floats`] for parameters as vectors, [`Sharing`] for
//! tangents of cells, [`Visitor`] for looking into values and tangents, `Dual` for generic functions of other crates, and
//! [`check!`] with the module [`mod@check`] for testing derivatives. With the features
//! `linalg` and `special`, the modules of these names have functions with rules, and with `sparse` the module `sparse`
//! finds sparse Jacobians and Hessians. With the feature `nalgebra-0_35`, the module `nalgebra`
//! has those of that crate's matrices, vectors, rotations and poses, with `num-complex-0_4` the module `num_complex` those of complex
//! numbers, with `ndarray-0_17` the module `ndarray` those of arrays, and with `faer-0_24` the module `faer` those of
//! matrices of that crate; with `rayon-1`, derivatives of parallel iterators
//! run in parallel, and with `mpi` those of messages between processes are messages. With `argmin-0_11`,
//! `levenberg-marquardt-0_15`, `nuts-rs-0_19` and `optimization_engine-0_12`, the modules `argmin`, `levenberg_marquardt`,
//! `nuts_rs` and `optimization_engine` hand derivatives to the solvers and samplers of these crates. With `serde-1`,
//! tangents have the traits of serde. The crate needs `alloc`, not `std`.

#![no_std]

extern crate alloc;
// What the attributes emit names this crate from outside.
extern crate self as cotangent;

mod absent;
mod accumulate;
mod apart;
#[cfg(feature = "argmin-0_11")]
pub mod argmin;
mod backwards;
#[cfg(any(
    feature = "faer-0_24",
    feature = "nalgebra-0_35",
    feature = "ndarray-0_17",
    feature = "num-complex-0_4"
))]
mod bilinear;
pub mod check;
mod columns;
#[cfg(any(feature = "nalgebra-0_35", feature = "num-complex-0_4"))]
mod complex;
mod constant;
mod constant_fields;
mod constant_types;
mod containers;
mod conversions;
mod differentiable;
#[cfg(any(feature = "std", feature = "libm"))]
mod dual;
#[cfg(any(feature = "nalgebra-0_35", feature = "ndarray-0_17"))]
mod each;
mod elements;
#[cfg(feature = "faer-0_24")]
pub mod faer;
mod flat;
#[cfg(any(feature = "std", feature = "libm"))]
mod float;
pub mod floats;
mod free_list;
mod function;
mod guard;
#[cfg(any(doc, doctest))]
pub mod guide;
mod hessian;
#[cfg(any(feature = "std", feature = "libm"))]
mod implicit;
mod jacobian;
#[cfg(any(feature = "std", feature = "libm"))]
mod kernels;
mod lanes;
#[cfg(feature = "levenberg-marquardt-0_15")]
pub mod levenberg_marquardt;
// Two attributes, so that rustc names the feature in its note where it is missing.
#[cfg(feature = "linalg")]
#[cfg(any(feature = "std", feature = "libm"))]
pub mod linalg;
mod matrix;
#[cfg(feature = "mpi")]
pub mod mpi;
#[cfg(feature = "nalgebra-0_35")]
pub mod nalgebra;
#[cfg(feature = "ndarray-0_17")]
pub mod ndarray;
mod nested_dual;
#[cfg(any(feature = "faer-0_24", feature = "nalgebra-0_35"))]
mod norm;
#[cfg(feature = "num-complex-0_4")]
pub mod num_complex;
#[cfg(feature = "nuts-rs-0_19")]
pub mod nuts_rs;
mod object;
mod operators;
#[cfg(feature = "optimization_engine-0_12")]
pub mod optimization_engine;
mod output;
mod owner;
mod places;
#[cfg(feature = "rayon-1")]
pub mod rayon;
mod results;
mod segments;
#[cfg(all(test, feature = "serde-1"))]
mod serde;
mod sharing;
mod slice_methods;
mod snapshots;
#[cfg(feature = "sparse")]
pub mod sparse;
#[cfg(feature = "special")]
pub mod special;
mod stop;
mod tangent;
mod tape;
mod tuples;
mod visit;
mod watch;
mod witness;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
#[doc(hidden)]
pub mod rules;

pub use cotangent_macros::{
    Differentiable, check, differentiate, dump, function, primitive, zero_adjoint,
};
pub use differentiable::Differentiable;
#[cfg(any(feature = "std", feature = "libm"))]
pub use dual::Dual;
pub use flat::Flat;
#[cfg(any(feature = "std", feature = "libm"))]
pub use float::Float;
pub use function::Function;
pub use matrix::Matrix;
/// The crate whose traits generic code is written with, so that it is no second dependency.
///
/// ```
/// use cotangent::num_traits::Float;
///
/// fn half<T: Float>(x: T) -> T {
///     x / (T::one() + T::one())
/// }
///
/// assert_eq!(half(3.0), 1.5);
/// ```
pub use num_traits;
pub use object::DynTangent;
pub use sharing::Sharing;
pub use stop::stop_gradient;
pub use tangent::{NoTangent, Tangent};
pub use visit::{Leaf, Step, Visitor};

/// The README's examples, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
