//! Looking into values and tangents: their leaves, what leads to each, and where in memory they are.
//!
//! In comes a value or a tangent, by its `visit`; a [`Visitor`] sees the leaves in order, between steps into the
//! parts that they belong to and out again. Invariants: every [`enter`](Visitor::enter) has its
//! [`leave`](Visitor::leave); steps and memory are no leaves, so that two values with equal leaves are equal.

use alloc::vec::Vec;
use core::fmt;

/// What a value is made of, as [`Differentiable::visit`](crate::Differentiable::visit) shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Leaf<'a> {
    /// A float in single precision.
    F32(f32),
    /// A float in double precision.
    F64(f64),
    /// An integer, a `bool` or a `char`; a `u128` by its bits.
    Integer(i128),
    /// A string.
    Text(&'a str),
    /// The length of what follows, or the number of an enum's variant.
    Shape(usize),
}

impl Leaf<'_> {
    /// The leaf as a float, if it is one; an `f32` is widened, which loses nothing.
    ///
    /// ```
    /// use cotangent::{Differentiable, Leaf};
    ///
    /// let mut floats = vec![];
    /// vec![1.0, 2.0].visit(&mut |leaf: Leaf<'_>| floats.extend(leaf.float()));
    /// assert_eq!(floats, [1.0, 2.0]);
    /// ```
    #[must_use]
    pub fn float(self) -> Option<f64> {
        match self {
            Leaf::F32(float) => Some(f64::from(float)),
            Leaf::F64(float) => Some(float),
            _ => None,
        }
    }
}

/// From a value to one of its parts. It prints as in an expression: `.velocity`, `[2]`, `["key"]`.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Step<'a> {
    /// To a field; those of tuples have numbers.
    Field(&'a str),
    /// To what is in a variant of an enum.
    Variant(&'a str),
    /// To an entry of an array, a slice or a vector.
    Index(usize),
    /// To what a map has under a key.
    Key(fmt::Arguments<'a>),
}

impl fmt::Display for Step<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Field(name) | Step::Variant(name) => write!(f, ".{name}"),
            Step::Index(index) => write!(f, "[{index}]"),
            Step::Key(key) => write!(f, "[{key}]"),
        }
    }
}

/// Who looks into a value. A closure that takes leaves is one; its parameter states its type.
///
/// ```
/// use cotangent::{Differentiable, Leaf, Step, Visitor};
///
/// #[derive(Differentiable)]
/// struct State {
///     level: f64,
///     slope: [f64; 2],
/// }
///
/// #[derive(Default)]
/// struct Paths {
///     steps: Vec<String>,
///     all: Vec<String>,
/// }
///
/// impl Visitor for Paths {
///     fn leaf(&mut self, _: Leaf<'_>) {
///         self.all.push(self.steps.concat());
///     }
///
///     fn enter(&mut self, step: Step<'_>) {
///         self.steps.push(step.to_string());
///     }
///
///     fn leave(&mut self) {
///         self.steps.pop();
///     }
/// }
///
/// let mut paths = Paths::default();
/// State { level: 1.0, slope: [2.0, 3.0] }.visit(&mut paths);
/// assert_eq!(paths.all, [".level", ".slope[0]", ".slope[1]"]);
/// ```
pub trait Visitor {
    /// A leaf.
    fn leaf(&mut self, leaf: Leaf<'_>);

    /// What follows, up to the matching [`leave`](Visitor::leave), is in a part.
    fn enter(&mut self, step: Step<'_>) {
        let _ = step;
    }

    /// The part that was entered last is over.
    fn leave(&mut self) {}

    /// What follows in this value lies behind a pointer, in a buffer of so many entries.
    fn memory(&mut self, address: usize, capacity: usize) {
        let _ = (address, capacity);
    }
}

impl<F: FnMut(Leaf<'_>)> Visitor for F {
    fn leaf(&mut self, leaf: Leaf<'_>) {
        self(leaf);
    }
}

/// The floats that a value, a tangent or several of them show.
pub(crate) fn floats(show: impl FnOnce(&mut dyn Visitor)) -> Vec<f64> {
    let mut floats = Vec::new();
    show(&mut |leaf: Leaf<'_>| floats.extend(leaf.float()));
    floats
}

/// Shows the entries of an array or a list, each as a part.
pub(crate) fn visit_entries<T>(
    entries: impl IntoIterator<Item = T>,
    visitor: &mut dyn Visitor,
    visit: impl Fn(T, &mut dyn Visitor),
) {
    for (index, entry) in entries.into_iter().enumerate() {
        visitor.enter(Step::Index(index));
        visit(entry, visitor);
        visitor.leave();
    }
}

/// Shows what is in a field or in a variant.
pub(crate) fn visit_part(
    step: Step<'_>,
    visitor: &mut dyn Visitor,
    visit: impl FnOnce(&mut dyn Visitor),
) {
    visitor.enter(step);
    visit(visitor);
    visitor.leave();
}

/// Shows where something lies that has a pointer to it, unless it takes no room.
pub(crate) fn visit_memory<T: ?Sized>(content: &T, capacity: usize, visitor: &mut dyn Visitor) {
    if size_of_val(content) > 0 {
        visitor.memory(core::ptr::from_ref(content).cast::<()>().addr(), capacity);
    }
}
