//! Cameras, made of what a library exports.
//!
//! Calls of the library's functions and methods, inside of functions that are differentiated here; types of
//! the library inside of types of this crate; and derivatives of the library's own, called from here.

#![deny(warnings, missing_docs)]

use cotangent::{Differentiable, differentiate};
use cotangent_tests_library::{self as optics, Element, Gap, Glass, Lens, Ray, travel};

/// A lens before a film.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Camera {
    /// A type of the library.
    pub lens: Lens,
    /// From the lens to the film.
    pub distance: f64,
}

#[differentiate]
impl Camera {
    /// Where a ray hits the film.
    pub fn hits(&self, ray: &Ray) -> f64 {
        let mut ray = self.lens.pass(ray);
        ray.travel(self.distance);
        ray.height
    }

    /// How large the picture of a far point is: the mean square of where its rays hit.
    #[differentiate(wrt(self))]
    pub fn blur(&self, heights: &[f64]) -> f64 {
        let squares = heights.iter().map(|&height| self.hits(&Ray::parallel(height)).powi(2));
        squares.sum::<f64>() / heights.len() as f64
    }
}

/// Where light of a far point meets the axis behind a lens of a glass.
#[differentiate]
pub fn focal_length(glass: &Glass, curvature: f64) -> f64 {
    let lens = Lens::new(glass, curvature);
    lens.pass(&Ray::parallel(1.0)).meets_axis()
}

/// How little a glass parts colours (Abbe's number).
#[differentiate]
pub fn abbe(glass: &Glass) -> f64 {
    (optics::index(glass, 0.589) - 1.0)
        / (optics::index(glass, 0.486) - optics::index(glass, 0.656))
}

/// How far from each other a lens focuses blue and red.
#[differentiate]
pub fn colours(glass: &Glass, curvature: f64) -> f64 {
    let lens = optics::Lens::new(glass, curvature);
    lens.power(0.656).recip() - lens.power(0.486).recip()
}

/// The height behind a telescope of two lenses.
#[differentiate]
pub fn telescope(first: &Lens, second: &Lens, distance: f64, height: f64) -> f64 {
    let elements = [
        Element::Lens(*first),
        Element::Gap(Gap { distance }),
        Element::Stop,
        Element::Lens(*second),
    ];
    optics::trace(&elements, &Ray::parallel(height)).height
}

/// The sum of the heights after a way through empty space, of rays that are changed in place.
#[differentiate]
pub fn spread(rays: &mut [Ray; 3], distance: f64) -> f64 {
    travel(rays, distance);
    rays.iter().map(|ray| ray.height).sum()
}

optics::power_law!(area, std::f64::consts::PI, 2);

