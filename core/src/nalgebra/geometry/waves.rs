//! The functions that rotations are made of, smooth at no rotation: the cosine and the sine of a root, and their
//! derivatives.

use crate::{Float, differentiate, primitive};

/// How many terms of a power series count, of arguments below one.
const TERMS: usize = 10;

/// The function `h[n]` of a squared angle: `h[0](x) = cos √x` and `h[n](x) = j[n - 1](√x) / √xⁿ⁻¹` with the spherical
/// functions of Bessel, such as `h[1](x) = sin √x / √x`. Its derivative is `-h[n + 1](x) / 2` (NIST Digital Library of
/// Mathematical Functions, 10.51.3), also where `x` is zero.
#[primitive(partials(wave(n + 1, x) * T::literal(-0.5)))]
#[differentiate]
#[differentiate]
#[differentiate]
#[inline]
pub(super) fn wave<T: Float>(n: usize, x: T) -> T {
    if x < T::one() { series(n, x) } else { recurrence(n, x) }
}

fn odd<T: Float>(number: usize) -> T {
    T::literal((2 * number + 1) as f64)
}

/// The power series, `Σ (-x/2)ʲ / (j! (2n + 2j - 1)!!)` (DLMF 10.53.1), from the last term on.
#[inline]
fn series<T: Float>(n: usize, x: T) -> T {
    let half = x * T::literal(0.5);
    let sum = (1..TERMS)
        .rev()
        .fold(T::one(), |sum, j| T::one() - sum * half / (T::literal(j as f64) * odd(n + j - 1)));
    (1..n).fold(sum, |sum, k| sum / odd(k))
}

/// From the cosine and the sine on, `h[n + 1] = ((2n - 1) h[n] - h[n - 1]) / x` (DLMF 10.51.1).
fn recurrence<T: Float>(n: usize, x: T) -> T {
    let root = x.sqrt();
    let (sin, cos) = root.sin_cos();
    let first = (cos, sin / root);
    (0..n).fold(first, |(last, next), k| (next, (odd::<T>(k) * next - last) / x)).0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the closed forms, in which small differences of large numbers lose some digits.
    #[test]
    fn waves_are_those_of_the_closed_forms() {
        for x in [0.3_f64, 0.99, 1.0, 2.5, 9.0, 40.0] {
            let (r, (sin, cos)) = (x.sqrt(), x.sqrt().sin_cos());
            let expected = [
                cos,
                sin / r,
                (sin / r - cos) / x,
                ((3.0 / x - 1.0) * sin / r - 3.0 * cos / x) / x,
            ];
            for (n, expected) in expected.into_iter().enumerate() {
                let error = (wave(n, x) - expected).abs();
                assert!(error < 1e-14 / x.min(1.0).powi(n as i32), "{n} at {x}: {error:e}");
            }
        }
    }

    /// One over the product of the odd numbers up to `2n - 1`.
    #[test]
    fn waves_of_zero_are_known() {
        let expected = [1.0, 1.0, 1.0 / 3.0, 1.0 / 15.0, 1.0 / 105.0];
        for (n, expected) in expected.into_iter().enumerate() {
            assert!((wave(n, 0.0_f64) - expected).abs() < 1e-17);
        }
    }

    #[test]
    fn derivatives_are_those_of_differences() {
        crate::check!(wave(n, x), n in 0..4, x in 0.0..20.0, points = 40).unwrap();
    }
}
