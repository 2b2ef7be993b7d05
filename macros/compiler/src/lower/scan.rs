//! Looks ahead in the syntax: which names a piece of code may assign, which are used as places, and
//! where control may leave early.
//!
//! All answers may say too much, never too little.

use super::{builtin, hygiene, reserved};
use rustc_hash::FxHashSet as HashSet;
use syn::visit::{self, Visit};

/// The name at the root of a place expression.
pub fn root(expr: &syn::Expr) -> Option<String> {
    match expr {
        syn::Expr::Path(path) => path.path.get_ident().map(hygiene::key),
        syn::Expr::Index(index) => root(&index.expr),
        syn::Expr::Field(field) => root(&field.base),
        syn::Expr::Paren(paren) => root(&paren.expr),
        syn::Expr::Group(group) => root(&group.expr),
        syn::Expr::Unary(unary) => root(&unary.expr),
        syn::Expr::Reference(reference) => root(&reference.expr),
        syn::Expr::Macro(_) => root(&reserved::as_binding(expr)?.1),
        syn::Expr::MethodCall(call) if leads_on(&call.method) => root(&call.receiver),
        _ => None,
    }
}

/// Whether an argument is an element or a referent: by value, whatever is done with it is not seen.
fn is_copied(argument: &syn::Expr) -> bool {
    match argument {
        syn::Expr::Index(_) => true,
        syn::Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Deref(_)),
        syn::Expr::Paren(paren) => is_copied(&paren.expr),
        syn::Expr::Group(group) => is_copied(&group.expr),
        _ => false,
    }
}

/// The name of a variable that stands for itself.
fn variable(expr: &syn::Expr) -> Option<String> {
    match expr {
        syn::Expr::Path(path) => path.path.get_ident().map(hygiene::key),
        syn::Expr::Paren(paren) => variable(&paren.expr),
        syn::Expr::Group(group) => variable(&group.expr),
        _ => None,
    }
}

/// Methods whose value is a part of their receiver.
fn leads_on(method: &syn::Ident) -> bool {
    const NAMES: [&str; 9] =
        ["unwrap", "expect", "get", "first", "last", "entry", "or_insert", "or_default", "borrow"];
    let name = method.to_string();
    let name = name.trim_end_matches("_mut");
    NAMES.contains(&name) || matches!(name, "as_ref" | "as")
}

/// Names that are indexed, borrowed or receive a method that changes them.
pub fn addressed(block: &syn::Block) -> HashSet<String> {
    let mut scan = Addressed::default();
    scan.visit_block(block);
    scan.names
}

/// Whether a block may assign a variable that an expression names.
pub fn changes_what(expr: &syn::Expr, block: &syn::Block) -> bool {
    !named(expr).is_disjoint(&assigned(block))
}

/// Likewise of expressions.
pub fn may_change(expr: &syn::Expr, by: &[&syn::Expr]) -> bool {
    let mut scan = Assigned::default();
    by.iter().for_each(|expr| scan.visit_expr(expr));
    !named(expr).is_disjoint(&scan.names)
}

fn named(expr: &syn::Expr) -> HashSet<String> {
    struct Names(HashSet<String>);
    impl<'ast> Visit<'ast> for Names {
        fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
            self.0.extend(path.path.get_ident().map(hygiene::key));
        }
    }
    let mut names = Names(HashSet::default());
    names.visit_expr(expr);
    names.0
}

/// The calls of methods in an expression.
pub fn methods(expr: &syn::Expr) -> Vec<&syn::ExprMethodCall> {
    struct Methods<'ast>(Vec<&'ast syn::ExprMethodCall>);
    impl<'ast> Visit<'ast> for Methods<'ast> {
        fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
            self.0.push(call);
            visit::visit_expr_method_call(self, call);
        }
    }
    let mut methods = Methods(Vec::new());
    methods.visit_expr(expr);
    methods.0
}

#[derive(Default)]
struct Addressed {
    names: HashSet<String>,
}

