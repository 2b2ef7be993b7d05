//! Parameters and results.

use super::Generator;
use crate::programs::random::Random;
use crate::programs::syntax::{Access, Parameter, Type};

/// The type of a program's result.
pub(super) fn result(random: &mut Random) -> Type {
    random.weighted(&[
        (12, Type::Float),
        (1, Type::Pair),
        (1, Type::Array(3)),
        (1, Type::Vector),
        (1, Type::State),
        (2, Type::Unit),
    ])
}

impl Generator {
    /// Up to four parameters with floats, and `n`. A function without a result changes one of them.
    pub(super) fn parameters(&mut self) -> Vec<Parameter> {
        let count = 1 + self.random.below(4);
        let mut parameters: Vec<Parameter> = (0..count).map(|_| self.parameter()).collect();
        if self.result == Type::Unit && parameters.iter().all(|one| one.access != Access::Unique) {
            parameters[0].access = Access::Unique;
            parameters[0].mutable = false;
        }
        let n = self.index_parameter();
        let at = if self.random.chance(0.7) { count } else { self.random.below(count) };
        parameters.insert(at, n);
        self.add_parameters(&parameters);
        parameters
    }

    /// `n`
    pub(super) fn index_parameter(&self) -> Parameter {
        Parameter { name: "n".into(), ty: Type::Index, access: Access::Owned, mutable: false }
    }

    pub(super) fn add_parameters(&mut self, parameters: &[Parameter]) {
        for parameter in parameters {
            let Parameter { name, ty, access, mutable } = parameter.clone();
            self.add(name, ty, access, mutable || access == Access::Unique);
        }
    }

    pub(super) fn parameter(&mut self) -> Parameter {
        let own = if self.fields.is_empty() { 0 } else { 2 };
        let (mut ty, access) = self.random.weighted(&[
            (own, (Type::Own, Access::Owned)),
            (own, (Type::Own, Access::Shared)),
            (2 * own, (Type::Own, Access::Unique)),
            (1, (Type::Shape, Access::Owned)),
            (1, (Type::Shape, Access::Shared)),
            (1, (Type::Shape, Access::Unique)),
            (4, (Type::Float, Access::Owned)),
            (1, (Type::Float, Access::Shared)),
            (2, (Type::Float, Access::Unique)),
            (4, (Type::Slice(3), Access::Shared)),
            (5, (Type::Slice(3), Access::Unique)),
            (2, (Type::Array(3), Access::Owned)),
            (1, (Type::Array(3), Access::Shared)),
            (2, (Type::Array(3), Access::Unique)),
            (1, (Type::Matrix, Access::Owned)),
            (1, (Type::Matrix, Access::Unique)),
            (2, (Type::Vector, Access::Owned)),
            (1, (Type::Vector, Access::Shared)),
            (2, (Type::Vector, Access::Unique)),
            (1, (Type::Pair, Access::Owned)),
            (1, (Type::Pair, Access::Unique)),
            (1, (Type::State, Access::Owned)),
            (1, (Type::State, Access::Shared)),
            (2, (Type::State, Access::Unique)),
        ]);
        if self.random.chance(0.1) && ty == Type::Slice(3) {
            ty = Type::Slice(2);
        }
        let mutable = access == Access::Owned && self.random.chance(0.5);
        Parameter { name: self.fresh("p"), ty, access, mutable }
    }
}
