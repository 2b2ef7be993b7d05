//! The HIR as text, for `dump!(hir, ..)` and tests.
//!
//! In: a [`Body`]. Out: its text in the form of Rust. A local is printed with its number (`x#2`), so that locals of one
//! spelling are told apart; an item is printed as its path; a target of exits is a label with its number (`'3`).

use super::{
    Argument, Arm, Binding, Block, Body, Closure, Condition, Constructor, ExprId, ExprKind, Local,
    Loop, LoopKind, Macro, Mode, PatId, PatKind, Stmt, Target,
};
use quote::ToTokens;
use std::fmt::{self, Display};

impl Display for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let params: Vec<String> = self.params.iter().map(|local| self.name(*local)).collect();
        write!(f, "fn({}) ", params.join(", "))?;
        match self.root {
            Some(root) => writeln!(f, "{}", self.text(root, 0)),
            None => writeln!(f, "{{}}"),
        }
    }
}

/// Tokens on one line, without the spaces that are not needed.
fn tokens(tokens: &impl ToTokens) -> String {
    let text = tokens.to_token_stream().to_string();
    text.replace(" :: ", "::").replace(" < ", "<").replace(" >", ">").replace(" , ", ", ")
}

fn label(target: Target) -> String {
    match target {
        Target::FUNCTION => "'fn".to_owned(),
        Target(number) => format!("'{number}"),
    }
}

impl Body {
    fn name(&self, local: Local) -> String {
        format!("{}#{}", self.local(local).name, local.0)
    }

    fn list(&self, exprs: &[ExprId], depth: usize) -> String {
        let texts: Vec<String> = exprs.iter().map(|expr| self.text(*expr, depth)).collect();
        texts.join(", ")
    }

    /// An operand, in parentheses where it is not a single word.
    fn operand(&self, expr: ExprId, depth: usize) -> String {
        let text = self.text(expr, depth);
        match self.expr(expr).kind {
            ExprKind::Binary(..)
            | ExprKind::Lazy { .. }
            | ExprKind::Cast(..)
            | ExprKind::Range { .. } => {
                format!("({text})")
            }
            _ => text,
        }
    }

    fn text(&self, expr: ExprId, depth: usize) -> String {
        match &self.expr(expr).kind {
            ExprKind::Literal(literal) => tokens(literal),
            ExprKind::Local(local) => self.name(*local),
            ExprKind::Item(path) => tokens(path),
            ExprKind::Ignored => "_".to_owned(),
            ExprKind::Unsupported => "<unsupported>".to_owned(),
            ExprKind::Negate(inner) => format!("-{}", self.operand(*inner, depth)),
            ExprKind::Not(inner) => format!("!{}", self.operand(*inner, depth)),
            ExprKind::Deref(inner) => format!("*{}", self.operand(*inner, depth)),
            ExprKind::Borrow { is_mutable, place } => {
                let mutability = if *is_mutable { "mut " } else { "" };
                format!("&{mutability}{}", self.operand(*place, depth))
            }
            ExprKind::Field(base, member) => {
                format!("{}.{}", self.operand(*base, depth), tokens(member))
            }
            ExprKind::Index(base, index) => {
                format!("{}[{}]", self.operand(*base, depth), self.text(*index, depth))
            }
            ExprKind::Range { start, end, is_inclusive } => {
                let [start, end] = [start, end]
                    .map(|end| end.map_or_else(String::new, |end| self.operand(end, depth)));
                format!("{start}{}{end}", if *is_inclusive { "..=" } else { ".." })
            }
            ExprKind::Tuple(items) => format!("({})", self.list(items, depth)),
            ExprKind::Array(items) => format!("[{}]", self.list(items, depth)),
            ExprKind::Repeat(item, len) => {
                format!("[{}; {}]", self.text(*item, depth), tokens(len))
            }
            ExprKind::Struct { path, fields, rest } => self.literal(path, fields, *rest, depth),
            ExprKind::Cast(inner, ty) => {
                format!("{} as {}", self.operand(*inner, depth), tokens(ty))
            }
            ExprKind::Call(callee, arguments) => {
                format!("{}({})", self.operand(*callee, depth), self.list(arguments, depth))
            }
            ExprKind::Method { receiver, name, arguments, .. } => {
                let receiver = self.operand(*receiver, depth);
                format!("{receiver}.{name}({})", self.list(arguments, depth))
            }
            _ => self.composed(expr, depth),
        }
    }

