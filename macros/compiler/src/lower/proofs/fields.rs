//! Fields that a body reads of its parameters.
//!
//! In: a body. Out: the fields, each once. Derivatives read them too, and of tangents, so that one that does not exist would
//! be several errors: `emit/companion/checked.rs` asks for them first.

use crate::hir::{Body, Expr, ExprKind};
use quote::ToTokens;
use std::collections::BTreeMap;

/// A parameter's number, and a path of fields.
pub type Field = (usize, Vec<syn::Member>);

/// All of them, as they stand in the body.
pub fn fields(body: &Body) -> Vec<Field> {
    let mut fields: BTreeMap<String, Field> = BTreeMap::new();
    for expr in body.exprs() {
        let Some((param, path)) = of_parameter(body, expr) else { continue };
        let names: Vec<String> =
            path.iter().map(|member| member.to_token_stream().to_string()).collect();
        fields.entry(format!("{param}.{}", names.join("."))).or_insert((param, path));
    }
    fields.into_values().collect()
}

/// The field that an expression reads, if it is a parameter's.
fn of_parameter(body: &Body, expr: &Expr) -> Option<Field> {
    let ExprKind::Field(base, member) = &expr.kind else { return None };
    let base = body.expr(*base);
    let (param, mut path) = match &base.kind {
        ExprKind::Local(local) => {
            (body.params.iter().position(|param| param == local)?, Vec::new())
        }
        _ => of_parameter(body, base)?,
    };
    path.push(member.clone());
    Some((param, path))
}
