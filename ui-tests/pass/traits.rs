//! Traits, impls of them, and objects.
#![deny(warnings, missing_docs, clippy::all)]

use cotangent::{differentiate, Differentiable};

/// In another module than its uses.
pub mod model {
    use cotangent::differentiate;

    /// What has an energy.
    #[differentiate]
    pub trait Potential {
        /// A factor.
        const SCALE: f64;
        /// Of the energy.
        type Unit;

        /// The energy.
        fn energy(&self, x: f64) -> f64;

        /// Twice that.
        fn twice(&self, x: f64) -> f64 {
            2.0 * self.energy(x)
        }

        /// Changes itself.
        #[differentiate(constant(rate))]
        fn relax(&mut self, rate: f64);

        /// Its own.
        #[must_use]
        fn make(x: f64) -> Self
        where
            Self: Sized;

        /// No float.
        #[differentiate(skip)]
        fn name(&self) -> &str {
            "potential"
        }
    }

    /// What has objects.
    #[differentiate(dyn)]
    pub trait Curve {
        /// A point of it.
        fn at(&self, x: f64) -> f64;
        /// Moves it.
        fn shift(&mut self, by: f64);
    }
}

use model::{Curve, Potential};

/// A spring.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Spring {
    /// Its stiffness.
    pub stiffness: f64,
}

#[differentiate]
impl Potential for Spring {
    const SCALE: f64 = 1.0;
    type Unit = f64;

    fn energy(&self, x: f64) -> f64 {
        0.5 * self.stiffness * x * x * Self::SCALE
    }

    #[differentiate(constant(rate))]
    fn relax(&mut self, rate: f64) {
        self.stiffness *= rate;
    }

    fn make(x: f64) -> Self {
        Self { stiffness: x }
    }
}

#[differentiate]
impl Curve for Spring {
    fn at(&self, x: f64) -> f64 {
        self.stiffness * x
    }

    fn shift(&mut self, by: f64) {
        self.stiffness += by;
    }
}

/// A trait in a body stays there.
#[differentiate]
#[must_use]
pub fn total(spring: &mut Spring, curves: &[Box<dyn Curve>], x: f64) -> f64 {
    spring.relax(2.0);
    let mut sum = spring.twice(x) + Spring::make(x).energy(x);
    for curve in curves {
        sum += curve.at(x);
    }
    sum
}

/// Something that is changed, whatever it is.
#[differentiate]
pub fn moved(curve: &mut dyn Curve, x: f64) -> f64 {
    curve.shift(x);
    curve.at(x)
}

fn main() {
    let mut spring = Spring { stiffness: 3.0 };
    let curves: Vec<Box<dyn Curve>> = vec![Box::new(Spring { stiffness: 4.0 })];
    let (spring_bar, curves_bar, _) = total::gradient(&mut spring, &curves, 2.0);
    let curve_bar: &SpringTangent = curves_bar[0].downcast_ref().unwrap();
    assert_eq!((spring_bar.stiffness, curve_bar.stiffness), (8.0, 2.0));
    let (curve_bar, x_bar) = moved::gradient(&mut spring, 2.0);
    assert_eq!((curve_bar.downcast_ref(), x_bar), (Some(&SpringTangent { stiffness: 2.0 }), 7.0));
    assert_eq!((spring.name(), spring.energy_gradient(2.0).1), ("potential", 6.0));
}
