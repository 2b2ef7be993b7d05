//! What the compiler knows of a value's type.
//!
//! The macro sees no item but the one it stands on, so a type is often [`Type::Unknown`]: derivative
//! code for it goes through traits, and rustc resolves them.

use super::Projection;
use crate::syntax::is_standard;

/// Which float.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum FloatKind {
    F32,
    F64,
    /// A literal's: whichever the context asks for.
    Literal,
    /// That of a type parameter of this name.
    Parameter(String),
}

/// A type, as far as syntax shows it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Float(FloatKind),
    Int,
    Bool,
    /// A `&str`, or the `str` behind one.
    Text,
    /// Another type without tangent: `char`, `String`, functions.
    Constant,
    Tuple(Vec<Type>),
    /// Element type and the length's tokens.
    Array(Box<Type>, String),
    Slice(Box<Type>),
    Vec(Box<Type>),
    /// A `RefCell`, or a handle to one.
    Cell(Box<Type>),
    /// A reference, and whether it is `&mut`.
    Reference(Box<Type>, bool),
    /// A parameter that is a function: the type of its results, how many arguments it takes, and whether it
    /// is a reference in the user's function.
    Function(Box<Type>, usize, bool),
    /// A pullback of a called function.
    Pullback,
    /// An `Option` around a residual that exists in one arm only.
    Wrapped(Box<Type>),
    /// That of a value behind a panic: it is never made.
    Never,
    Unknown,
}

impl Type {
    pub const UNIT: Type = Type::Tuple(Vec::new());

    /// Whether both are known, and one is a float where the other is an integer or a `bool`, or the like.
    pub fn is_other_primitive(&self, other: &Type) -> bool {
        let kind = |ty: &Type| match ty {
            Type::Float(_) => Some(0),
            Type::Int => Some(1),
            Type::Bool => Some(2),
            _ => None,
        };
        kind(self).zip(kind(other)).is_some_and(|(one, other)| one != other)
    }

    pub fn is_float(&self) -> bool {
        self.float().is_some()
    }

    /// The kind of a float.
    pub fn float(&self) -> Option<&FloatKind> {
        match self {
            Type::Float(kind) => Some(kind),
            _ => None,
        }
    }

    pub fn is_unit(&self) -> bool {
        matches!(self, Type::Tuple(items) if items.is_empty())
    }

    /// Whether it is a pullback, or a place for one.
    pub fn is_pullback(&self) -> bool {
        match self {
            Type::Pullback => true,
            Type::Wrapped(inner) => inner.is_pullback(),
            _ => false,
        }
    }

    /// Whether values of this type carry no derivative whatever they are.
    pub fn is_constant(&self) -> bool {
        match self {
            Type::Int | Type::Bool | Type::Text | Type::Constant => true,
            Type::Tuple(items) => !items.is_empty() && items.iter().all(Type::is_constant),
            Type::Array(item, _)
            | Type::Slice(item)
            | Type::Vec(item)
            | Type::Cell(item)
            | Type::Reference(item, _) => item.is_constant(),
            Type::Float(_)
            | Type::Function(..)
            | Type::Pullback
            | Type::Wrapped(_)
            | Type::Never
            | Type::Unknown => false,
        }
    }

    /// Whether a value of it is kept in a place of its own, with a shadow, rather than as an SSA scalar.
    pub fn is_aggregate(&self) -> bool {
        matches!(self, Type::Array(..) | Type::Slice(_) | Type::Vec(_))
    }

    /// The tangent's type of a value of such a type, where it is not the one that has nothing in it.
    pub fn of_nothing(&self) -> Type {
        match self {
            Type::Tuple(items) => Type::Tuple(items.iter().map(Type::of_nothing).collect()),
            Type::Array(item, len) => Type::Array(Box::new(item.of_nothing()), len.clone()),
            Type::Vec(item) => Type::Vec(Box::new(item.of_nothing())),
            _ => Type::Unknown,
        }
    }

    /// Whether copying is free of ownership questions.
    pub fn is_copy(&self) -> bool {
        match self {
            Type::Float(_) | Type::Int | Type::Bool | Type::Text => true,
            Type::Tuple(items) => items.iter().all(Type::is_copy),
            Type::Array(item, _) => item.is_copy(),
            _ => false,
        }
    }

