//! Operators: which row of the rule table they are, and what they are in the language.

use syn::BinOp;

/// The row of an arithmetic operator.
pub fn arithmetic(operator: &BinOp) -> Option<&'static str> {
    match operator {
        BinOp::Add(_) => Some("add"),
        BinOp::Sub(_) => Some("sub"),
        BinOp::Mul(_) => Some("mul"),
        BinOp::Div(_) => Some("div"),
        BinOp::Rem(_) => Some("rem"),
        _ => None,
    }
}

/// Whether an operator is arithmetic, or assigns the result of that.
pub fn is_arithmetic(operator: &BinOp) -> bool {
    matches!(
        operator,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
    ) || arithmetic(operator).is_some()
}

/// Whether the result is a `bool`, whatever the operands are.
pub fn is_comparison(operator: &BinOp) -> bool {
    matches!(
        operator,
        BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) | BinOp::Eq(_) | BinOp::Ne(_)
    )
}
