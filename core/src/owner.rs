//! Whose a method is: what only rustc knows of `left.sum()` in a method `sum`.
//!
//! The levels of a recursion share tapes, and a method of the same name that another type has leaves a pullback. Emitted
//! code is written for both, and each call is one of the two by the types of its receiver and of `Self`, before any code
//! is made of it: [`Owner`] is what a method says of itself, [`Probe`] chooses between [`Same`] and [`Other`], and these
//! have functions of the same names. **Invariant:** what the wrong one of the two would be given is never made.

use core::marker::PhantomData;

/// The type that a method belongs to; of a trait's method, none.
pub struct Owner<T: ?Sized>(PhantomData<fn() -> T>);

impl<T: ?Sized> Owner<T> {
    /// Takes no memory.
    #[inline(always)]
    #[must_use]
    #[expect(clippy::new_without_default, reason = "only emitted code makes it")]
    pub const fn new() -> Self {
        Owner(PhantomData)
    }
}

/// The owner of the method that is called, and that of the one which calls.
pub struct Probe<Called: ?Sized, Calling: ?Sized>(PhantomData<(Owner<Called>, Owner<Calling>)>);

/// Asks a method that is never called for its owner.
#[inline(always)]
pub fn probe<Called: ?Sized, Calling: ?Sized>(
    _method: impl FnOnce() -> Owner<Called>,
) -> Probe<Called, Calling> {
    Probe(PhantomData)
}

/// Found first, if the two are one.
pub trait IsSame {
    /// The function calls itself.
    #[inline(always)]
    fn whose(&self) -> Same {
        Same
    }
}

impl<T: ?Sized> IsSame for Probe<T, T> {}

/// Found else, behind one more reference.
pub trait IsOther {
    /// The function calls another.
    #[inline(always)]
    fn whose(&self) -> Other {
        Other
    }
}

impl<Called: ?Sized, Calling: ?Sized> IsOther for &Probe<Called, Calling> {}

/// A call of the function by itself, whose operands and results are of the function's own types.
#[derive(Clone, Copy)]
pub struct Same;

/// A call of another function, whose types have nothing to do with those of the one that calls.
#[derive(Clone, Copy)]
pub struct Other;

/// What stands for the pullback of a call that left its entry on the tape.
pub struct Absent<Pullback>(PhantomData<fn() -> Pullback>);

impl<Pullback> Default for Absent<Pullback> {
    #[inline(always)]
    fn default() -> Self {
        Absent(PhantomData)
    }
}

/// A pullback that is kept, if its call was made.
pub struct Present<Pullback>(Option<Pullback>);

impl<Pullback> Default for Present<Pullback> {
    #[inline(always)]
    fn default() -> Self {
        Present(None)
    }
}

#[cold]
fn never() -> ! {
    unreachable!("a call is known by its types")
}

impl Same {
    /// Yes.
    #[inline(always)]
    #[must_use]
    pub const fn is_same(&self) -> bool {
        true
    }

    /// A value of a type of the function's own.
    #[inline(always)]
    pub fn own<T>(&self, value: T) -> T {
        value
    }

    /// Nothing is kept.
    #[inline(always)]
    #[must_use]
    pub fn absent<Pullback>(&self) -> Absent<Pullback> {
        Absent(PhantomData)
    }

    /// What the call of another function leaves.
    #[inline(always)]
    pub fn kept<Pullback>(&self, _pullback: Pullback) -> Absent<Pullback> {
        never()
    }
}

impl Other {
    /// No.
    #[inline(always)]
    #[must_use]
    pub const fn is_same(&self) -> bool {
        false
    }

    /// A value of a type of the function's own: there is none.
    #[inline(always)]
    pub fn own<Given, T>(&self, _value: Given) -> T {
        never()
    }

    /// Something is kept.
    #[inline(always)]
    pub fn absent<Pullback>(&self) -> Present<Pullback> {
        never()
    }

    /// What the call of another function leaves.
    #[inline(always)]
    pub fn kept<Pullback>(&self, pullback: Pullback) -> Present<Pullback> {
        Present(Some(pullback))
    }
}

impl<Pullback> Absent<Pullback> {
    /// Yes.
    #[inline(always)]
    #[must_use]
    pub const fn is_same(&self) -> bool {
        true
    }

    /// A value of a type of the function's own.
    #[inline(always)]
    pub fn own<T>(&self, value: T) -> T {
        value
    }

    /// What is done with the pullback if it is another function's.
    #[inline(always)]
    pub fn pulled<T>(self, _call: impl FnOnce(Pullback) -> T) -> T {
        never()
    }
}

impl<Pullback> Present<Pullback> {
    /// No.
    #[inline(always)]
    #[must_use]
    pub const fn is_same(&self) -> bool {
        false
    }

    /// A value of a type of the function's own: there is none.
    #[inline(always)]
    pub fn own<Given, T>(&self, _value: Given) -> T {
        never()
    }

    /// What is done with the pullback if it is another function's.
    #[inline(always)]
    pub fn pulled<T>(self, call: impl FnOnce(Pullback) -> T) -> T {
        call(self.0.expect("the pullback of a call that was made"))
    }
}
