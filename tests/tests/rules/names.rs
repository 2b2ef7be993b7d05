//! The table as text: which names it has, and that its partials keep to the small language that can be
//! lowered and differentiated again.

use cotangent_rules::{RULES, Rule, ZERO, find, is_zero};
use std::collections::HashSet;

/// The operators, and the methods that floats have in the standard library or in `num_traits::Float`
/// and whose result depends on a float smoothly almost everywhere.
const DIFFERENTIABLE: &str = "add sub mul div rem neg \
    sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh \
    exp exp2 exp_m1 ln ln_1p log log2 log10 sqrt cbrt powi powf hypot recip \
    abs copysign max min clamp mul_add rem_euclid fract to_degrees to_radians abs_sub midpoint \
    next_up next_down";

/// Those whose result is piecewise constant or no float.
const CONSTANT: &str = "floor ceil round round_ties_even trunc signum div_euclid \
    is_nan is_infinite is_finite is_normal is_subnormal is_sign_positive is_sign_negative classify \
    to_int_unchecked \
    eq ne lt le gt ge cmp partial_cmp total_cmp len is_empty capacity";

#[test]
fn every_method_of_floats_has_a_rule() {
    for name in DIFFERENTIABLE.split_whitespace() {
        assert!(find(name).is_some(), "no row for `{name}`");
    }
    for name in CONSTANT.split_whitespace() {
        assert!(is_zero(name), "`{name}` is not among the names without derivative");
    }
}

/// The number can be made of them again, so that they are not without derivative.
#[test]
fn bits_and_bytes_have_no_rule() {
    for name in ["to_bits", "to_be_bytes", "to_le_bytes", "to_ne_bytes", "integer_decode"] {
        assert!(!is_zero(name) && find(name).is_none(), "`{name}`");
    }
}

#[test]
fn the_pair_of_sine_and_cosine_is_made_of_two_rows() {
    assert!(find("sin_cos").is_none() && !is_zero("sin_cos"));
    assert!(find("sin").is_some() && find("cos").is_some());
}

#[test]
fn a_name_stands_in_one_place_once() {
    let mut seen = HashSet::new();
    for name in RULES.iter().map(|rule| &rule.name).chain(ZERO) {
        assert!(seen.insert(name), "`{name}` stands twice");
    }
}

#[test]
fn there_is_a_partial_for_each_operand_that_is_no_integer() {
    for rule in RULES {
        let floats = rule.params.iter().filter(|param| !param.integer).count();
        assert_eq!(rule.partials.len(), floats, "`{}`", rule.name);
        assert!(!rule.params[0].integer, "the receiver of `{}` is an integer", rule.name);
    }
}

#[test]
fn partials_keep_to_their_language() {
    for rule in RULES {
        for partial in rule.partials {
            let faults = faults(rule, partial);
            assert!(faults.is_empty(), "row `{}`, `{partial}`: {faults:?}", rule.name);
        }
    }
}

#[test]
fn what_is_outside_the_language_is_found() {
    let rule = find("powi").unwrap();
    for (partial, fault) in [
        ("z * x", "name `z`"),
        ("x.wrapping_add(1)", "method `wrapping_add`"),
        ("x.sin_cos()", "method `sin_cos`"),
        ("x.min(y, y)", "method `min`"),
        ("n as f64 * x", "cast"),
        ("x as Float", "cast"),
        ("2.0_f64 * x", "literal"),
        ("if n > 0 { x }", "`if` without `else`"),
        ("if n > 0 { let z = x; z } else { y }", "statement"),
        ("x % y", "operator"),
        ("*x", "operator"),
        ("if (x > 0.0) || (y > 0.0) { x } else { y }", "operator"),
        ("(f(x) + 1.0) * y", "expression"),
        ("x.sin().max(f(x))", "expression"),
    ] {
        assert_eq!(faults(rule, partial), [fault], "`{partial}`");
    }
}

/// The parts of a partial that are outside the language of partials.
fn faults(rule: &Rule, partial: &str) -> Vec<String> {
    let expr =
        syn::parse_str(partial).unwrap_or_else(|error| panic!("row `{}`: {error}", rule.name));
    let mut language = Language { rule, faults: Vec::new() };
    language.expr(&expr);
    language.faults
}

