//! Values and tangents as flat lists of floats, the only form in which the oracle sees them.

use cotangent::Differentiable;

use super::prelude::{Shape, ShapeTangent, State, StateTangent};

/// How many elements a vector has at the beginning of a program.
pub const LENGTH: usize = 3;

/// Hands out floats, one after the other.
pub struct Reader<'f>(&'f [f64]);

impl<'f> Reader<'f> {
    /// A reader of these floats.
    #[must_use]
    pub fn new(floats: &'f [f64]) -> Self {
        Reader(floats)
    }

    /// The next float.
    ///
    /// # Panics
    ///
    /// When none is left.
    pub fn float(&mut self) -> f64 {
        let (first, rest) = self.0.split_first().expect("as many floats are read as there are");
        self.0 = rest;
        *first
    }
}

/// Something made of floats: a value or a tangent.
pub trait Floats {
    /// Appends the floats.
    fn put(&self, to: &mut Vec<f64>);
}

/// A value that can be made of floats, and so can its tangent.
pub trait Flat: Floats + Differentiable<Tangent: Floats> + Sized {
    /// A value, as programs get it.
    fn read(from: &mut Reader<'_>) -> Self;
    /// A tangent in the shape of this value.
    fn tangent(&self, from: &mut Reader<'_>) -> Self::Tangent;
}

impl Floats for f64 {
    fn put(&self, to: &mut Vec<f64>) {
        to.push(*self);
    }
}

impl Flat for f64 {
    fn read(from: &mut Reader<'_>) -> f64 {
        from.float()
    }

    fn tangent(&self, from: &mut Reader<'_>) -> f64 {
        from.float()
    }
}

impl Floats for () {
    fn put(&self, _: &mut Vec<f64>) {}
}

impl Flat for () {
    fn read(_: &mut Reader<'_>) {}

    fn tangent(&self, _: &mut Reader<'_>) {}
}

impl<T: Floats, const N: usize> Floats for [T; N] {
    fn put(&self, to: &mut Vec<f64>) {
        self.iter().for_each(|item| item.put(to));
    }
}

impl<T: Flat, const N: usize> Flat for [T; N] {
    fn read(from: &mut Reader<'_>) -> [T; N] {
        std::array::from_fn(|_| T::read(from))
    }

    fn tangent(&self, from: &mut Reader<'_>) -> [T::Tangent; N] {
        std::array::from_fn(|index| self[index].tangent(from))
    }
}

impl<T: Floats> Floats for Vec<T> {
    fn put(&self, to: &mut Vec<f64>) {
        self.iter().for_each(|item| item.put(to));
    }
}

impl<T: Flat> Flat for Vec<T> {
    fn read(from: &mut Reader<'_>) -> Vec<T> {
        (0..LENGTH).map(|_| T::read(from)).collect()
    }

    fn tangent(&self, from: &mut Reader<'_>) -> Vec<T::Tangent> {
        self.iter().map(|item| item.tangent(from)).collect()
    }
}

impl<A: Floats, B: Floats> Floats for (A, B) {
    fn put(&self, to: &mut Vec<f64>) {
        self.0.put(to);
        self.1.put(to);
    }
}

impl<A: Flat, B: Flat> Flat for (A, B) {
    fn read(from: &mut Reader<'_>) -> (A, B) {
        (A::read(from), B::read(from))
    }

    fn tangent(&self, from: &mut Reader<'_>) -> (A::Tangent, B::Tangent) {
        (self.0.tangent(from), self.1.tangent(from))
    }
}

impl Floats for State {
    fn put(&self, to: &mut Vec<f64>) {
        (self.level, (self.pair, self.slope)).put(to);
    }
}

impl Floats for StateTangent {
    fn put(&self, to: &mut Vec<f64>) {
        (self.level, (self.pair, self.slope)).put(to);
    }
}

impl Flat for State {
    fn read(from: &mut Reader<'_>) -> State {
        let (level, (pair, slope)) = Flat::read(from);
        State { level, pair, slope, steps: 2 }
    }

    fn tangent(&self, from: &mut Reader<'_>) -> StateTangent {
        let (level, (pair, slope)) = (self.level, (self.pair, self.slope)).tangent(from);
        StateTangent { level, pair, slope, ..StateTangent::default() }
    }
}

impl Floats for Shape {
    fn put(&self, to: &mut Vec<f64>) {
        match self {
            Shape::Wide { width, height } => (*width, *height).put(to),
            Shape::Round(radius) => radius.put(to),
            Shape::Flat => {}
        }
    }
}

/// Of a tangent in the value's shape, which [`Differentiable::conform`] gives it.
impl Floats for ShapeTangent {
    fn put(&self, to: &mut Vec<f64>) {
        match self {
            ShapeTangent::Wide { width, height } => (*width, *height).put(to),
            ShapeTangent::Round(radius) => radius.put(to),
            ShapeTangent::Flat | ShapeTangent::Zero => {}
        }
    }
}

impl Flat for Shape {
    fn read(from: &mut Reader<'_>) -> Shape {
        Shape::Wide { width: from.float(), height: from.float() }
    }

    fn tangent(&self, from: &mut Reader<'_>) -> ShapeTangent {
        match self {
            Shape::Wide { .. } => ShapeTangent::Wide { width: from.float(), height: from.float() },
            Shape::Round(_) => ShapeTangent::Round(from.float()),
            Shape::Flat => ShapeTangent::Flat,
        }
    }
}

impl Floats for Option<f64> {
    fn put(&self, to: &mut Vec<f64>) {
        self.iter().for_each(|item| item.put(to));
    }
}

impl Flat for Option<f64> {
    fn read(from: &mut Reader<'_>) -> Option<f64> {
        Some(from.float())
    }

    fn tangent(&self, from: &mut Reader<'_>) -> Option<f64> {
        self.map(|_| from.float())
    }
}