/// A function that a macro of the library made here.
#[differentiate]
pub fn light(radius: f64, distance: f64) -> f64 {
    area(radius) / area(distance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::slice::from_ref;
    use cotangent::check;
    use optics::points::{self, Point, PointTangent, Seen};

    const GLASS: Glass = Glass { base: 1.5046, dispersion: 0.0042 };
    const CURVATURE: f64 = 0.8;

    fn lens() -> Lens {
        Lens::new(&GLASS, CURVATURE)
    }

    #[test]
    fn the_rule_tester_agrees() {
        let camera = Camera { lens: lens(), distance: 1.1 };
        let ray = Ray { height: 0.3, slope: -0.2 };
        check!(Camera::hits(&camera, &ray)).unwrap();
        check!(Camera::blur(&camera, &[0.1, 0.4, -0.3])).unwrap();
        check!(focal_length(&GLASS, CURVATURE)).unwrap();
        check!(abbe(&GLASS)).unwrap();
        check!(colours(&GLASS, CURVATURE)).unwrap();
        check!(telescope(&lens(), &Lens::new(&GLASS, -0.4), 0.6, 0.2)).unwrap();
        check!(spread(&mut [ray, Ray::parallel(0.2), ray], 1.3)).unwrap();
        check!(light(0.4, 1.7)).unwrap();
    }

    /// What the library exports is tested from here as well, under the names that it exports.
    #[test]
    fn the_rule_tester_agrees_with_the_library() {
        let ray = Ray { height: 0.3, slope: -0.2 };
        let elements = [Element::Lens(lens()), Element::Stop, Element::Gap(Gap { distance: 0.7 })];
        check!(optics::trace(&elements, &ray)).unwrap();
        check!(optics::travel(&mut [ray, Ray::parallel(0.2)], 1.3)).unwrap();
        check!(optics::Lens::power(&lens(), 0.5)).unwrap();
        check!(Lens::new(&GLASS, CURVATURE)).unwrap();
    }

    /// Generic functions of an optimised crate.
    #[test]
    fn the_rule_tester_agrees_with_generic_functions() {
        let [point, other] = [Point { x: 0.7, y: -0.4 }, Point { x: 0.3, y: 1.2 }];
        check!(points::scaled(&point, 0.6)).unwrap();
        check!(points::moved(&point, 0.6)).unwrap();
        check!(points::total(&point, &[other, point])).unwrap();
        check!(points::present(&point, Some(other))).unwrap();
        check!(points::first(&[point], &(other, 0.6))).unwrap();
        check!(points::weighted(&point, 0.6)).unwrap();
        check!(point.dot(&other)).unwrap();
        check!(Point::cross(&point, &other)).unwrap();
        check!(Point::beside(&point, &other, &point)).unwrap();
    }

    /// Of constants inside of a called function, only what is active there has a derivative.
    #[test]
    fn generic_functions_of_a_crate_have_second_derivatives() {
        let (from, list) = (Point { x: 0.7, y: -0.4 }, [Point { x: 0.3, y: 1.2 }]);
        let along = |step: f64| points::everything::gradient(&from, 0.6 + step, &list).1;
        let expected = (along(1e-4) - along(-1e-4)) / 2e-4;
        let still = PointTangent { x: 0.0, y: 0.0 };
        let (_, second, _) =
            points::everything::hvp(&from, &still, 0.6, 1.0, &list, from_ref(&still));
        assert!((second - expected).abs() < 1e-7, "{second} is not {expected}");
    }

    /// A lens of two surfaces: `1 / f = 2 (n - 1) c`.
    #[test]
    fn focal_lengths_have_derivatives_in_closed_form() {
        let n = GLASS.base + GLASS.dispersion / (0.589 * 0.589);
        let expected = 1.0 / (2.0 * (n - 1.0) * CURVATURE);
        let (found, (glass, by_curvature)) = focal_length::value_and_gradient(&GLASS, CURVATURE);
        let by_index = -expected / (n - 1.0);
        assert!((found - expected).abs() < 1e-15);
        assert!((by_curvature + expected / CURVATURE).abs() < 1e-14);
        assert!((glass.base - by_index).abs() < 1e-14);
        assert!((glass.dispersion - by_index / (0.589 * 0.589)).abs() < 1e-13);
    }

    /// At the focus the picture is a point, and a little beside it grows with the square of the distance.
    #[test]
    fn a_picture_in_focus_cannot_be_better() {
        let distance = focal_length(&GLASS, CURVATURE);
        let camera = Camera { lens: lens(), distance };
        let gradient = camera.blur_gradient(&[0.1, -0.2, 0.3]);
        assert!(gradient.distance.abs() < 1e-15);
        assert!(gradient.lens.by_curvature().abs() < 1e-15);
        assert!(gradient.lens.by_glass().base.abs() < 1e-15);
        let (before, after) = (distance - 0.1, distance + 0.1);
        let by_distance =
            |distance| Camera { lens: lens(), distance }.blur_gradient(&[0.2]).distance;
        assert!(by_distance(before) < 0.0 && by_distance(after) > 0.0);
    }

    /// Derivatives that the library made, called from another crate.
    #[test]
    fn derivatives_of_the_library_are_exported() {
        assert_eq!(optics::index::gradient(&GLASS, 0.5).0.base, 1.0);
        let (power, lens_bar) = lens().power_value_and_gradient(0.5);
        assert!((lens_bar.by_curvature() * CURVATURE - power).abs() < 1e-15);
        let ray = Ray { height: 0.3, slope: -0.2 };
        let gap = [Element::Gap(Gap { distance: 0.7 })];
        let (_, by_ray) = optics::trace::jvp(
            &gap,
            &[optics::ElementTangent::Zero],
            &ray,
            &optics::RayTangent { height: 0.0, slope: 1.0 },
        );
        assert_eq!((by_ray.height, by_ray.slope), (0.7, 1.0));
        assert_eq!(area::gradient(0.5), std::f64::consts::PI);
    }
}
