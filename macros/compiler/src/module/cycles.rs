//! Functions of a module that call one another in a circle.
//!
//! In: all functions of a module, with what they belong to. Out: those that reach themselves through others, whose
//! pullbacks are kept in boxes. One that calls itself sees that by itself.
//!
//! Invariant: a method may be that of any type of the module with one of its name, unless `self` or `Self` says whose it
//! is. A circle too many costs a box; one too few does not compile.

use crate::syntax::items::{Items, Scope};
use crate::syntax::walk::{self, Tree};
use rustc_hash::FxHashSet as HashSet;
use syn::punctuated::Punctuated;

/// A function, and what it stands in.
pub struct Node<'a> {
    pub scope: Scope,
    /// The name of the type or the trait around it.
    pub owner: Option<String>,
    pub function: &'a syn::Signature,
    pub body: Option<&'a syn::Block>,
}

/// Functions by the module and the type that they stand in, and their names.
pub type Cycles = HashSet<(Scope, Option<String>, String)>;

/// Returns the functions that reach themselves through others.
pub fn cycles(items: &Items, nodes: &[Node]) -> Cycles {
    let calls: Vec<Vec<usize>> = nodes.iter().map(|node| called(items, nodes, node)).collect();
    let is_circular = |index: &usize| {
        let mut seen = HashSet::default();
        let mut open: Vec<usize> =
            calls[*index].iter().copied().filter(|other| other != index).collect();
        while let Some(next) = open.pop() {
            if seen.insert(next) {
                open.extend(&calls[next]);
            }
        }
        seen.contains(index)
    };
    let circular = (0..nodes.len()).filter(is_circular).map(|index| &nodes[index]);
    circular.map(|node| (node.scope, node.owner.clone(), node.function.ident.to_string())).collect()
}

/// The functions that a function names.
fn called(items: &Items, nodes: &[Node], node: &Node) -> Vec<usize> {
    let mut named = Named::default();
    node.function.inputs.iter().for_each(|input| named.parameter(input));
    node.body.iter().for_each(|body| body.walk(&mut |node| named.enters(node)));
    let is_called = |other: &Node| {
        let name = other.function.ident.to_string();
        if other.owner.is_some() {
            let is_of_self = named.of_self.contains(&name)
                && (other.owner == node.owner
                    || !nodes.iter().any(|method| is_own(node, method, &name)));
            return is_of_self || named.methods.contains(&name);
        }
        let is_free = |path: &&syn::Path| {
            path.get_ident().is_none_or(|name| !named.bound.contains(&name.to_string()))
        };
        named.paths.iter().filter(is_free).any(|path| {
            items.function_at(node.scope, path).is_some_and(|at| at == (other.scope, name.clone()))
        })
    };
    (0..nodes.len()).filter(|index| is_called(&nodes[*index])).collect()
}

/// Whether a method of a name belongs to what another one belongs to.
fn is_own(node: &Node, method: &Node, name: &str) -> bool {
    method.owner == node.owner && method.function.ident == name
}

/// The names in a body.
#[derive(Default)]
struct Named {
    paths: Vec<syn::Path>,
    methods: HashSet<String>,
    /// Methods of `self`, and functions of `Self`.
    of_self: HashSet<String>,
    /// Local variables, which hide functions.
    bound: HashSet<String>,
}

impl Named {
    fn parameter(&mut self, input: &syn::FnArg) {
        if let syn::FnArg::Typed(typed) = input {
            typed.pat.walk(&mut |node| self.enters(node));
        }
    }

    fn enters(&mut self, node: walk::Node) -> bool {
        match node {
            walk::Node::Pat(pattern) => drop(self.bound.insert(pattern.ident.to_string())),
            walk::Node::ExprPath(path) => {
                self.path(&path.path);
                return false;
            }
            walk::Node::Expr(syn::Expr::MethodCall(call)) => self.method(call),
            walk::Node::Macro(call) => {
                self.arguments(call);
                return false;
            }
            _ => {}
        }
        true
    }

    fn path(&mut self, path: &syn::Path) {
        let mut segments = path.segments.iter().rev().map(|segment| &segment.ident);
        if let (Some(last), Some(owner)) = (segments.next(), segments.next()) {
            let found = if owner == "Self" { &mut self.of_self } else { &mut self.methods };
            found.insert(last.to_string());
        }
        self.paths.push(path.clone());
    }

    fn method(&mut self, call: &syn::ExprMethodCall) {
        let is_self =
            matches!(&*call.receiver, syn::Expr::Path(path) if path.path.is_ident("self"));
        let found = if is_self { &mut self.of_self } else { &mut self.methods };
        found.insert(call.method.to_string());
    }

    fn arguments(&mut self, call: &syn::Macro) {
        let parse = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        let arguments = call.parse_body_with(parse).unwrap_or_default();
        // Arguments of a macro bind names for that macro alone.
        let mut inner = Named::default();
        arguments.iter().for_each(|argument| argument.walk(&mut |node| inner.enters(node)));
        self.paths.extend(inner.paths);
        self.methods.extend(inner.methods);
        self.of_self.extend(inner.of_self);
    }
}
