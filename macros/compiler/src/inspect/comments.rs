//! Emitted code with the source lines that it belongs to.
//!
//! In: emitted tokens, and the source. Out: text, in which a comment stands above each group of statements that come
//! from one line: in the way back, the line whose adjoint they are. Tokens hold no comments, so a statement of a name of
//! ours is put before each group, and becomes one in the text.

use crate::emit::pretty_file;
use crate::source::Source;
use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit_mut::VisitMut;

/// The name of what becomes a comment.
const MARK: &str = "__cotangent_source_line";

/// All of a function's derivatives as a person would lay them out, with comments where the source is known.
pub fn pretty(functions: &TokenStream, source: Option<&Source>) -> String {
    let Ok(mut file) = syn::parse2::<syn::File>(functions.clone()) else {
        return functions.to_string();
    };
    Methods.visit_file_mut(&mut file);
    let Some(source) = source else { return pretty_file(file) };
    Marks { source, current: None }.visit_file_mut(&mut file);
    written(&pretty_file(file), source)
}

/// Functions of `Iterator` and `Ord` as methods: emitted code does not count on these traits being in scope.
struct Methods;

impl VisitMut for Methods {
    fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
        syn::visit_mut::visit_expr_mut(self, expr);
        let syn::Expr::Call(call) = expr else { return };
        let syn::Expr::Path(function) = &*call.func else { return };
        let segments: Vec<&syn::PathSegment> = function.path.segments.iter().collect();
        let [root, _, of, method] = segments[..] else { return };
        if root.ident != "core" || (of.ident != "Iterator" && of.ident != "Ord") {
            return;
        }
        let (receiver, args) = (&call.args[0], call.args.iter().skip(1));
        let receiver = match receiver {
            syn::Expr::Reference(lent) => &*lent.expr,
            receiver => receiver,
        };
        let receiver: syn::Expr = match receiver {
            syn::Expr::Paren(paren) => syn::Expr::Paren(paren.clone()),
            syn::Expr::Call(_) | syn::Expr::MethodCall(_) | syn::Expr::Path(_) => receiver.clone(),
            _ => syn::parse_quote!((#receiver)),
        };
        *expr = syn::parse_quote!(#receiver.#method(#(#args),*));
    }
}

/// Marks as comments.
fn written(text: &str, source: &Source) -> String {
    let mut commented = String::new();
    for line in text.lines() {
        let call = line.trim_start().strip_prefix(MARK).and_then(|rest| rest.strip_prefix("!("));
        let number = call.and_then(|rest| rest.trim_end_matches(");").parse().ok());
        match number.and_then(|number| Some((number, source.text(number)?))) {
            Some((number, text)) => {
                let indent = &line[..line.len() - line.trim_start().len()];
                commented.push_str(&comment(indent, number, text));
            }
            None => commented.push_str(line),
        }
        commented.push('\n');
    }
    commented
}

/// The comment for a line. What is around a body on one line is left out.
fn comment(indent: &str, number: usize, text: &str) -> String {
    let bare = match (text.strip_prefix('{'), text.strip_suffix('}')) {
        (Some(_), Some(_)) => text[1..text.len() - 1].trim(),
        _ => text,
    };
    format!("{indent}// {number}: {bare}")
}

/// Puts marks before statements.
struct Marks<'s> {
    source: &'s Source,
    /// The line of the statement before.
    current: Option<usize>,
}

impl VisitMut for Marks<'_> {
    fn visit_item_fn_mut(&mut self, function: &mut syn::ItemFn) {
        self.current = None;
        syn::visit_mut::visit_item_fn_mut(self, function);
    }

    fn visit_impl_item_fn_mut(&mut self, function: &mut syn::ImplItemFn) {
        self.current = None;
        syn::visit_mut::visit_impl_item_fn_mut(self, function);
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        let count = block.stmts.len();
        let mut marked = Vec::new();
        for (position, mut statement) in std::mem::take(&mut block.stmts).into_iter().enumerate() {
            let is_lone = count == 1 && matches!(statement, syn::Stmt::Expr(_, None));
            if let Some(line) = self.line(&statement).filter(|line| self.current != Some(*line))
                && !is_lone
            {
                marked.push(mark(line));
                self.current = Some(line);
            }
            let is_last = position + 1 == count;
            self.visit_stmt_mut(&mut statement);
            marked.push(statement);
            if is_last && count > 1 {
                // What follows the block belongs to it no more.
                self.current = None;
            }
        }
        block.stmts = marked;
    }
}

impl Marks<'_> {
    /// The line that a statement belongs to, as its own tokens say: variables have the place of their definition.
    fn line(&self, statement: &syn::Stmt) -> Option<usize> {
        let spans = match statement {
            syn::Stmt::Item(_) => return None,
            // A variable takes over what a branch or an iteration gave: that is of no one line.
            syn::Stmt::Expr(syn::Expr::Assign(assign), _)
                if is_variable(&assign.left) && is_variable(&assign.right) =>
            {
                return None;
            }
            syn::Stmt::Local(local) => vec![local.let_token.span, local.semi_token.span],
            syn::Stmt::Expr(expression, semi) => expression_spans(expression, semi.as_ref()),
            syn::Stmt::Macro(call) => operators(call.to_token_stream()),
        };
        spans.into_iter().find_map(|span| self.source.line(span))
    }
}

fn is_variable(expression: &syn::Expr) -> bool {
    matches!(expression, syn::Expr::Path(path) if path.path.get_ident().is_some())
}

/// Where an expression's operation stands, the most telling first.
fn expression_spans(expression: &syn::Expr, semi: Option<&syn::Token![;]>) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    match expression {
        // What is carried by a loop has the place of its definition.
        syn::Expr::Assign(assign) if is_variable(&assign.left) => {
            return operators(assign.right.to_token_stream());
        }
        syn::Expr::Binary(binary) if semi.is_some() => {
            spans.extend(operators(binary.op.to_token_stream()))
        }
        _ => spans.extend(semi.map(|semi| semi.span)),
    }
    match expression {
        syn::Expr::ForLoop(repeat) => spans.push(repeat.for_token.span),
        syn::Expr::While(repeat) => spans.push(repeat.while_token.span),
        syn::Expr::Loop(repeat) => spans.push(repeat.loop_token.span),
        syn::Expr::If(branch) => {
            spans.push(branch.if_token.span);
            spans.extend(operators(branch.cond.to_token_stream()));
        }
        syn::Expr::Closure(_) | syn::Expr::Tuple(_) | syn::Expr::Path(_) => {}
        other => spans.extend(operators(other.to_token_stream())),
    }
    spans
}

/// The spans of operators and of what is called.
fn operators(tokens: TokenStream) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut is_method = false;
    for token in tokens {
        match &token {
            TokenTree::Punct(punct) => {
                is_method = punct.as_char() == '.' && punct.spacing() == Spacing::Alone;
                if !is_method {
                    spans.push(punct.span());
                }
            }
            TokenTree::Ident(name) if is_method => spans.push(name.span()),
            TokenTree::Group(group) if group.delimiter() != Delimiter::Brace => {
                spans.extend(operators(group.stream()));
            }
            _ => is_method = false,
        }
    }
    spans
}

fn mark(line: usize) -> syn::Stmt {
    let (name, line) =
        (syn::Ident::new(MARK, Span::call_site()), proc_macro2::Literal::usize_unsuffixed(line));
    syn::parse_quote!(#name!(#line);)
}