    /// Operators, macros and control flow.
    fn composed(&self, expr: ExprId, depth: usize) -> String {
        match &self.expr(expr).kind {
            ExprKind::Binary(operator, left, right) => {
                let (left, right) = (self.operand(*left, depth), self.operand(*right, depth));
                format!("{left} {} {right}", tokens(operator))
            }
            ExprKind::Lazy { is_and, left, right } => {
                let (left, right) = (self.operand(*left, depth), self.operand(*right, depth));
                format!("{left} {} {right}", if *is_and { "&&" } else { "||" })
            }
            ExprKind::Assign { target, value } => {
                format!("{} = {}", self.text(*target, depth), self.text(*value, depth))
            }
            ExprKind::Compound { operator, target, value } => {
                let (target, value) = (self.text(*target, depth), self.text(*value, depth));
                format!("{target} {}= {value}", tokens(operator))
            }
            ExprKind::Macro(call) => self.macro_text(call, depth),
            ExprKind::Block { label: Some(target), block } => {
                format!("{}: {}", label(*target), self.block_text(block, depth))
            }
            ExprKind::Block { label: None, block } => self.block_text(block, depth),
            ExprKind::If { condition, then, other } => {
                let (condition, then) = (self.text(*condition, depth), self.text(*then, depth));
                format!("if {condition} {then} else {}", self.text(*other, depth))
            }
            ExprKind::Let(pattern, value) => {
                format!("let {} = {}", self.pattern(*pattern), self.text(*value, depth))
            }
            ExprKind::Match(value, arms) => self.match_text(*value, arms, depth),
            ExprKind::Loop(repeat) => self.loop_text(repeat, depth),
            ExprKind::Break(target, value) => {
                let value =
                    value.map_or_else(String::new, |value| format!(" {}", self.text(value, depth)));
                format!("break {}{value}", label(*target))
            }
            ExprKind::Continue(target) => format!("continue {}", label(*target)),
            ExprKind::Closure(closure) => self.closure_text(closure, depth),
            _ => unreachable!("`text` prints the other forms"),
        }
    }

    fn literal(
        &self,
        path: &syn::Path,
        fields: &[(syn::Member, ExprId)],
        rest: Option<ExprId>,
        depth: usize,
    ) -> String {
        let fields = fields.iter();
        let mut parts: Vec<String> = fields
            .map(|(member, value)| format!("{}: {}", tokens(member), self.text(*value, depth)))
            .collect();
        parts.extend(rest.map(|rest| format!("..{}", self.text(rest, depth))));
        format!("{} {{ {} }}", tokens(path), parts.join(", "))
    }

    fn macro_text(&self, call: &Macro, depth: usize) -> String {
        match call {
            Macro::Vector(items) => format!("vec![{}]", self.list(items, depth)),
            Macro::Filled(item, len) => {
                format!("vec![{}; {}]", self.text(*item, depth), self.text(*len, depth))
            }
            Macro::Matches(value, pattern, guard) => {
                let guard = guard
                    .map_or_else(String::new, |guard| format!(" if {}", self.text(guard, depth)));
                format!("matches!({}, {}{guard})", self.text(*value, depth), self.pattern(*pattern))
            }
            Macro::Effect(effect) => {
                let mut parts = match &effect.condition {
                    Condition::None => Vec::new(),
                    Condition::Holds(holds, _) => vec![self.text(*holds, depth)],
                    Condition::Compares { left, right, .. } => {
                        vec![self.text(*left, depth), self.text(*right, depth)]
                    }
                };
                parts.extend(effect.arguments.iter().map(|argument| match argument {
                    Argument::Text(text) => tokens(text),
                    Argument::Operand(Some(name), expr) => {
                        format!("{name} = {}", self.text(*expr, depth))
                    }
                    Argument::Operand(None, expr) => self.text(*expr, depth),
                }));
                format!("{}!({})", tokens(&effect.path), parts.join(", "))
            }
        }
    }

