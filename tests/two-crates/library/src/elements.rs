use cotangent::{Differentiable, differentiate};

use crate::materials::{Glass, refractive_index};
use crate::ray::Ray;

/// Empty space.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct Gap {
    /// How far light goes.
    pub distance: f64,
}

/// A thin lens. How it is made is its own business: nothing but functions reach its fields.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct Lens {
    glass: Glass,
    curvature: f64,
    /// Not differentiated: a number of something.
    surfaces: usize,
}

/// What light meets.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub enum Element {
    /// Nothing.
    Gap(Gap),
    /// A lens.
    Lens(Lens),
    /// A hole, which changes nothing.
    Stop,
}

#[differentiate]
impl Gap {
    /// What becomes of a ray.
    pub fn pass(&self, ray: &Ray) -> Ray {
        let mut ray = *ray;
        ray.travel(self.distance);
        ray
    }
}

#[differentiate]
impl Lens {
    /// A lens with both sides alike.
    pub fn new(glass: &Glass, curvature: f64) -> Self {
        Lens { glass: *glass, curvature, surfaces: 2 }
    }

    /// The inverse of its focal length, for light of a wavelength.
    #[differentiate(constant(wavelength))]
    pub fn power(&self, wavelength: f64) -> f64 {
        (refractive_index(&self.glass, wavelength) - 1.0) * self.curvature * self.surfaces as f64
    }

    /// What becomes of a ray of yellow light.
    pub fn pass(&self, ray: &Ray) -> Ray {
        Ray { height: ray.height, slope: ray.slope - self.power(0.589) * ray.height }
    }
}

#[differentiate]
impl Element {
    /// What becomes of a ray.
    pub fn pass(&self, ray: &Ray) -> Ray {
        match self {
            Element::Gap(gap) => gap.pass(ray),
            Element::Lens(lens) => lens.pass(ray),
            Element::Stop => *ray,
        }
    }
}

impl LensTangent {
    /// The derivative by the curvature, which is no public field.
    pub fn by_curvature(&self) -> f64 {
        self.curvature
    }

    /// The derivatives by the glass, which is no public field.
    pub fn by_glass(&self) -> &crate::GlassTangent {
        &self.glass
    }
}