impl<'ast> Visit<'ast> for Addressed {
    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        super::macros::arguments(call).iter().for_each(|argument| self.visit_expr(argument));
    }

    fn visit_expr_index(&mut self, index: &'ast syn::ExprIndex) {
        self.names.extend(root(&index.expr));
        visit::visit_expr_index(self, index);
    }

    fn visit_expr_reference(&mut self, reference: &'ast syn::ExprReference) {
        self.names.extend(root(&reference.expr));
        visit::visit_expr_reference(self, reference);
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        if let syn::UnOp::Deref(_) = unary.op {
            self.names.extend(root(&unary.expr));
        }
        visit::visit_expr_unary(self, unary);
    }

    fn visit_expr_field(&mut self, field: &'ast syn::ExprField) {
        self.names.extend(root(&field.base));
        visit::visit_expr_field(self, field);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if may_change_receiver(call) || ADDRESSING.iter().any(|name| call.method == name) {
            self.names.extend(root(&call.receiver));
        }
        visit::visit_expr_method_call(self, call);
    }

    /// What is made by a constructor is kept in a place: a variable that takes turns between such values and
    /// others has one place for all.
    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let (syn::Pat::Ident(ident), Some(init)) = (pattern_of(local), &local.init)
            && constructs(&init.expr)
        {
            self.names.insert(hygiene::key(&ident.ident));
        }
        visit::visit_local(self, local);
    }

    fn visit_expr_assign(&mut self, assign: &'ast syn::ExprAssign) {
        if constructs(&assign.right) {
            self.names.extend(root(&assign.left));
        }
        visit::visit_expr_assign(self, assign);
    }
}

/// Names that a pattern takes apart, a loop goes through or another name is given to.
pub fn taken_apart(block: &syn::Block) -> HashSet<String> {
    struct TakenApart(HashSet<String>);
    impl<'ast> Visit<'ast> for TakenApart {
        fn visit_local(&mut self, local: &'ast syn::Local) {
            self.0.extend(local.init.as_ref().and_then(|init| root(&init.expr)));
            visit::visit_local(self, local);
        }

        fn visit_expr_for_loop(&mut self, repeat: &'ast syn::ExprForLoop) {
            self.0.extend(root(&repeat.expr));
            visit::visit_expr_for_loop(self, repeat);
        }
    }
    let mut scan = TakenApart(HashSet::default());
    scan.visit_block(block);
    scan.0
}

/// Methods whose receiver is looked at where it is.
const ADDRESSING: [&str; 10] = [
    "clone",
    "is_some",
    "is_none",
    "is_ok",
    "is_err",
    "unwrap",
    "expect",
    "get",
    "contains_key",
    "entry",
];

/// Whether a method changes its receiver, or is one that nothing is known of.
fn may_change_receiver(call: &syn::ExprMethodCall) -> bool {
    const READING: [&str; 8] =
        ["iter", "windows", "chunks", "chunks_exact", "as_slice", "keys", "values", "contains"];
    let is_reading = leads_on(&call.method)
        || READING.iter().any(|name| call.method == name)
        || ADDRESSING.iter().any(|name| call.method == name);
    changes(&call.method) || !is_reading && builtin::is_unknown(call)
}

/// Methods that change their receiver.
fn changes(method: &syn::Ident) -> bool {
    const NAMES: [&str; 6] = ["push", "push_back", "push_front", "insert", "remove", "entry"];
    NAMES.iter().any(|name| method == name) || super::cell::changes(method)
}

pub fn pattern_of(local: &syn::Local) -> &syn::Pat {
    match &local.pat {
        syn::Pat::Type(typed) => &typed.pat,
        pattern => pattern,
    }
}

/// Whether a value is made by naming its struct or its variant.
fn constructs(expr: &syn::Expr) -> bool {
    let is_type = |path: &syn::Path| {
        let name = path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase)
    };
    match expr {
        syn::Expr::Struct(_) => true,
        syn::Expr::Path(path) => is_type(&path.path),
        syn::Expr::Call(call) => match &*call.func {
            syn::Expr::Path(path) => {
                is_type(&path.path)
                    || path.path.segments.last().is_some_and(|last| last.ident == "default")
            }
            _ => false,
        },
        syn::Expr::Paren(paren) => constructs(&paren.expr),
        syn::Expr::Block(block) => block_constructs(&block.block),
        syn::Expr::If(branch) => {
            let other = branch.else_branch.as_ref();
            block_constructs(&branch.then_branch)
                || other.is_some_and(|(_, other)| constructs(other))
        }
        syn::Expr::MethodCall(call) => matches!(
            reserved::Method::named(&call.method.to_string()),
            Some(reserved::Method::Replace | reserved::Method::Take)
        ),
        _ => false,
    }
}

fn block_constructs(block: &syn::Block) -> bool {
    matches!(block.stmts.last(), Some(syn::Stmt::Expr(last, None)) if constructs(last))
}

/// Names that a piece of code may give a new value.
pub fn assigned(block: &syn::Block) -> HashSet<String> {
    let mut scan = Assigned::default();
    scan.visit_block(block);
    scan.names
}