struct Language<'a> {
    rule: &'a Rule,
    faults: Vec<String>,
}

impl Language<'_> {
    fn expr(&mut self, expr: &syn::Expr) {
        match expr {
            syn::Expr::Path(path) => self.name(path),
            syn::Expr::Lit(literal) => self.literal(&literal.lit),
            syn::Expr::Paren(paren) => self.expr(&paren.expr),
            syn::Expr::Unary(unary) => self.unary(unary),
            syn::Expr::Binary(binary) => self.binary(binary),
            syn::Expr::MethodCall(call) => self.method(call),
            syn::Expr::Cast(cast) => self.cast(cast),
            syn::Expr::If(branch) => self.branch(branch),
            syn::Expr::Block(block) => self.block(&block.block),
            _ => self.fault("expression"),
        }
    }

    fn fault(&mut self, what: &str) {
        self.faults.push(what.to_owned());
    }

    fn name(&mut self, path: &syn::ExprPath) {
        let is = |name: &str| path.path.is_ident(name);
        if !is(self.rule.result) && !self.rule.params.iter().any(|param| is(param.name)) {
            let name = path
                .path
                .segments
                .iter()
                .map(|segment| segment.ident.to_string())
                .collect::<Vec<_>>();
            self.fault(&format!("name `{}`", name.join("::")));
        }
    }

    fn literal(&mut self, literal: &syn::Lit) {
        let plain = match literal {
            syn::Lit::Float(float) => float.suffix().is_empty(),
            syn::Lit::Int(int) => int.suffix().is_empty(),
            _ => false,
        };
        if !plain {
            self.fault("literal");
        }
    }

    fn unary(&mut self, unary: &syn::ExprUnary) {
        if !matches!(unary.op, syn::UnOp::Neg(_) | syn::UnOp::Not(_)) {
            self.fault("operator");
        }
        self.expr(&unary.expr);
    }

    fn binary(&mut self, binary: &syn::ExprBinary) {
        use syn::BinOp::{Add, BitAnd, BitOr, Div, Eq, Ge, Gt, Le, Lt, Mul, Ne, Sub};
        let arithmetic = matches!(binary.op, Add(_) | Sub(_) | Mul(_) | Div(_));
        let comparison = matches!(binary.op, Eq(_) | Ne(_) | Lt(_) | Le(_) | Gt(_) | Ge(_));
        let logic = matches!(binary.op, BitAnd(_) | BitOr(_));
        if !arithmetic && !comparison && !logic {
            self.fault("operator");
        }
        self.expr(&binary.left);
        self.expr(&binary.right);
    }

    fn method(&mut self, call: &syn::ExprMethodCall) {
        let name = call.method.to_string();
        let is_row = find(&name).is_some_and(|rule| rule.params.len() == call.args.len() + 1);
        if !is_row && !ZERO.contains(&&*name) {
            self.fault(&format!("method `{name}`"));
        }
        self.expr(&call.receiver);
        call.args.iter().for_each(|arg| self.expr(arg));
    }

    /// Only integer operands, and only to `Float`.
    fn cast(&mut self, cast: &syn::ExprCast) {
        let to_float = matches!(&*cast.ty, syn::Type::Path(ty) if ty.path.is_ident("Float"));
        let from_integer = matches!(&*cast.expr, syn::Expr::Path(from)
            if self.rule.params.iter().any(|param| param.integer && from.path.is_ident(param.name)));
        if !to_float || !from_integer {
            self.fault("cast");
        }
    }

    fn branch(&mut self, branch: &syn::ExprIf) {
        self.expr(&branch.cond);
        self.block(&branch.then_branch);
        match &branch.else_branch {
            Some((_, otherwise)) => self.expr(otherwise),
            None => self.fault("`if` without `else`"),
        }
    }

    fn block(&mut self, block: &syn::Block) {
        match block.stmts.as_slice() {
            [syn::Stmt::Expr(expr, None)] => self.expr(expr),
            _ => self.fault("statement"),
        }
    }
}
