//! The laws of tangent types: what derivative code takes for granted of `Differentiable` and `Tangent`.
//!
//! **In:** a value. **Out:** the first law that its type breaks at this value. **Invariant:** tangents are made of small
//! whole numbers, whose sums are exact in every float.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::mismatch::{Kind, Mismatch, Mode};
use super::random::Random;
use crate::differentiable::Differentiable;
use crate::tangent::Tangent;
use crate::visit::floats;

/// Tests the impls of [`Differentiable`] and [`Tangent`] of a type whose tangents are written by hand, at a value.
///
/// Tested is that
///
/// 1. `zero_tangent` has a zero for each float of the value, and so has the zero of a tangent;
/// 2. `visit` and `visit_mut` of a tangent meet the same floats in one order;
/// 3. `perturb` moves by each float of a direction the float of the value that `visit` shows at the same place, and
///    no other;
/// 4. the zero is neutral: `0 + a = a` and `a + 0 = a`;
/// 5. sums commute and associate: `a + b = b + a`, `(a + b) + c = a + (b + c)`, and are those of each float;
/// 6. `conform` leaves a tangent as it is that has the shape of the value.
///
/// Types with `#[derive(Differentiable)]` keep all of them. Values are best ones in which all floats differ and every
/// collection has an entry.
///
/// # Errors
///
/// A [`Mismatch`] of [`Kind::Law`] that names the type and the law.
///
/// # Panics
///
/// When a method of the type does.
///
/// ```
/// use cotangent::check::laws;
/// use cotangent::floats::{FloatVisitor, FloatVisitorMut, InnerProduct, PairVisitor};
/// use cotangent::{Differentiable, Tangent, Visitor};
///
/// /// An angle in degrees. Its tangent is a float.
/// #[derive(Clone)]
/// struct Degrees(f64);
///
/// impl Differentiable for Degrees {
///     type Tangent = f64;
///
///     fn zero_tangent(&self) -> f64 {
///         0.0
///     }
///
///     fn perturb(&mut self, direction: &f64, step: f64) {
///         self.0 += step * direction;
///     }
///
///     fn visit(&self, visitor: &mut dyn Visitor) {
///         self.0.visit(visitor);
///     }
///
///     fn visit_floats(&self, visitor: &mut (impl FloatVisitor + ?Sized)) {
///         self.0.visit_floats(visitor);
///     }
///
///     fn visit_floats_mut(&mut self, visitor: &mut (impl FloatVisitorMut + ?Sized)) {
///         self.0.visit_floats_mut(visitor);
///     }
/// }
///
/// laws(&Degrees(30.0)).unwrap();
///
/// /// A tangent that is overwritten where it should be added to.
/// #[derive(Clone)]
/// struct Overwritten([f64; 2]);
///
/// # impl Differentiable for Overwritten {
/// #     type Tangent = Self;
/// #     fn zero_tangent(&self) -> Self {
/// #         Overwritten([0.0; 2])
/// #     }
/// #     fn perturb(&mut self, direction: &Self, step: f64) {
/// #         self.0.perturb(&direction.0, step);
/// #     }
/// #     fn visit(&self, visitor: &mut dyn Visitor) {
/// #         self.0.visit(visitor);
/// #     }
/// #     fn visit_floats(&self, visitor: &mut (impl FloatVisitor + ?Sized)) {
/// #         self.0.visit_floats(visitor);
/// #     }
/// #     fn visit_floats_mut(&mut self, visitor: &mut (impl FloatVisitorMut + ?Sized)) {
/// #         self.0.visit_floats_mut(visitor);
/// #     }
/// # }
/// impl Tangent for Overwritten {
///     fn accumulate(&mut self, other: Self) {
///         *self = other;
///     }
/// #     fn visit_pairs(&mut self, other: &Self, visitor: &mut (impl PairVisitor + ?Sized)) {
/// #         self.0.visit_pairs(&other.0, visitor);
/// #     }
/// #     fn add_products(&self, other: &Self, sum: &mut InnerProduct) {
/// #         self.0.add_products(&other.0, sum);
/// #     }
///     // ..
/// }
///
/// let mismatch = laws(&Overwritten([1.0, 2.0])).unwrap_err();
/// assert!(mismatch.message().starts_with("a tangent plus zero is not the tangent:"));
/// ```
pub fn laws<T: Differentiable + Clone>(value: &T) -> Result<(), Mismatch> {
    let laws = Laws { value, size: value_floats(value).len() };
    laws.test().map_err(|message| {
        let name = core::any::type_name::<T>();
        Mismatch::new(name, Kind::Law, Mode::Function, String::new(), message)
    })
}