/// Likewise an expression.
pub fn assigned_by(expr: &syn::Expr) -> HashSet<String> {
    let mut scan = Assigned::default();
    scan.visit_expr(expr);
    scan.names
}

/// Names that a piece of code passes to methods as they are: what a `&mut` refers to may be changed by them.
pub fn lent(block: &syn::Block) -> HashSet<String> {
    let mut scan = Assigned::default();
    scan.visit_block(block);
    scan.lent
}

/// What a closure may change of what it captures.
pub struct Changes {
    /// Names that it changes by what it says.
    written: HashSet<String>,
    /// Names that it passes on as they are, which changes what they refer to where that is behind `&mut`.
    passed: HashSet<String>,
}

impl Changes {
    /// What the body of a closure changes. What is behind `&` and parts that are passed by value only are read.
    pub fn of(body: &syn::Expr) -> Changes {
        let mut scan = Assigned { passed: Some(HashSet::default()), ..Assigned::default() };
        scan.visit_expr(body);
        Changes { written: scan.names, passed: scan.passed.unwrap_or_default() }
    }

    /// Whether a variable is changed; `is_unique` says that it is a `&mut`.
    pub fn contains(&self, key: &str, is_unique: bool) -> bool {
        self.written.contains(key) || is_unique && self.passed.contains(key)
    }
}

/// Names that are given a new value themselves: by an assignment, or by `&mut`.
pub fn stored(block: &syn::Block) -> HashSet<String> {
    struct Stored(Assigned);
    impl<'ast> Visit<'ast> for Stored {
        fn visit_macro(&mut self, call: &'ast syn::Macro) {
            super::macros::arguments(call).iter().for_each(|argument| self.visit_expr(argument));
        }

        fn visit_expr_assign(&mut self, assign: &'ast syn::ExprAssign) {
            self.0.target(&assign.left);
            visit::visit_expr_assign(self, assign);
        }

        fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
            if super::expr::assigning(&binary.op).is_some() {
                self.0.target(&binary.left);
            }
            visit::visit_expr_binary(self, binary);
        }

        fn visit_expr_reference(&mut self, reference: &'ast syn::ExprReference) {
            if reference.mutability.is_some() {
                self.0.target(&reference.expr);
            }
            visit::visit_expr_reference(self, reference);
        }
    }
    let mut scan = Stored(Assigned::default());
    scan.visit_block(block);
    scan.0.names
}

#[derive(Default)]
struct Assigned {
    names: HashSet<String>,
    /// The names that are arguments of calls, where these are told from the others.
    passed: Option<HashSet<String>>,
    /// Else those that are arguments of methods of which nothing is known.
    lent: HashSet<String>,
}

impl Assigned {
    fn target(&mut self, expr: &syn::Expr) {
        match expr {
            syn::Expr::Tuple(tuple) => tuple.elems.iter().for_each(|item| self.target(item)),
            syn::Expr::Array(array) => array.elems.iter().for_each(|item| self.target(item)),
            _ => self.names.extend(root(expr)),
        }
    }

    /// What gets another name may be a `&mut`.
    fn renamed(&mut self, expr: &syn::Expr) {
        match (&mut self.passed, variable(expr)) {
            (Some(passed), Some(name)) => _ = passed.insert(name),
            _ => self.names.extend(root(expr)),
        }
    }

    /// Whether a method changes its receiver. In a closure that is passed on, what a method does of which nothing is
    /// known is left to rustc: there the receiver is behind `&`.
    fn may_change(&self, call: &syn::ExprMethodCall) -> bool {
        match self.passed {
            Some(_) => changes(&call.method),
            None => may_change_receiver(call),
        }
    }

    /// What is passed as it is may be a `&mut`.
    fn argument(&mut self, argument: &syn::Expr) {
        match &mut self.passed {
            None if is_copied(argument) => {}
            None => self.names.extend(root(argument)),
            Some(passed) => passed.extend(variable(argument)),
        }
    }
}

