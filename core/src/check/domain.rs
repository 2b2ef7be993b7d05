//! Domains from which points are drawn, and the test at points of one.

use alloc::format;
use alloc::vec::Vec;
use core::ops::{Range, RangeInclusive};

use super::mismatch::Mismatch;
use super::panics::caught;
use super::random::Random;
use super::report::Report;
use super::settings::Settings;

/// Where the points of `check!(f(x), x in domain)` come from.
///
/// | domain | value |
/// |---|---|
/// | ranges of floats and integers, `0.5..2.0`, `1..=3` | a number in the range |
/// | `[D; N]` and tuples of domains | an array, a tuple |
/// | `Vec` of domains, such as `vec![0.5..2.0; n]` | a vector of as many |
/// | `Fn(&mut Random) -> T` | what the closure makes |
///
/// ```
/// use cotangent::check::{Domain, Random};
///
/// struct State {
///     level: f64,
///     steps: usize,
/// }
///
/// let states = |random: &mut Random| {
///     let (level, steps) = (0.5..2.0, 1..4).draw(random);
///     State { level, steps }
/// };
/// let state = states.draw(&mut Random::new(1));
/// assert!((0.5..2.0).contains(&state.level) && (1..4).contains(&state.steps));
/// ```
#[diagnostic::on_unimplemented(
    message = "nothing can be drawn from `{Self}`",
    note = "domains are ranges of numbers, arrays, vectors and tuples of domains, and closures \
            `|random: &mut Random| ..`"
)]
pub trait Domain {
    /// What is drawn.
    type Value;

    /// A value from the domain.
    fn draw(&self, random: &mut Random) -> Self::Value;
}

/// Numbers that are drawn from ranges.
pub trait Uniform: Copy {
    /// A number between two others; `high` itself only when it `is_included`.
    ///
    /// # Panics
    ///
    /// When there is none.
    fn between(low: Self, high: Self, is_included: bool, random: &mut Random) -> Self;
}

macro_rules! floats {
    ($($float:ident),*) => {$(
        impl Uniform for $float {
            fn between(low: $float, high: $float, is_included: bool, random: &mut Random) -> $float {
                assert!(low < high || is_included && low == high, "the range is empty");
                let at = random.uniform() as $float;
                // Rounding may lead to the end, or beyond it.
                let number = (low + (high - low) * at).clamp(low, high);
                if number == high && !is_included { low } else { number }
            }
        }
    )*};
}

macro_rules! integers {
    ($($integer:ident),*) => {$(
        impl Uniform for $integer {
            fn between(low: $integer, high: $integer, is_included: bool, random: &mut Random) -> $integer {
                let last = if is_included { Some(high) } else { high.checked_sub(1) };
                let last = last.filter(|last| low <= *last).expect("the range is empty");
                let count = (last as i128 - low as i128) as u128 + 1;
                (low as i128 + (u128::from(random.bits()) % count) as i128) as $integer
            }
        }
    )*};
}

floats!(f32, f64);
integers!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);

impl<T: Uniform> Domain for Range<T> {
    type Value = T;

    fn draw(&self, random: &mut Random) -> T {
        T::between(self.start, self.end, false, random)
    }
}

impl<T: Uniform> Domain for RangeInclusive<T> {
    type Value = T;

    fn draw(&self, random: &mut Random) -> T {
        T::between(*self.start(), *self.end(), true, random)
    }
}

impl<D: Domain, const N: usize> Domain for [D; N] {
    type Value = [D::Value; N];

    fn draw(&self, random: &mut Random) -> Self::Value {
        self.each_ref().map(|domain| domain.draw(random))
    }
}

impl<D: Domain> Domain for Vec<D> {
    type Value = Vec<D::Value>;

    fn draw(&self, random: &mut Random) -> Self::Value {
        self.iter().map(|domain| domain.draw(random)).collect()
    }
}

macro_rules! tuple {
    ($($name:ident $index:tt),*) => {
        impl<$($name: Domain),*> Domain for ($($name,)*) {
            type Value = ($($name::Value,)*);

            fn draw(&self, random: &mut Random) -> Self::Value {
                ($(self.$index.draw(random),)*)
            }
        }
    };
}

tuple!(A 0);
tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);
tuple!(A 0, B 1, C 2, D 3, E 4);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5);

impl<F: Fn(&mut Random) -> T, T> Domain for F {
    type Value = T;

    fn draw(&self, random: &mut Random) -> T {
        self(random)
    }
}

/// Runs a test at as many points as the settings say, up to the first mismatch. `check!` calls it with a closure that
/// draws a point and tests there.
///
/// # Errors
///
/// The first mismatch, or that there are no points, since the settings ask for none or a domain is empty.
pub fn at_points(
    settings: &Settings,
    check: &mut dyn FnMut(&mut Random) -> Result<Report, Mismatch>,
) -> Result<Report, Mismatch> {
    let untested = |why: &str| Err(Mismatch::untested("check!", why));
    if settings.drawn() == 0 {
        return untested("a test at no point tests nothing");
    }
    let mut random = Random::new(2);
    let mut check = || {
        caught(|| check(&mut random))
            .unwrap_or_else(|why| untested(&format!("no point can be drawn: {why}")))
    };
    let mut report = check()?;
    for _ in 1..settings.drawn() {
        report.join(&check()?);
    }
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn numbers_are_in_their_ranges_and_reach_both_ends() {
        let mut random = Random::new(1);
        let drawn: Vec<i8> = (0..200).map(|_| (-3..=3).draw(&mut random)).collect();
        assert_eq!((drawn.iter().min(), drawn.iter().max()), (Some(&-3), Some(&3)));
        let drawn: Vec<f64> = (0..200).map(|_| (-1.0..2.0).draw(&mut random)).collect();
        assert!(drawn.iter().all(|number| (-1.0..2.0).contains(number)));
        assert!(
            drawn.iter().any(|number| *number < -0.9) && drawn.iter().any(|number| *number > 1.9)
        );
        assert_eq!((2.0_f32..=2.0).draw(&mut random), 2.0);
        let last = u64::MAX..=u64::MAX;
        assert_eq!((0..1, last).draw(&mut random), (0_usize, u64::MAX));
        assert_eq!(vec![5..6; 3].draw(&mut random), [5, 5, 5]);
    }

    #[test]
    #[should_panic(expected = "the range is empty")]
    fn an_empty_range_has_no_numbers() {
        let _ = (3..3).draw(&mut Random::new(1));
    }
}
