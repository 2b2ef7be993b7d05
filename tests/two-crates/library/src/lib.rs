//! Rays of light near an axis, and what bends them: a library as others would depend on.
//!
//! It exports what a crate can export of `cotangent`'s: structs and an enum with tangents, with fields that
//! are public and private, functions, methods, a function that is found by another name than its own, and a
//! macro that makes functions. The crate `cotangent-tests-user` differentiates through all of these.

#![deny(warnings, missing_docs)]

mod elements;
mod materials;
pub mod points;
mod ray;

pub use elements::{Element, ElementTangent, Gap, GapTangent, Lens, LensTangent};
pub use materials::{Glass, GlassTangent, refractive_index as index};
pub use ray::{Ray, RayTangent};

use cotangent::differentiate;

/// Sends a ray through elements, one after the other.
#[differentiate]
pub fn trace(elements: &[Element], ray: &Ray) -> Ray {
    elements.iter().fold(*ray, |ray, element| element.pass(&ray))
}

/// Moves each of some rays through empty space, in place.
#[differentiate]
pub fn travel<const N: usize>(rays: &mut [Ray; N], distance: f64) {
    for ray in rays {
        ray.travel(distance);
    }
}

/// Makes a function of one number, with its derivatives, where it is called.
#[macro_export]
macro_rules! power_law {
    ($name:ident, $factor:expr, $exponent:literal) => {
        /// A factor times a power.
        #[::cotangent::differentiate]
        pub fn $name(x: f64) -> f64 {
            let factor: f64 = $factor;
            factor * x.powi($exponent)
        }
    };
}