impl<'ast> Visit<'ast> for Assigned {
    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        super::macros::arguments(call).iter().for_each(|argument| self.visit_expr(argument));
    }

    fn visit_expr_assign(&mut self, assign: &'ast syn::ExprAssign) {
        self.target(&assign.left);
        visit::visit_expr_assign(self, assign);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        if super::expr::assigning(&binary.op).is_some() {
            self.names.extend(root(&binary.left));
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_reference(&mut self, reference: &'ast syn::ExprReference) {
        if reference.mutability.is_some() {
            self.names.extend(root(&reference.expr));
        }
        visit::visit_expr_reference(self, reference);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let name = call.method.to_string();
        if name == "into_iter" {
            self.argument(&call.receiver);
        } else if name.ends_with("_mut") || self.may_change(call) {
            self.names.extend(root(&call.receiver));
        }
        let is_swap = reserved::Method::named(&name) == Some(reserved::Method::Swap);
        if is_swap || name == "swap" {
            self.names.extend(call.args.first().and_then(root));
        }
        if builtin::is_unknown(call) {
            let lent = call.args.iter().filter_map(variable);
            self.passed.as_mut().unwrap_or(&mut self.lent).extend(lent);
        }
        visit::visit_expr_method_call(self, call);
    }

    /// A name bound to `&mut` may be written under another name.
    fn visit_local(&mut self, local: &'ast syn::Local) {
        let init = local.init.as_ref().map(|init| &*init.expr);
        if let Some(init) = init.filter(|init| !is_read(init)) {
            self.renamed(init);
        }
        visit::visit_local(self, local);
    }

    fn visit_expr_for_loop(&mut self, repeat: &'ast syn::ExprForLoop) {
        let is_shared = match &*repeat.expr {
            syn::Expr::Reference(reference) => reference.mutability.is_none(),
            // An array that is copied.
            syn::Expr::Unary(_) => true,
            _ => false,
        };
        if !is_shared {
            self.renamed(&repeat.expr);
        }
        visit::visit_expr_for_loop(self, repeat);
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        call.args.iter().for_each(|argument| self.argument(argument));
        visit::visit_expr_call(self, call);
    }
}

/// Whether an initialiser only looks at a place: by `&`, or to copy what it holds.
fn is_read(init: &syn::Expr) -> bool {
    match init {
        syn::Expr::Reference(reference) => reference.mutability.is_none(),
        syn::Expr::Unary(_) | syn::Expr::Index(_) | syn::Expr::Field(_) => true,
        syn::Expr::Paren(paren) => is_read(&paren.expr),
        _ => false,
    }
}

/// Early exits out of a piece of code.
#[derive(Default, Clone)]
pub struct Exits {
    /// Any exit that is not confined to a loop inside, or a loop that never ends.
    pub any: bool,
    /// A `return`.
    pub returns: bool,
    /// Labels of loops around the piece.
    pub labels: Vec<String>,
}

/// Which exits an expression may take.
pub fn exits(expr: &syn::Expr) -> Exits {
    let mut scan = ExitScan::default();
    scan.visit_expr(expr);
    scan.found
}

/// Whether a `?` occurs in an expression.
pub fn attempts(expr: &syn::Expr) -> bool {
    struct Attempts(bool);
    impl<'ast> Visit<'ast> for Attempts {
        fn visit_expr_try(&mut self, _: &'ast syn::ExprTry) {
            self.0 = true;
        }
    }
    let mut scan = Attempts(false);
    scan.visit_expr(expr);
    scan.0
}

/// Whether there is a closure in an expression.
pub fn has_closure(expr: &syn::Expr) -> bool {
    struct Closures(bool);
    impl<'ast> Visit<'ast> for Closures {
        fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {
            self.0 = true;
        }
    }
    let mut scan = Closures(false);
    scan.visit_expr(expr);
    scan.0
}

/// Which exits a block may take.
pub fn block_exits(block: &syn::Block) -> Exits {
    let mut scan = ExitScan::default();
    scan.visit_block(block);
    scan.found
}

/// Exits out of a loop's body that leave more than the loop.
pub fn exits_further(body: &syn::Block, label: Option<&syn::Label>) -> Exits {
    let mut scan = ExitScan::default();
    scan.inside(label, body);
    scan.found
}

#[derive(Default)]
struct ExitScan {
    labels: Vec<Option<String>>,
    found: Exits,
}

impl ExitScan {
    fn jump(&mut self, label: Option<&syn::Lifetime>) {
        match label {
            None => self.found.any |= self.labels.is_empty(),
            Some(label) => {
                let name = label.ident.to_string();
                let inside = self.labels.iter().flatten().any(|known| *known == name);
                self.found.any |= !inside;
                if !inside {
                    self.found.labels.push(name);
                }
            }
        }
    }

    fn inside(&mut self, label: Option<&syn::Label>, body: &syn::Block) {
        self.labels.push(label.map(|label| label.name.ident.to_string()));
        self.visit_block(body);
        self.labels.pop();
    }
}

impl<'ast> Visit<'ast> for ExitScan {
    fn visit_expr_return(&mut self, _: &'ast syn::ExprReturn) {
        (self.found.any, self.found.returns) = (true, true);
    }

    fn visit_expr_break(&mut self, exit: &'ast syn::ExprBreak) {
        self.jump(exit.label.as_ref());
        visit::visit_expr_break(self, exit);
    }

    fn visit_expr_continue(&mut self, exit: &'ast syn::ExprContinue) {
        self.jump(exit.label.as_ref());
    }

    fn visit_expr_for_loop(&mut self, repeat: &'ast syn::ExprForLoop) {
        self.visit_expr(&repeat.expr);
        self.inside(repeat.label.as_ref(), &repeat.body);
    }

    fn visit_expr_while(&mut self, repeat: &'ast syn::ExprWhile) {
        self.visit_expr(&repeat.cond);
        self.inside(repeat.label.as_ref(), &repeat.body);
    }

    /// Nothing comes after a loop that no `break` leaves.
    fn visit_expr_loop(&mut self, repeat: &'ast syn::ExprLoop) {
        self.found.any |= !breaks(repeat);
        self.inside(repeat.label.as_ref(), &repeat.body);
    }

    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// Whether a `break` or `continue` without a label leads out of a block.
pub fn jumps(block: &syn::Block) -> bool {
    struct Jumps(bool);
    impl<'ast> Visit<'ast> for Jumps {
        fn visit_expr_break(&mut self, exit: &'ast syn::ExprBreak) {
            self.0 |= exit.label.is_none();
            visit::visit_expr_break(self, exit);
        }

        fn visit_expr_continue(&mut self, exit: &'ast syn::ExprContinue) {
            self.0 |= exit.label.is_none();
        }

        fn visit_expr_for_loop(&mut self, _: &'ast syn::ExprForLoop) {}

        fn visit_expr_while(&mut self, _: &'ast syn::ExprWhile) {}

        fn visit_expr_loop(&mut self, _: &'ast syn::ExprLoop) {}

        fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}

        fn visit_item(&mut self, _: &'ast syn::Item) {}
    }
    let mut scan = Jumps(false);
    scan.visit_block(block);
    scan.0
}

/// Whether a `break` ends the `loop` with this body.
pub fn breaks(repeat: &syn::ExprLoop) -> bool {
    struct Breaks {
        label: Option<String>,
        depth: usize,
        found: bool,
    }
    impl<'ast> Visit<'ast> for Breaks {
        fn visit_expr_break(&mut self, exit: &'ast syn::ExprBreak) {
            let named = exit.label.as_ref().map(|label| label.ident.to_string());
            self.found |= if named.is_some() { named == self.label } else { self.depth == 0 };
            visit::visit_expr_break(self, exit);
        }

        fn visit_expr_for_loop(&mut self, inner: &'ast syn::ExprForLoop) {
            self.depth += 1;
            visit::visit_expr_for_loop(self, inner);
            self.depth -= 1;
        }

        fn visit_expr_while(&mut self, inner: &'ast syn::ExprWhile) {
            self.depth += 1;
            visit::visit_expr_while(self, inner);
            self.depth -= 1;
        }

        fn visit_expr_loop(&mut self, inner: &'ast syn::ExprLoop) {
            self.depth += 1;
            visit::visit_expr_loop(self, inner);
            self.depth -= 1;
        }

        fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}

        fn visit_item(&mut self, _: &'ast syn::Item) {}
    }
    let label = repeat.label.as_ref().map(|label| label.name.ident.to_string());
    let mut scan = Breaks { label, depth: 0, found: false };
    scan.visit_block(&repeat.body);
    scan.found
}

/// Whether control never reaches the end of a block.
pub fn always_exits(block: &syn::Block) -> bool {
    match block.stmts.last() {
        Some(syn::Stmt::Expr(expr, _)) => always_leaves(expr),
        _ => false,
    }
}

fn always_leaves(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Return(_) | syn::Expr::Break(_) | syn::Expr::Continue(_) => true,
        syn::Expr::Block(block) => always_exits(&block.block),
        syn::Expr::If(branch) => {
            let other = branch.else_branch.as_ref().is_some_and(|(_, other)| always_leaves(other));
            other && always_exits(&branch.then_branch)
        }
        _ => false,
    }
}

/// Whether an expression contains a macro that does more than make a value or look at one.
pub fn speaks(expr: &syn::Expr) -> bool {
    struct Speaks(bool);
    impl<'ast> Visit<'ast> for Speaks {
        fn visit_macro(&mut self, call: &'ast syn::Macro) {
            let name = call.path.segments.last().map(|last| last.ident.to_string());
            self.0 |= !matches!(name.as_deref(), Some("vec" | "matches"));
        }
    }
    let mut scan = Speaks(false);
    scan.visit_expr(expr);
    scan.0
}
