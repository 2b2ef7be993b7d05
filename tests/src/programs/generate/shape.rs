//! Enums: the values of an `Option` and of the prelude's `Shape`, and what is done with their parts.

use super::Generator;
use super::place::lent;
use super::scope::{Lock, Variable};
use crate::programs::syntax::{
    Access, Arm, Block, Choice, Expression, MAYBES, Pattern, Place, SHAPES, Statement, Type,
    Variant,
};

fn variants(ty: Type) -> &'static [Variant] {
    if ty == Type::Shape { SHAPES } else { MAYBES }
}

fn is_enum(variable: &Variable) -> bool {
    matches!(variable.ty, Type::Shape | Type::Maybe)
}

impl Generator {
    /// A value of one of the variants.
    pub(super) fn variant(&mut self, ty: Type) -> Expression {
        // The first has parts.
        let variants = variants(ty);
        let at = self.random.below(variants.len() + 1) % variants.len();
        let variant = &variants[at];
        Expression::Variant(variant, variant.parts.iter().map(|_| self.storable(1)).collect())
    }

    /// A float that depends on the parts of an enum.
    pub(super) fn parts_value(&mut self, depth: usize) -> Option<Expression> {
        let variable = self.choose(false, is_enum)?;
        let value = Expression::Read(variable.place());
        if variable.ty == Type::Maybe && self.random.chance(0.3) {
            return Some(value.method("unwrap_or", vec![self.storable(0)]));
        }
        let (subject, access) = match (variable.access, self.random.chance(0.5)) {
            (Access::Owned, true) => (value, Access::Owned),
            _ => (lent(&variable, false), Access::Shared),
        };
        self.locked(&variable.name, Lock::Frozen, |generator| {
            let arms = variants(variable.ty).iter().map(|variant| {
                generator.part_arm(variant, access, |generator| generator.arm(depth))
            });
            let arms = arms.collect();
            Some(Expression::Match(Box::new(subject), arms))
        })
    }

    /// Statements on the parts of an enum, which may change them.
    pub(super) fn parts_statement(&mut self) -> Option<Statement> {
        let unique = self.random.chance(0.6);
        let variable = self.choose(unique, is_enum)?;
        let access = if unique { Access::Unique } else { Access::Shared };
        let subject = match variable.access {
            Access::Unique => {
                let place = Place::Referent(Box::new(variable.base()));
                Expression::Borrow { unique, place, part: None }
            }
            _ => lent(&variable, unique),
        };
        let lock = if unique { Lock::Locked } else { Lock::Frozen };
        let statement = self.locked(&variable.name, lock, |generator| {
            if generator.random.chance(0.4) {
                return generator.if_let(variable.ty, access, subject);
            }
            let arms = variants(variable.ty).iter().map(|variant| {
                generator.part_arm(variant, access, |generator| generator.part_body(access))
            });
            let arms = arms.collect();
            Expression::Match(Box::new(subject), arms)
        });
        Some(Statement::Do(statement))
    }

    fn if_let(&mut self, ty: Type, access: Access, subject: Expression) -> Expression {
        // The variants that have parts come before the one that has none.
        let variants = variants(ty);
        let at = self.random.below(variants.len() - 1);
        let arm = self.part_arm(&variants[at], access, |generator| generator.part_body(access));
        let Choice::Parts(pattern) = arm.pattern else { unreachable!("it was made so") };
        let condition = Expression::Let(pattern, Box::new(subject));
        let otherwise = self.random.chance(0.3).then(|| self.block(2));
        Expression::If(Box::new(condition), arm.body, otherwise)
    }

    fn part_arm(
        &mut self,
        variant: &'static Variant,
        access: Access,
        body: impl FnOnce(&mut Self) -> Block,
    ) -> Arm {
        let outside = self.scope.clone();
        let names: Vec<String> = variant.parts.iter().map(|_| self.fresh("q")).collect();
        for name in &names {
            self.add(name.clone(), Type::Float, access, access == Access::Unique);
        }
        let body = body(self);
        self.scope = outside;
        let name = |name| Pattern::Name { name, mutable: false };
        let pattern = Pattern::Variant(variant, names.into_iter().map(name).collect());
        Arm { pattern: Choice::Parts(pattern), guard: None, body }
    }

    fn part_body(&mut self, access: Access) -> Block {
        self.scoped(|generator| {
            let mut statements = generator.simple_statement();
            let part = generator.choose(true, |variable| {
                access == Access::Unique && variable.name.starts_with('q')
            });
            if let Some(part) = part {
                let operator = generator.random.pick(&["=", "+=", "*="]);
                statements.push(generator.assigned(Expression::Read(part.place()), operator));
            }
            Block { statements, value: None }
        })
    }
}
