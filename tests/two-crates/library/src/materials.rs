use cotangent::{Differentiable, differentiate};

/// A glass by the two coefficients of Cauchy.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct Glass {
    /// The refractive index of long waves.
    pub base: f64,
    /// What short waves add, in square micrometres.
    pub dispersion: f64,
}

/// How much slower light is in a glass; the wavelength is in micrometres.
#[differentiate]
pub fn refractive_index(glass: &Glass, wavelength: f64) -> f64 {
    glass.base + glass.dispersion / (wavelength * wavelength)
}
