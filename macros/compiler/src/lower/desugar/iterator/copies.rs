//! How often a statement's parts come out, where `chain` has its elements by two loops.
//!
//! In: statements whose chains are not loops yet. Out: how many copies of the innermost body they will make. Each
//! `chain` doubles what is done with an element, so that chains in one another make more code than any limit allows.

use syn::visit::{self, Visit};
use syn::{Expr, ExprForLoop, ExprMethodCall, Stmt};

/// How many copies of one body are made: five chains in one another, and none in a sixth.
pub const MOST: usize = 32;

/// How many copies the statements make of what is innermost in them.
pub fn copies(stmts: &[Stmt]) -> usize {
    let mut copies = Copies { around: 1, most: 1 };
    stmts.iter().for_each(|stmt| copies.visit_stmt(stmt));
    copies.most
}

struct Copies {
    /// How often what is gone through comes out.
    around: usize,
    most: usize,
}

impl Copies {
    /// Goes through what is done with each element of a chain.
    fn repeated(&mut self, chain: &Expr, visit: impl FnOnce(&mut Self)) {
        let outside = self.around;
        self.around = outside.saturating_mul(loops(chain));
        self.most = self.most.max(self.around);
        visit(self);
        self.around = outside;
    }
}

impl<'ast> Visit<'ast> for Copies {
    fn visit_expr_for_loop(&mut self, repeat: &'ast ExprForLoop) {
        self.visit_expr(&repeat.expr);
        self.repeated(&repeat.expr, |copies| visit::visit_block(copies, &repeat.body));
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        self.visit_expr(&call.receiver);
        self.repeated(&call.receiver, |copies| {
            call.args.iter().for_each(|arg| copies.visit_expr(arg));
        });
    }
}

/// How many loops go through a chain.
fn loops(chain: &Expr) -> usize {
    match chain {
        Expr::Paren(paren) => loops(&paren.expr),
        Expr::MethodCall(call) => loops(&call.receiver) + usize::from(call.method == "chain"),
        _ => 1,
    }
}
