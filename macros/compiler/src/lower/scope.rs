//! Which names an expression takes from outside, and names in it that get others.
//!
//! In: syntax. Out: names as keys of `hygiene.rs`; or the syntax with other names for variables that it
//! binds itself. Scopes are those of the language: a `let` holds from the next statement on.

use super::desugar::{is_binding, name};
use super::hygiene;
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprClosure, Pat, Stmt};

/// Names that a closure takes from outside.
pub fn free(closure: &ExprClosure) -> HashSet<String> {
    let mut walk = Walk::default();
    walk.visit_expr_closure_mut(&mut closure.clone());
    walk.free
}

/// Names that an expression takes from outside.
pub fn free_of(expr: &Expr) -> HashSet<String> {
    let mut walk = Walk::default();
    walk.visit_expr_mut(&mut expr.clone());
    walk.free
}

/// Names that a block takes from outside, where a pattern binds some in front of it.
pub fn free_behind(pattern: &Pat, block: &syn::Block) -> HashSet<String> {
    let mut walk = Walk::default();
    walk.scoped(|walk| {
        walk.visit_pat_mut(&mut pattern.clone());
        walk.visit_block_mut(&mut block.clone());
    });
    walk.free
}

/// Names that an expression binds anywhere in it.
pub fn bound(expr: &Expr) -> HashSet<String> {
    let mut walk = Walk::default();
    walk.visit_expr_mut(&mut expr.clone());
    walk.bound
}

/// An expression with other names for those of its own variables that are called like these. `None` where a
/// string names one.
pub fn renamed(expr: &Expr, names: &HashSet<String>, count: &mut usize) -> Option<Expr> {
    let mut expr = expr.clone();
    let mut walk = Walk { renames: names.clone(), count: *count, ..Walk::default() };
    walk.visit_expr_mut(&mut expr);
    *count = walk.count;
    (!walk.is_stuck).then_some(expr)
}

/// Likewise for the statements of a block.
pub fn renamed_in(stmts: &mut [Stmt], names: &HashSet<String>, count: &mut usize) -> Option<()> {
    let mut walk = Walk { renames: names.clone(), count: *count, ..Walk::default() };
    walk.scoped(|walk| stmts.iter_mut().for_each(|stmt| walk.stmt(stmt)));
    *count = walk.count;
    (!walk.is_stuck).then_some(())
}

/// An expression with other names for variables of outside.
pub fn with_names(expr: &Expr, names: HashMap<String, Ident>) -> Option<Expr> {
    let mut expr = expr.clone();
    let outer = names.into_iter().map(|(key, ident)| (key, Some(ident))).collect();
    let mut walk = Walk { scopes: vec![outer], ..Walk::default() };
    walk.visit_expr_mut(&mut expr);
    (!walk.is_stuck).then_some(expr)
}

#[derive(Default)]
struct Walk {
    /// What a name is called, if not as it is.
    scopes: Vec<HashMap<String, Option<Ident>>>,
    /// Which binders get another name.
    renames: HashSet<String>,
    count: usize,
    free: HashSet<String>,
    bound: HashSet<String>,
    /// A string names what got another name.
    is_stuck: bool,
}

impl Walk {
    fn scoped(&mut self, inside: impl FnOnce(&mut Self)) {
        self.scopes.push(HashMap::default());
        inside(self);
        self.scopes.pop();
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        match stmt {
            Stmt::Local(local) => {
                if let Some(init) = &mut local.init {
                    self.visit_expr_mut(&mut init.expr);
                    if let Some((_, otherwise)) = &mut init.diverge {
                        self.visit_expr_mut(otherwise);
                    }
                }
                self.visit_pat_mut(&mut local.pat);
            }
            Stmt::Item(_) => {}
            stmt => self.visit_stmt_mut(stmt),
        }
    }

    /// What a name is called now. What nothing binds is from outside.
    fn resolve(&mut self, ident: &Ident) -> Option<Ident> {
        let key = hygiene::key(ident);
        match self.scopes.iter().rev().find_map(|scope| scope.get(&key)) {
            Some(renamed) => {
                renamed.as_ref().map(|new| hygiene::identifier(&new.to_string(), ident.span()))
            }
            None => {
                self.free.insert(key);
                None
            }
        }
    }