struct Laws<'v, T> {
    value: &'v T,
    /// How many floats it has.
    size: usize,
}

fn value_floats(value: &impl Differentiable) -> Vec<f64> {
    floats(|visitor| value.visit(visitor))
}

fn tangent_floats(tangent: &impl Tangent) -> Vec<f64> {
    floats(|visitor| tangent.visit(visitor))
}

/// Says that two lists are not the same, unless they are.
fn equal(law: &str, found: &[f64], expected: &[f64]) -> Result<(), String> {
    match found == expected {
        true => Ok(()),
        false => Err(format!("{law}: {found:?}, expected {expected:?}")),
    }
}

impl<T: Differentiable + Clone> Laws<'_, T> {
    fn test(&self) -> Result<(), String> {
        self.test_zero()?;
        self.test_order()?;
        self.test_perturb()?;
        let mut random = Random::new(1);
        let [a, b, c] = core::array::from_fn(|_| self.drawn(&mut random));
        self.test_sums(&a, &b, &c)?;
        let mut conformed = self.tangent(&a);
        self.value.conform(&mut conformed);
        equal(
            "`conform` changes a tangent that has the value's shape",
            &tangent_floats(&conformed),
            &a,
        )
    }

    fn test_zero(&self) -> Result<(), String> {
        let (zero, expected) = (self.value.zero_tangent(), alloc::vec![0.0; self.size]);
        equal(
            "the zero tangent has not one zero for each float of the value",
            &tangent_floats(&zero),
            &expected,
        )?;
        let again = tangent_floats(&zero.zero_tangent());
        equal("the zero of a tangent is not the zero of the value", &again, &expected)
    }

    /// The tangent with these floats.
    fn tangent(&self, floats: &[f64]) -> T::Tangent {
        let (mut tangent, mut floats) = (self.value.zero_tangent(), floats.iter());
        tangent.visit_mut(&mut |place| {
            if let Some(float) = floats.next() {
                *place = *float;
            }
        });
        tangent
    }

    /// Floats of a random tangent.
    fn drawn(&self, random: &mut Random) -> Vec<f64> {
        (0..self.size).map(|_| (random.uniform() * 64.0) as i32 as f64 - 31.0).collect()
    }

    fn test_order(&self) -> Result<(), String> {
        let numbers: Vec<f64> = (1..=self.size).map(|number| number as f64).collect();
        let shown = tangent_floats(&self.tangent(&numbers));
        equal(
            "`visit` and `visit_mut` of the tangent meet floats in different orders",
            &shown,
            &numbers,
        )
    }

    fn test_perturb(&self) -> Result<(), String> {
        let start = value_floats(self.value);
        for index in 0..self.size {
            let mut unit = alloc::vec![0.0; self.size];
            unit[index] = 1.0;
            let mut moved = self.value.clone();
            moved.perturb(&self.tangent(&unit), 0.5);
            let moved = value_floats(&moved);
            let is_as_expected = |(at, (moved, start)): (usize, (&f64, &f64))| {
                let expected = if at == index { start + 0.5 } else { *start };
                // An `f32` is rounded.
                (moved - expected).abs() <= 1e-6 * expected.abs()
            };
            let is_right = moved.len() == start.len()
                && moved.iter().zip(&start).enumerate().all(is_as_expected);
            if !is_right {
                return Err(format!(
                    "`perturb` by half of the unit vector of float {index} makes {moved:?} of {start:?}"
                ));
            }
        }
        Ok(())
    }

    fn test_sums(&self, a: &[f64], b: &[f64], c: &[f64]) -> Result<(), String> {
        let zero = || self.value.zero_tangent();
        let of = |floats: &[f64]| self.tangent(floats);
        let law = |text: &str, sum: T::Tangent, expected: &[f64]| {
            equal(text, &tangent_floats(&sum), expected)
        };
        law("a tangent plus zero is not the tangent", of(a).plus(zero()), a)?;
        law("zero plus a tangent is not the tangent", zero().plus(of(a)), a)?;
        let expected: Vec<f64> = a.iter().zip(b).map(|(a, b)| a + b).collect();
        law("a sum is not that of each float", of(a).plus(of(b)), &expected)?;
        law("sums do not commute", of(b).plus(of(a)), &expected)?;
        let expected: Vec<f64> = expected.iter().zip(c).map(|(sum, c)| sum + c).collect();
        law("sums do not associate", of(a).plus(of(b)).plus(of(c)), &expected)?;
        law("sums do not associate", of(a).plus(of(b).plus(of(c))), &expected)
    }
}
