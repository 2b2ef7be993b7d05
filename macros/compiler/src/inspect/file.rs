//! The differentiated functions of a source file.
//!
//! In: a parsed file. Out: each function with derivatives, by the path of the modules and the block that it stands in,
//! with what its attributes say. Attributes are read as the macros read them; what a macro of the user's makes does not
//! show.

use super::{Asked, Seen};
use crate::analysis::tapes;
use crate::block::{of_declaration, of_method};
use crate::diag::Reports;
use crate::ir::{Function, Op};
use crate::module::{Facts, Known, type_name};
use crate::pipeline::Stage;
use crate::source;
use crate::syntax::attr::{self, Arguments};
use crate::syntax::items::Scope;
use crate::syntax::signature::{self, Owner};
use quote::ToTokens;
use std::rc::Rc;

/// An error at a place of the file, which is known with the feature `locations`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// Counted from one.
    pub line: usize,
    /// Likewise.
    pub column: usize,
    /// What is wrong, and behind a line break what to write.
    pub text: String,
}

/// A function with derivatives.
pub struct Subject {
    /// Its path in the file: `module::Type::function`.
    pub name: String,
    /// Where its name stands.
    pub line: usize,
    function: syn::ItemFn,
    arguments: Arguments,
    owner: Option<Owner>,
    /// What is wrong with its attributes.
    errors: Vec<Message>,
}

/// What is said of a function on one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// The parameters with derivatives, and the others.
    pub active: Vec<String>,
    /// Likewise.
    pub constant: Vec<String>,
    /// How many orders of derivatives there are.
    pub orders: usize,
    /// Of each loop the bytes that an iteration leaves on a tape, as text; none where nothing is derived from a body.
    pub loops: Option<Vec<String>>,
    /// Whether there is reverse mode, which is what has tapes.
    pub has_reverse: bool,
    /// Whether a rule gives derivatives.
    pub has_rule: bool,
    /// What is right and probably not meant: the name of the note, what is so, and behind a line break what to write.
    pub notes: Vec<String>,
}

/// All of a file, in order.
pub fn subjects(file: &syn::File) -> Vec<Subject> {
    let mut search = Search::default();
    search.items(&file.items);
    search.found
}

impl Subject {
    /// The text of one stage, or what is wrong.
    ///
    /// # Errors
    ///
    /// All errors that the macro would report on the function.
    pub fn text(&self, stage: Stage) -> Result<String, Vec<Message>> {
        self.seen(stage).map(|seen| seen.text)
    }

    /// What is said of the function on one line.
    ///
    /// # Errors
    ///
    /// All errors that the macro would report on the function.
    pub fn summary(&self) -> Result<Summary, Vec<Message>> {
        let seen = self.seen(Stage::Tape)?;
        let signature = signature::read(
            &self.function,
            self.owner.clone(),
            &self.arguments,
            &mut Reports::default(),
        );
        let names = |active: bool| {
            let params = signature.params.iter().filter(move |param| param.active == active);
            params.map(|param| param.name.to_string()).collect()
        };
        Ok(Summary {
            active: names(true),
            constant: names(false),
            orders: self.arguments.orders(),
            loops: seen.primal.as_ref().map(|primal| loops(primal, seen.reverse.first())),
            has_reverse: self.arguments.emits_reverse(),
            has_rule: self.arguments.rule().is_some(),
            notes: seen.notes,
        })
    }

    fn seen(&self, stage: Stage) -> Result<Seen, Vec<Message>> {
        if !self.errors.is_empty() {
            return Err(self.errors.clone());
        }
        let mut reports = Reports::default();
        let asked = Asked {
            function: &self.function,
            arguments: &self.arguments,
            owner: self.owner.clone(),
        };
        let name = self.function.sig.ident.span();
        let seen = crate::caught(name, &mut reports, |reports| asked.run(stage, reports));
        match reports.is_empty() {
            true => seen.flatten().ok_or_else(Vec::new),
            false => Err(located(&reports)),
        }
    }
}

/// What each loop of a function leaves on a tape, the outer ones first.
fn loops(primal: &Function, derivative: Option<&Function>) -> Vec<String> {
    let kept = derivative.map(tapes::kept).unwrap_or_default();
    let mut loops = Vec::new();
    primal.body.walk(&mut |inst, _| {
        let Op::Loop(repeat) = &inst.op else { return };
        let own = kept.iter().filter(|kept| kept.loops.last() == Some(&repeat.body.id));
        let (mut bytes, mut others) = (0, Vec::new());
        for kept in own {
            match kept.bytes {
                Some(size) => bytes += size,
                None => others.push(format!("{} ({})", kept.name, kept.size)),
            }
        }
        let known = (bytes > 0 || others.is_empty()).then(|| format!("{bytes} B"));
        let parts: Vec<String> = known.into_iter().chain(others).collect();
        loops.push(parts.join(" + "));
    });
    loops
}

