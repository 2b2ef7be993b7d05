//! Statements of the corpus, many times in a row.
//!
//! In: a case. Out: the same with one of its statements repeated, or with all statements of a block that have no value.
//! What is emitted may grow with the square of how many there are, since what one leaves the next may read, and no faster.

use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, ItemFn, Stmt};

use super::case::Case;

/// A function whose statements are repeated.
pub struct Grown {
    case: Case,
    function: ItemFn,
}

impl Grown {
    /// That of a case, if it is one function.
    #[must_use]
    pub fn new(case: &Case) -> Option<Self> {
        let function = syn::parse_str(&case.input).ok()?;
        Some(Grown { case: case.clone(), function })
    }

    /// The cases for a part in a number of copies, and its text. Nothing when there are not so many parts.
    #[must_use]
    pub fn case(&self, part: usize, count: usize) -> Option<(Case, String)> {
        let mut function = self.function.clone();
        let mut repeat = Repeat { part, count, text: None };
        repeat.visit_item_fn_mut(&mut function);
        let input = function.to_token_stream().to_string();
        Some((Case { input, ..self.case.clone() }, repeat.text?))
    }
}

/// Repeats one part, the number of those before it counted down.
struct Repeat {
    part: usize,
    count: usize,
    text: Option<String>,
}

impl VisitMut for Repeat {
    fn visit_block_mut(&mut self, block: &mut Block) {
        if self.text.is_some() {
            return;
        }
        let len = block.stmts.iter().take_while(|stmt| is_without_value(stmt)).count();
        let ranges = (0..len).map(|start| start..start + 1).chain((len > 1).then_some(0..len));
        for range in ranges {
            if self.part == 0 {
                let part = block.stmts[range.clone()].to_vec();
                let text: String =
                    part.iter().map(|stmt| stmt.to_token_stream().to_string()).collect();
                self.text = Some(text);
                let copies = part.iter().cycle().take(part.len() * self.count).cloned();
                block.stmts.splice(range, copies.collect::<Vec<_>>());
                return;
            }
            self.part -= 1;
        }
        visit_mut::visit_block_mut(self, block);
    }
}

fn is_without_value(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Local(_) | Stmt::Expr(_, Some(_)) => true,
        Stmt::Expr(expr, None) => matches!(
            expr,
            syn::Expr::If(_) | syn::Expr::ForLoop(_) | syn::Expr::While(_) | syn::Expr::Block(_)
        ),
        _ => false,
    }
}