    fn block_text(&self, block: &Block, depth: usize) -> String {
        let indent = "    ".repeat(depth + 1);
        let mut lines = String::new();
        for stmt in &block.stmts {
            let text = match stmt {
                Stmt::Expr(expr) => self.text(*expr, depth + 1),
                Stmt::Hold { local, .. } => format!("hold {}", self.name(*local)),
                Stmt::Let { pattern, value, otherwise } => {
                    let mut text = format!("let {}", self.pattern(*pattern));
                    if let Some(value) = value {
                        text += &format!(" = {}", self.text(*value, depth + 1));
                    }
                    if let Some(otherwise) = otherwise {
                        text += &format!(" else {}", self.text(*otherwise, depth + 1));
                    }
                    text
                }
            };
            lines += &format!("{indent}{text};\n");
        }
        if let Some(value) = block.value {
            lines += &format!("{indent}{}\n", self.text(value, depth + 1));
        }
        format!("{{\n{lines}{}}}", "    ".repeat(depth))
    }

    fn match_text(&self, value: ExprId, arms: &[Arm], depth: usize) -> String {
        let indent = "    ".repeat(depth + 1);
        let arms = arms.iter().map(|arm| {
            let guard = arm
                .guard
                .map_or_else(String::new, |guard| format!(" if {}", self.text(guard, depth + 1)));
            let body = self.text(arm.body, depth + 1);
            format!("{indent}{}{guard} => {body},\n", self.pattern(arm.pattern))
        });
        let arms: String = arms.collect();
        format!("match {} {{\n{arms}{}}}", self.text(value, depth), "    ".repeat(depth))
    }

    fn loop_text(&self, repeat: &Loop, depth: usize) -> String {
        let head = match repeat.kind {
            LoopKind::Endless => "loop".to_owned(),
            LoopKind::While(condition) => format!("while {}", self.text(condition, depth)),
            LoopKind::For(pattern, iterated) => {
                format!("for {} in {}", self.pattern(pattern), self.text(iterated, depth))
            }
        };
        format!("{}: {head} {}", label(repeat.target), self.text(repeat.body, depth))
    }

    fn closure_text(&self, closure: &Closure, depth: usize) -> String {
        let params: Vec<String> = closure.params.iter().map(|param| self.pattern(*param)).collect();
        let moves = if closure.is_move { "move " } else { "" };
        format!("{moves}|{}| {}", params.join(", "), self.text(closure.body, depth))
    }

    fn patterns(&self, items: &[PatId], separator: &str) -> String {
        let texts: Vec<String> = items.iter().map(|item| self.pattern(*item)).collect();
        texts.join(separator)
    }

    fn pattern(&self, pattern: PatId) -> String {
        match &self.pat(pattern).kind {
            PatKind::Wild => "_".to_owned(),
            PatKind::Rest => "..".to_owned(),
            PatKind::Bind(binding) => self.binding(binding),
            PatKind::Typed(inner, ty) => format!("{}: {}", self.pattern(*inner), tokens(ty)),
            PatKind::Tuple(items) => format!("({})", self.patterns(items, ", ")),
            PatKind::Reference(inner) => format!("&{}", self.pattern(*inner)),
            PatKind::TupleStruct(constructor, items) => {
                let path = match constructor {
                    Constructor::Path(path) => tokens(path),
                    Constructor::Standard(variant, _) => format!("<{variant:?}>"),
                };
                format!("{path}({})", self.patterns(items, ", "))
            }
            PatKind::Struct { path, fields, .. } => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|(member, item)| format!("{}: {}", tokens(member), self.pattern(*item)))
                    .collect();
                format!("{} {{ {} }}", tokens(path), fields.join(", "))
            }
            PatKind::Slice(items) => format!("[{}]", self.patterns(items, ", ")),
            PatKind::Or(cases) => self.patterns(cases, " | "),
            PatKind::Test(pattern) => tokens(pattern),
        }
    }

    /// A name; one that may be a constant's has a question mark.
    fn binding(&self, binding: &Binding) -> String {
        let mode = match binding.mode {
            Mode::Default => "",
            Mode::Shared => "ref ",
            Mode::Unique => "ref mut ",
        };
        let mutability = if self.local(binding.local).is_mutable { "mut " } else { "" };
        let doubt = if binding.may_be_item { "?" } else { "" };
        let inner =
            binding.inner.map_or_else(String::new, |inner| format!(" @ {}", self.pattern(inner)));
        format!("{mode}{mutability}{}{doubt}{inner}", self.name(binding.local))
    }
}