fn located(reports: &Reports) -> Vec<Message> {
    let each = reports.located();
    each.map(|(span, text)| {
        let (line, column) = source::start(span).unwrap_or_default();
        Message { line, column, text: text.to_owned() }
    })
    .collect()
}

/// Goes through a file.
#[derive(Default)]
struct Search {
    path: Vec<String>,
    found: Vec<Subject>,
    /// The module with the attribute that the items stand in.
    around: Option<Around>,
}

/// A module with the attribute, or one in it.
#[derive(Clone)]
struct Around {
    arguments: Arguments,
    facts: Rc<Facts>,
    scope: Scope,
}

impl Around {
    /// Returns the facts about a function in it, in the `impl` of a type or by itself.
    fn known(&self, ty: Option<&syn::Type>) -> Known<'_> {
        let known = Known::of(&self.facts, self.scope, ty.and_then(type_name));
        match ty {
            Some(ty) => known.within(ty),
            None => known,
        }
    }
}

impl Search {
    fn items(&mut self, items: &[syn::Item]) {
        for item in items {
            match item {
                syn::Item::Fn(function) => self.function(function),
                syn::Item::Mod(module) => self.module(module),
                syn::Item::Impl(block) => {
                    self.within(subject_of(block), |search| search.implementation(block));
                }
                syn::Item::Trait(item) => {
                    self.within(item.ident.to_string(), |search| search.declaration(item));
                }
                syn::Item::Verbatim(tokens) => self.stand_in(tokens),
                _ => {}
            }
        }
    }

    fn within(&mut self, name: String, run: impl FnOnce(&mut Self)) {
        self.path.push(name);
        run(self);
        self.path.pop();
    }

    fn module(&mut self, module: &syn::ItemMod) {
        let inner = module.content.as_ref().map_or(&[][..], |(_, items)| items);
        let around = self.around_of(module, inner);
        let outer = std::mem::replace(&mut self.around, around);
        self.within(module.ident.to_string(), |search| search.items(inner));
        self.around = outer;
    }

    /// The module, if it has the attribute or stands in one that has.
    fn around_of(&self, module: &syn::ItemMod, items: &[syn::Item]) -> Option<Around> {
        let own = whole(&module.attrs);
        let is_skipped = own.as_ref().is_some_and(Arguments::is_skipped);
        match &self.around {
            Some(outer) => {
                let scope = outer.facts.items.module(outer.scope, &module.ident)?;
                let arguments = own.map(|own| own.of_orders(&outer.arguments));
                let arguments = arguments.unwrap_or_else(|| outer.arguments.clone());
                (!is_skipped).then(|| Around { arguments, scope, facts: outer.facts.clone() })
            }
            None => {
                let (arguments, facts) = (own?, Rc::new(Facts::of(items)));
                let scope = facts.items.root();
                Some(Around { arguments, facts, scope })
            }
        }
    }

    /// A function by itself, and those in its body.
    fn function(&mut self, function: &syn::ItemFn) {
        let has_own = attr::has_own(function);
        if has_own || self.around.is_some() && !function.sig.inputs.is_empty() {
            let mut reports = Reports::default();
            let mut arguments = Arguments::default();
            arguments.adopt(&function.attrs, &mut reports);
            if let Some(around) = &self.around {
                let own = arguments.of_orders(&around.arguments);
                let own = if has_own { own } else { around.arguments.clone() };
                arguments = around.known(None).arguments(&own, &function.sig);
            } else {
                arguments.check_function(&mut reports);
            }
            if !arguments.is_skipped() {
                self.add(function, arguments, crate::outer(function), &reports);
            }
        }
        let name = function.sig.ident.to_string();
        for statement in &function.block.stmts {
            if let syn::Stmt::Item(item) = statement {
                self.within(name.clone(), |search| search.items(std::slice::from_ref(item)));
            }
        }
    }

