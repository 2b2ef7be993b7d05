//! Chains of iterators as loops.
//!
//! In: an expression or a `for` loop that goes through a chain, such as
//! `x.iter().zip(y).map(|(a, b)| a * b).sum::<f64>()`. Out: a block with the loop that a person would write
//! with indices, in which elements are views and closures stand where they are called.
//!
//! - `source.rs` reads what a chain starts with, `adaptor.rs` the methods behind; both evaluate their
//!   operands once, in order, before the loop.
//! - `position.rs` is for chains whose elements have a position: it says how many there are, and what the
//!   element at an index is. `drive.rs` makes the loop, with the rest of the chain as its body;
//!   `copies.rs` counts how often that comes out.
//! - `item.rs` is what an element is; `closure.rs` puts a closure's body where it is called.
//! - `consumer.rs`, `choice.rs` and `collect.rs` say what comes of the elements; `sorted.rs` puts them in order.
//!
//! **Invariant:** a chain is rewritten as a whole or not at all. What is not understood stays, and is reported where
//! it is lowered. Closures are called in the order of the standard library, and as often; only one that
//! changes nothing is not called for an element that nobody takes.

mod adaptor;
mod choice;
mod closure;
mod collect;
mod consumer;
mod copies;
mod drive;
mod item;
mod position;
mod sorted;
mod source;

use super::Desugar;
pub(super) use consumer::type_argument;
use item::Item;
use source::Source;
pub(super) use source::takes_closure;
pub use source::{is_iterator, makes_iterator};
use syn::{Expr, ExprClosure, Lifetime, Stmt, parse_quote};

/// What is gone through.
#[derive(Clone)]
struct Chain {
    source: Source,
    /// From the source on.
    adaptors: Vec<Adaptor>,
}

/// A method that makes an iterator of an iterator. Operands are names or literals by now.
#[derive(Clone)]
enum Adaptor {
    Copied,
    Map(ExprClosure),
    Inspect(ExprClosure),
    Filter(ExprClosure),
    FilterMap(ExprClosure),
    FlatMap(ExprClosure),
    Flatten,
    TakeWhile(ExprClosure),
    SkipWhile(ExprClosure),
    MapWhile(ExprClosure),
    /// The variable that is the state.
    Scan(Expr, ExprClosure),
    Zip(Box<Chain>),
    Chain(Box<Chain>),
    Enumerate,
    Rev,
    Skip(Expr),
    Take(Expr),
    StepBy(Expr),
}

/// What is done with an element.
type Sink<'s, 'm> = &'s mut dyn FnMut(&mut Desugar<'m>, Item) -> Option<Vec<Stmt>>;

impl Desugar<'_> {
    fn label(&mut self, kind: &str) -> Lifetime {
        let name = self.fresh(kind);
        Lifetime::new(&format!("'{name}"), name.span())
    }

    /// An operand, evaluated once: a name for it, or a literal.
    pub(super) fn operand(&mut self, kind: &str, expr: &Expr, before: &mut Vec<Stmt>) -> Expr {
        if let Expr::Lit(_) = expr {
            return expr.clone();
        }
        let name = self.fresh(kind);
        before.push(parse_quote!(let #name = #expr;));
        parse_quote!(#name)
    }
}

/// Statements and a value, as one expression.
fn block(before: Vec<Stmt>, value: &Expr) -> Expr {
    parse_quote!({ #(#before)* #value })
}
