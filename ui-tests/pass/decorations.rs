//! Attributes, documentation and visibilities wherever they may stand.
#![deny(warnings, unused, missing_docs)]
#![allow(clippy::mixed_attributes_style)]

use cotangent::{check, differentiate};

/// Documented.
#[differentiate]
#[inline(always)]
#[must_use = "it is the result"]
#[doc(alias = "other")]
pub(crate) fn attributed(
    #[allow(unused_variables)] x: f64,
    #[expect(unused_variables)] unused: f64,
) -> f64 {
    /*! Documented inside. */
    #[rustfmt::skip]
    let y = x * x;
    #[allow(unused_mut)]
    let mut z: f64 = y;
    #[allow(clippy::all)]
    for _ in 0..2 {
        #[expect(unused_variables)]
        let unused = 1.0;
        z *= x;
    }
    #[allow(unused_doc_comments)]
    /// On a statement.
    if z > 1.0 {
        z += x;
    }
    match z {
        #[allow(clippy::all)]
        z if z > 2.0 => z * x,
        #[allow(clippy::all)]
        _ => z,
    }
}

#[differentiate]
#[cold]
#[doc(hidden)]
#[deprecated = "it is old"]
pub(crate) fn old(x: f64) -> f64 {
    x * x
}

/// A block, and what stands in it.
pub struct Spring;

#[differentiate]
#[allow(clippy::all)]
impl Spring {
    /// Documented.
    #[inline]
    #[must_use]
    pub(self) fn energy(x: f64) -> f64 {
        0.5 * x * x
    }

    #[differentiate]
    #[track_caller]
    pub(crate) fn twice(x: f64) -> f64 {
        2.0 * Self::energy(x)
    }
}

macro_rules! polynomials {
    ($($(#[$attribute:meta])* $visibility:vis fn $name:ident($x:ident) = $($coefficient:literal)*;)*) => {$(
        $(#[$attribute])*
        #[differentiate]
        $visibility fn $name($x: f64) -> f64 {
            let mut value = 0.0;
            $(value = value * $x + $coefficient;)*
            value
        }
    )*};
}

polynomials! {
    /// Documented by way of a macro.
    #[inline]
    pub fn line(value) = 2.0 1.0;
    fn parabola(x) = 1.0 0.0 3.0;
}

fn main() {
    check!(attributed(0.7, 1.0)).unwrap();
    check!(attributed(1.7, 1.0)).unwrap();
    #[expect(deprecated)]
    let value = old(2.0);
    assert_eq!((value, old::gradient(2.0)), (4.0, 4.0));
    assert_eq!((Spring::energy_gradient(3.0), Spring::twice_gradient(3.0)), (3.0, 6.0));
    assert_eq!((line::gradient(5.0), parabola::gradient(5.0)), (2.0, 10.0));
    check!(parabola(0.3)).unwrap();
}