    /// `#[primitive(of = path)]`, which has no body.
    fn stand_in(&mut self, tokens: &proc_macro2::TokenStream) {
        let Ok(head) = syn::parse2::<syn::TraitItemFn>(tokens.clone()) else { return };
        let own = head.attrs.iter().find(|attribute| attribute.path().is_ident("primitive"));
        let Some(syn::Meta::List(list)) = own.map(|attribute| &attribute.meta) else { return };
        let mut reports = Reports::default();
        let (arguments, path) = Arguments::primitive(list.tokens.clone(), &mut reports);
        if let Ok(function) = crate::primitive::item(tokens.clone(), path.as_ref()) {
            self.add(&function, arguments, None, &reports);
        }
    }

    fn implementation(&mut self, block: &syn::ItemImpl) {
        if self.is_left_out(block) {
            return;
        }
        let owner = Owner::of_impl(block);
        let whole = self.whole(&block.attrs);
        for item in &block.items {
            let syn::ImplItem::Fn(method) = item else { continue };
            self.member(&of_method(method), whole.as_ref(), &owner);
        }
    }

    /// The bodies in a trait. What it only declares has nothing to look at.
    fn declaration(&mut self, item: &syn::ItemTrait) {
        let owner = Owner::of_trait(item, None);
        let whole = self.whole(&item.attrs);
        for part in &item.items {
            let syn::TraitItem::Fn(method) = part else { continue };
            if method.default.is_some() {
                self.member(&of_declaration(method), whole.as_ref(), &owner);
            }
        }
    }

    /// A function of a block, which says itself what it is, or has it from the block.
    fn member(&mut self, function: &syn::ItemFn, whole: Option<&Arguments>, owner: &Owner) {
        let has_own = attr::has_own(function);
        let mut reports = Reports::default();
        let own = Arguments::of_item(function, &mut reports);
        let (arguments, owner) = match (whole, has_own) {
            (None, false) => return,
            (None, true) => (own, crate::outer(function)),
            (Some(whole), true) => (own.of_orders(whole), Some(owner.clone())),
            (Some(whole), false) => (whole.clone(), Some(owner.clone())),
        };
        let ty = owner.as_ref().and_then(|owner| owner.ty.as_ref());
        let known = self.around.as_ref().map(|around| around.known(ty));
        let arguments = known.unwrap_or_default().arguments(&arguments, &function.sig);
        if !arguments.is_skipped() {
            self.add(&attr::without_own(function.clone()), arguments, owner, &reports);
        }
    }

    /// Whether an `impl` in a module with the attribute is of a trait that the module does not differentiate.
    fn is_left_out(&self, block: &syn::ItemImpl) -> bool {
        let Some(around) = self.around.as_ref().filter(|_| whole(&block.attrs).is_none()) else {
            return false;
        };
        let of = block.trait_.as_ref();
        of.is_some_and(|(path, _)| !around.facts.is_differentiated(around.scope, path))
    }

    /// Returns the arguments of a block, or those of the module around it.
    fn whole(&self, attributes: &[syn::Attribute]) -> Option<Arguments> {
        let module = self.around.as_ref().map(|around| &around.arguments);
        match (whole(attributes), module) {
            (Some(own), Some(module)) => Some(own.of_orders(module)),
            (own, module) => own.or_else(|| module.cloned()),
        }
    }

    fn add(
        &mut self,
        function: &syn::ItemFn,
        arguments: Arguments,
        owner: Option<Owner>,
        reports: &Reports,
    ) {
        let is_asked = self.around.is_none() || attr::has_own(function);
        let own = function.sig.ident.to_string();
        let path: Vec<&str> = self.path.iter().map(String::as_str).chain([&*own]).collect();
        let subject = Subject {
            name: path.join("::"),
            line: source::start(function.sig.ident.span()).unwrap_or_default().0,
            function: function.clone(),
            arguments,
            owner,
            errors: located(reports),
        };
        // A module leaves a function out without an error.
        if is_asked || subject.seen(Stage::Tape).is_ok() {
            self.found.push(subject);
        }
    }
}

/// What the attributes of a block say, if one of them is ours.
fn whole(attributes: &[syn::Attribute]) -> Option<Arguments> {
    attr::is_among(attributes).then(|| {
        let mut arguments = Arguments::default();
        // What is wrong with them is wrong once, and is said by the macro.
        arguments.adopt(attributes, &mut Reports::default());
        arguments
    })
}

/// What the functions of a block belong to.
fn subject_of(block: &syn::ItemImpl) -> String {
    let name = |tokens: &dyn ToTokens| tokens.to_token_stream().to_string().replace(' ', "");
    name(&block.self_ty)
}