    /// Whether it is known that a value of it borrows nothing.
    pub fn is_static(&self) -> bool {
        match self {
            Type::Float(_) | Type::Int | Type::Bool => true,
            Type::Tuple(items) => items.iter().all(Type::is_static),
            Type::Array(item, _) | Type::Slice(item) | Type::Vec(item) | Type::Wrapped(item) => {
                item.is_static()
            }
            Type::Text
            | Type::Constant
            | Type::Cell(_)
            | Type::Reference(..)
            | Type::Function(..)
            | Type::Pullback
            | Type::Never
            | Type::Unknown => false,
        }
    }

    /// Whether a value of it can be made up where none is there: never read, but of the right shape.
    pub fn has_stand_in(&self) -> bool {
        match self {
            Type::Float(_) | Type::Int | Type::Bool | Type::Text | Type::Wrapped(_) => true,
            Type::Tuple(items) => items.iter().all(Type::has_stand_in),
            Type::Array(item, _) => item.has_stand_in(),
            _ => false,
        }
    }

    /// Whether there may be cells in a value of it.
    pub fn may_hold_cells(&self) -> bool {
        match self {
            Type::Unknown | Type::Cell(_) => true,
            Type::Tuple(items) => items.iter().any(Type::may_hold_cells),
            Type::Array(item, _)
            | Type::Slice(item)
            | Type::Vec(item)
            | Type::Wrapped(item)
            | Type::Reference(item, _) => item.may_hold_cells(),
            _ => false,
        }
    }

    /// The element of an array, slice or vector.
    pub fn element(&self) -> Type {
        match self {
            Type::Array(item, _) | Type::Slice(item) | Type::Vec(item) => (**item).clone(),
            Type::Reference(item, _) => item.element(),
            _ => Type::Unknown,
        }
    }

    /// The owned form of a type behind a reference: a slice's is a vector.
    pub fn owned(self) -> Type {
        match self {
            Type::Slice(item) => Type::Vec(item),
            ty => ty,
        }
    }

    /// The type of the part that a path leads to.
    pub fn part(&self, path: &[Projection]) -> Type {
        path.iter().fold(self.clone(), |ty, step| match (step, ty) {
            (Projection::Index, ty) => ty.element(),
            (Projection::Borrowed, Type::Cell(content)) => *content,
            (Projection::Range(_), ty) => Type::Slice(Box::new(ty.element())),
            (Projection::Field(name), Type::Tuple(items)) => {
                let index = name.parse::<usize>().ok();
                index.and_then(|index| items.get(index).cloned()).unwrap_or(Type::Unknown)
            }
            _ => Type::Unknown,
        })
    }

    /// Whether a path leads through a field of a struct or an enum whose definition is not seen.
    pub fn hides_field(&self, path: &[Projection]) -> bool {
        (0..path.len()).any(|length| {
            let is_field = match &path[length] {
                Projection::Field(_) => true,
                Projection::Variant(path, _) => !is_standard(path),
                Projection::Index | Projection::Range(_) | Projection::Key => false,
                Projection::Deref | Projection::Borrowed | Projection::Unwrap(..) => false,
            };
            is_field && matches!(self.part(&path[..length]), Type::Unknown)
        })
    }

    /// The type of a value that may come from either of two sources.
    pub fn join(&self, other: &Type) -> Type {
        match (self, other) {
            (a, b) if a == b => a.clone(),
            (Type::Float(FloatKind::Literal), b @ Type::Float(_)) => b.clone(),
            (a @ Type::Float(_), _) => a.clone(),
            (_, b @ Type::Float(_)) => b.clone(),
            (Type::Unknown | Type::Never, b) => b.clone(),
            (a, _) => a.clone(),
        }
    }

    /// The tangent's type.
    pub fn tangent(&self) -> Type {
        match self {
            Type::Array(item, len) => Type::Array(Box::new(item.tangent()), len.clone()),
            Type::Slice(item) => Type::Slice(Box::new(item.tangent())),
            Type::Vec(item) => Type::Vec(Box::new(item.tangent())),
            Type::Cell(item) => Type::Cell(Box::new(item.tangent())),
            Type::Tuple(items) => Type::Tuple(items.iter().map(Type::tangent).collect()),
            Type::Wrapped(inner) => Type::Wrapped(Box::new(inner.tangent())),
            Type::Never => Type::Never,
            Type::Float(kind) => Type::Float(kind.clone()),
            _ => Type::Unknown,
        }
    }
}