    fn declare(&mut self, ident: &mut Ident) {
        let key = hygiene::key(ident);
        self.bound.insert(key.clone());
        let new = self.renames.contains(&key).then(|| {
            let new = name(&ident.to_string(), &mut self.count);
            hygiene::identifier(&new.to_string(), ident.span())
        });
        if let Some(new) = &new {
            *ident = new.clone();
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(key, new);
        }
    }

    fn tokens(&mut self, tokens: TokenStream) -> TokenStream {
        let mut is_member = false;
        let mut changed = TokenStream::new();
        for token in tokens {
            let is_dot = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '.');
            changed.extend([match token {
                TokenTree::Ident(ident) if !is_member => {
                    TokenTree::Ident(self.resolve(&ident).unwrap_or(ident))
                }
                TokenTree::Group(group) => {
                    let mut inner = Group::new(group.delimiter(), self.tokens(group.stream()));
                    inner.set_span(group.span());
                    TokenTree::Group(inner)
                }
                TokenTree::Literal(literal) => {
                    self.captures(&literal.to_string());
                    TokenTree::Literal(literal)
                }
                token => token,
            }]);
            is_member = is_dot;
        }
        changed
    }

    /// Names in a format string cannot be changed.
    fn captures(&mut self, text: &str) {
        for piece in text.split('{').skip(1) {
            let name: String =
                piece.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            if let Ok(ident) = syn::parse_str::<Ident>(&name) {
                self.is_stuck |= self.resolve(&ident).is_some();
            }
        }
    }
}

impl VisitMut for Walk {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        self.scoped(|walk| block.stmts.iter_mut().for_each(|stmt| walk.stmt(stmt)));
    }

    fn visit_expr_closure_mut(&mut self, closure: &mut ExprClosure) {
        self.scoped(|walk| {
            closure.inputs.iter_mut().for_each(|pattern| walk.visit_pat_mut(pattern));
            walk.visit_expr_mut(&mut closure.body);
        });
    }

    fn visit_expr_if_mut(&mut self, branch: &mut syn::ExprIf) {
        self.scoped(|walk| {
            walk.visit_expr_mut(&mut branch.cond);
            walk.visit_block_mut(&mut branch.then_branch);
        });
        if let Some((_, other)) = &mut branch.else_branch {
            self.visit_expr_mut(other);
        }
    }

    fn visit_expr_while_mut(&mut self, repeat: &mut syn::ExprWhile) {
        self.scoped(|walk| {
            walk.visit_expr_mut(&mut repeat.cond);
            walk.visit_block_mut(&mut repeat.body);
        });
    }

    fn visit_expr_let_mut(&mut self, test: &mut syn::ExprLet) {
        self.visit_expr_mut(&mut test.expr);
        self.visit_pat_mut(&mut test.pat);
    }

    fn visit_expr_for_loop_mut(&mut self, repeat: &mut syn::ExprForLoop) {
        self.visit_expr_mut(&mut repeat.expr);
        self.scoped(|walk| {
            walk.visit_pat_mut(&mut repeat.pat);
            walk.visit_block_mut(&mut repeat.body);
        });
    }

    fn visit_arm_mut(&mut self, arm: &mut syn::Arm) {
        self.scoped(|walk| visit_mut::visit_arm_mut(walk, arm));
    }

    fn visit_pat_ident_mut(&mut self, ident: &mut syn::PatIdent) {
        if is_binding(ident) {
            self.declare(&mut ident.ident);
        }
        visit_mut::visit_pat_ident_mut(self, ident);
    }

    fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
        let before = field.pat.clone();
        self.visit_pat_mut(&mut field.pat);
        if *field.pat != *before {
            field.colon_token.get_or_insert_default();
        }
    }

    fn visit_field_value_mut(&mut self, field: &mut syn::FieldValue) {
        let before = field.expr.clone();
        self.visit_expr_mut(&mut field.expr);
        if field.expr != before {
            field.colon_token.get_or_insert_default();
        }
    }

    fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
        let Some(ident) = path.path.get_ident().filter(|_| path.qself.is_none()) else { return };
        if let Some(new) = self.resolve(ident) {
            path.path = new.into();
        }
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        call.tokens = self.tokens(std::mem::take(&mut call.tokens));
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}

    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
}
