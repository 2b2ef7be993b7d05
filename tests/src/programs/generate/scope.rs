//! Which variables there are, and what may be done with them now.

use super::Generator;
use crate::programs::names::Role;
use crate::programs::syntax::{Access, Expression, Place, Type};

/// A variable in scope.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub name: String,
    pub ty: Type,
    pub access: Access,
    /// Whether what it holds or refers to may be written.
    pub mutable: bool,
    pub lock: Lock,
    /// The numbers that an index may be: at least the first and below the second.
    pub range: Option<(usize, usize)>,
}

/// What a borrow leaves of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lock {
    /// It is not borrowed.
    Free,
    /// It may be read.
    Frozen,
    /// It may not be named, neither by an expression nor by another variable.
    Locked,
}

impl Variable {
    /// What it holds: itself, or what it refers to.
    pub(super) fn place(&self) -> Place {
        let place = Place::Variable(self.name.clone());
        let scalar = !matches!(self.ty, Type::Slice(_));
        if self.access != Access::Owned && scalar {
            Place::Referent(Box::new(place))
        } else {
            place
        }
    }

    /// Where fields and elements are taken from; references are looked through.
    pub(super) fn base(&self) -> Place {
        Place::Variable(self.name.clone())
    }

    pub(super) fn may(&self, write: bool) -> bool {
        match self.lock {
            Lock::Free => self.mutable || !write,
            Lock::Frozen => !write,
            Lock::Locked => false,
        }
    }
}

impl Generator {
    /// A name that nothing has.
    pub(super) fn fresh(&mut self, prefix: &str) -> String {
        let name = format!("{prefix}{}", self.names.len() + 1);
        self.names.push((name.clone(), Role::Variable));
        name
    }

    /// A name for a new variable: fresh, or now and then that of another variable, which it hides.
    fn name(&mut self, prefix: &str) -> String {
        let owned = |variable: &&Variable| {
            variable.access == Access::Owned && !matches!(variable.ty, Type::Function { .. })
        };
        let hidden = self.scope.iter().filter(|variable| variable.lock == Lock::Free).filter(owned);
        let hidden: Vec<String> = hidden.map(|variable| variable.name.clone()).collect();
        let hides = !hidden.is_empty() && self.random.chance(0.1);
        if hides { self.random.pick(&hidden) } else { self.fresh(prefix) }
    }

    /// A new variable that owns its value.
    pub(super) fn declare(&mut self, prefix: &str, ty: Type, mutable: bool) -> String {
        let name = self.name(prefix);
        self.add(name, ty, Access::Owned, mutable)
    }

    /// A new variable of a known name.
    pub(super) fn add(&mut self, name: String, ty: Type, access: Access, mutable: bool) -> String {
        self.scope.retain(|variable| variable.name != name);
        let (lock, range) = (Lock::Free, None);
        self.scope.push(Variable { name: name.clone(), ty, access, mutable, lock, range });
        name
    }

    /// A new index between two numbers, or of unknown size.
    pub(super) fn add_index(&mut self, name: String, range: Option<(usize, usize)>) {
        self.add(name, Type::Index, Access::Owned, false);
        self.scope.last_mut().expect("it was added").range = range;
    }

    /// Removes a variable.
    pub(super) fn forget(&mut self, name: &str) {
        self.scope.retain(|variable| variable.name != name);
    }

    /// Changes a variable's lock and returns what it was.
    pub(super) fn lock(&mut self, name: &str, lock: Lock) -> Lock {
        match self.scope.iter_mut().find(|variable| variable.name == name) {
            Some(variable) => std::mem::replace(&mut variable.lock, lock),
            None => Lock::Free,
        }
    }

    /// One of the variables that fulfil a condition and may be read, or written.
    pub(super) fn choose(
        &mut self,
        write: bool,
        fits: impl Fn(&Variable) -> bool,
    ) -> Option<Variable> {
        let candidates = self.scope.iter().filter(|variable| variable.may(write) && fits(variable));
        let candidates: Vec<Variable> = candidates.cloned().collect();
        if candidates.is_empty() { None } else { Some(self.random.pick(&candidates)) }
    }

    /// What some variable of this type holds.
    pub(super) fn read_whole(&mut self, ty: Type) -> Option<Expression> {
        let variable = self.choose(false, |variable| variable.ty == ty)?;
        Some(Expression::Read(variable.place()))
    }
}
