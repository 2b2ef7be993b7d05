//! What a chain starts with.
//!
//! In: an expression. Out: a [`Source`] whose operands are names, and the statements that make these.

use super::item::{Passing, is_name};
use super::{Adaptor, Chain};
use crate::lower::builtin::is_variant_of_std;
use crate::lower::desugar::subject::view;
use crate::lower::desugar::{Desugar, elements::indexable};
use crate::lower::hoist::is_place;
use syn::{Expr, ExprClosure, Stmt, parse_quote};

/// What a chain starts with. Bases are places that may be written several times.
#[derive(Clone)]
pub enum Source {
    Elements {
        base: Expr,
        passing: Passing,
    },
    Range {
        start: Expr,
        end: Option<Expr>,
        inclusive: bool,
        of_indices: bool,
    },
    Windows {
        base: Expr,
        len: Expr,
    },
    Chunks {
        base: Expr,
        len: Expr,
        exact: bool,
        mutable: bool,
    },
    Values {
        map: Expr,
        keys: Expr,
        mutable: bool,
    },
    /// Parts of an array of `ndarray`.
    Parts {
        base: Expr,
        parts: Parts,
    },
    Repeat(Expr),
    Successors {
        first: Expr,
        next: ExprClosure,
    },
}

/// Which parts of an array there are.
#[derive(Clone)]
pub enum Parts {
    Rows,
    Columns,
    /// Along the axis that is given.
    Along(Expr),
}

impl Parts {
    /// How many there are. Only matrices have numbers of rows and columns, and their rows and columns are along an axis.
    pub fn count(&self, base: &Expr) -> Expr {
        match self {
            Parts::Rows => parse_quote!(#base.nrows()),
            Parts::Columns => parse_quote!(#base.ncols()),
            Parts::Along(axis) => parse_quote!(#base.len_of(#axis)),
        }
    }

    /// That of an index, of its own: a view of a constant would have no rules. With an axis of `ndarray`, it is none of
    /// another type's.
    pub fn part(&self, base: &Expr, index: &Expr) -> Expr {
        let axis: Expr = match self {
            Parts::Rows => parse_quote!(::cotangent::ndarray::made::Axis(0)),
            Parts::Columns => parse_quote!(::cotangent::ndarray::made::Axis(1)),
            Parts::Along(axis) => axis.clone(),
        };
        parse_quote!(#base.index_axis(#axis, #index).to_owned())
    }
}

impl Desugar<'_> {
    /// The chain that an expression is, where it shows that it is one.
    pub(super) fn read_chain(&mut self, expr: &Expr, before: &mut Vec<Stmt>) -> Option<Chain> {
        match expr {
            Expr::Paren(paren) => self.read_chain(&paren.expr, before),
            Expr::Group(group) => self.read_chain(&group.expr, before),
            Expr::Range(range) => {
                let of_indices = self.known.is_index(range.start.as_ref()?)
                    || range.end.as_ref().is_some_and(|end| self.known.is_index(end));
                let start = self.operand("start", range.start.as_ref()?, before);
                let end = range.end.as_ref().map(|end| self.operand("end", end, before));
                let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
                Some(chain(Source::Range { start, end, inclusive, of_indices }))
            }
            Expr::MethodCall(call) => match self.source_method(call, before) {
                Some(source) => Some(chain(source)),
                None => {
                    let inner = self.read_chain(&call.receiver, before)?;
                    self.adapted(inner, call, before)
                }
            },
            Expr::Call(call) => self.source_call(call, before),
            _ => None,
        }
    }

    /// What is gone through where any `IntoIterator` may stand: the operand of `zip`, say.
    pub(super) fn read_iterable(&mut self, expr: &Expr, before: &mut Vec<Stmt>) -> Option<Chain> {
        let mut made = Vec::new();
        if let Some(chain) = self.read_chain(expr, &mut made) {
            before.append(&mut made);
            return Some(chain);
        }
        match expr {
            Expr::Paren(paren) => self.read_iterable(&paren.expr, before),
            Expr::Group(group) => self.read_iterable(&group.expr, before),
            Expr::Reference(reference) if is_place(&reference.expr) => {
                let mutable = reference.mutability.is_some();
                Some(self.elements(&reference.expr, by(mutable), before))
            }
            Expr::Closure(_) | Expr::Lit(_) => None,
            expr if is_iterator(expr) => None,
            expr => Some(self.consumed_elements(expr, before)),
        }
    }

    /// The elements of what is consumed: of what is behind a reference they are references.
    fn consumed_elements(&mut self, expr: &Expr, before: &mut Vec<Stmt>) -> Chain {
        let expr = match expr {
            Expr::Paren(paren) => &*paren.expr,
            expr => expr,
        };
        match expr {
            Expr::Reference(reference) => {
                let mutable = reference.mutability.is_some();
                self.elements(&reference.expr, by(mutable), before)
            }
            Expr::MethodCall(call) if self.lines(call).is_some() => {
                let base = self.base(&call.receiver, false, before);
                let parts = self.lines(call).unwrap_or(Parts::Rows);
                chain(Source::Parts { base, parts })
            }
            expr => {
                let passing = self.reference(expr).map_or(Passing::Owned, by);
                self.elements(expr, passing, before)
            }
        }
    }

    /// Whether the name of a reference stands here, and whether of a `&mut`.
    fn reference(&self, expr: &Expr) -> Option<bool> {
        let Expr::Path(path) = expr else { return None };
        self.known.references.get(&path.path.get_ident()?.to_string()).copied()
    }

    fn elements(&mut self, base: &Expr, passing: Passing, before: &mut Vec<Stmt>) -> Chain {
        let base = self.base(base, passing == Passing::Unique, before);
        chain(Source::Elements { base, passing })
    }

    /// A place with elements: a view of it, or a value under a name.
    fn base(&mut self, base: &Expr, mutable: bool, before: &mut Vec<Stmt>) -> Expr {
        match is_place(base) {
            true => view(&indexable(base), mutable, &mut self.count, before),
            false => {
                let held = self.fresh("held");
                let mutability: Option<syn::Token![mut]> = mutable.then(Default::default);
                before.push(parse_quote!(let #mutability #held = #base;));
                parse_quote!(#held)
            }
        }
    }

    /// `a.iter()`, `a.windows(k)` and kin.
    fn source_method(
        &mut self,
        call: &syn::ExprMethodCall,
        before: &mut Vec<Stmt>,
    ) -> Option<Source> {
        let receiver = &*call.receiver;
        let name = call.method.to_string();
        let mutable = name.ends_with("_mut");
        if is_iterator(receiver) {
            return None;
        }
        match (name.trim_end_matches("_mut"), call.args.first()) {
            ("iter", None) if !self.is_map(receiver) => {
                Some(self.elements(receiver, by(mutable), before).source)
            }
            ("into_iter", None) if !self.is_map(receiver) => {
                Some(self.consumed_elements(receiver, before).source)
            }
            ("outer_iter", None) => {
                let base = self.base(receiver, false, before);
                let axis = parse_quote!(::cotangent::ndarray::made::Axis(0));
                Some(Source::Parts { base, parts: Parts::Along(axis) })
            }
            ("axis_iter", Some(axis)) => {
                let base = self.base(receiver, false, before);
                let axis = self.operand("axis", axis, before);
                Some(Source::Parts { base, parts: Parts::Along(axis) })
            }
            ("values", None) if is_name(receiver) => {
                let keys = self.fresh("keys");
                let method = crate::lower::reserved::Method::Keys.ident(keys.span());
                before.push(parse_quote!(let #keys = #receiver.#method();));
                let map = self.base(receiver, mutable, before);
                Some(Source::Values { map, keys: parse_quote!(#keys), mutable })
            }
            ("windows", Some(len)) => {
                let base = self.base(receiver, false, before);
                let len = self.size(len, "window size must be non-zero", before);
                Some(Source::Windows { base, len })
            }
            (name @ ("chunks" | "chunks_exact"), Some(len)) => {
                let base = self.base(receiver, mutable, before);
                let len = self.size(len, "chunk size must be non-zero", before);
                Some(Source::Chunks { base, len, exact: name == "chunks_exact", mutable })
            }
            _ => None,
        }
    }

    pub(in crate::lower::desugar) fn is_map(&self, receiver: &Expr) -> bool {
        let root = crate::lower::scan::root(receiver);
        root.is_some_and(|key| self.known.maps.contains(crate::lower::hygiene::name(&key)))
            && is_name(receiver)
    }

    /// `a.rows()` and `a.columns()`, which are gone through but are no iterators, where arrays are named: types of the
    /// user's own have such methods, too.
    pub(super) fn lines(&self, call: &syn::ExprMethodCall) -> Option<Parts> {
        let is_plain = self.known.names_arrays && call.args.is_empty();
        match call.method.to_string().as_str() {
            "rows" if is_plain => Some(Parts::Rows),
            "columns" if is_plain => Some(Parts::Columns),
            _ => None,
        }
    }

    /// A length that must not be zero.
    pub(in crate::lower::desugar) fn size(
        &mut self,
        len: &Expr,
        message: &str,
        before: &mut Vec<Stmt>,
    ) -> Expr {
        let size = self.operand("size", len, before);
        if let Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(int), .. }) = &size
            && int.base10_digits() != "0"
        {
            return size;
        }
        before.push(parse_quote!(if #size == 0 { ::core::panic!(#message); }));
        size
    }

    /// `std::iter::zip(a, b)`, `repeat(x)`, `successors(Some(x), |x| ..)`.
    fn source_call(&mut self, call: &syn::ExprCall, before: &mut Vec<Stmt>) -> Option<Chain> {
        let Expr::Path(path) = &*call.func else { return None };
        let mut segments = path.path.segments.iter().rev();
        let (function, module) = (segments.next()?, segments.next()?);
        if module.ident != "iter" {
            return None;
        }
        let args: Vec<&Expr> = call.args.iter().collect();
        match (function.ident.to_string().as_str(), &args[..]) {
            ("zip", [first, second]) => {
                let mut first = self.read_iterable(first, before)?;
                let second = self.read_iterable(second, before)?;
                let zip = first.zipped(second)?;
                first.adaptors.push(zip);
                Some(first)
            }
            ("repeat", [value]) => Some(chain(Source::Repeat(self.operand("held", value, before)))),
            ("once", [value]) => {
                let value = self.operand("held", value, before);
                let mut once = chain(Source::Repeat(value));
                once.adaptors.push(Adaptor::Take(parse_quote!(1)));
                Some(once)
            }
            ("successors", [first, next]) => {
                let first = sole_argument(first, "Some")?;
                let first = self.operand("held", first, before);
                let next = self.function(next, 1)?;
                Some(chain(Source::Successors { first, next }))
            }
            _ => None,
        }
    }
}

pub fn chain(source: Source) -> Chain {
    Chain { source, adaptors: Vec::new() }
}

/// `Some(x)`: what is inside.
pub fn sole_argument<'e>(expr: &'e Expr, function: &str) -> Option<&'e Expr> {
    match expr {
        Expr::Call(call) if call.args.len() == 1 => match &*call.func {
            Expr::Path(path) if is_variant_of_std(&path.path, &[function]) => call.args.first(),
            _ => None,
        },
        _ => None,
    }
}

fn by(mutable: bool) -> Passing {
    if mutable { Passing::Unique } else { Passing::Shared }
}

/// Whether an expression is an iterator, as its form shows.
pub fn is_iterator(expr: &Expr) -> bool {
    match expr {
        Expr::Paren(paren) => is_iterator(&paren.expr),
        Expr::Range(_) => true,
        Expr::MethodCall(call) => {
            let name = call.method.to_string();
            SOURCES.contains(&name.as_str())
                || ADAPTORS.contains(&name.as_str()) && is_iterator(&call.receiver)
        }
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) => {
                path.path.segments.iter().rev().nth(1).is_some_and(|module| module.ident == "iter")
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether a method of a collection makes an iterator.
pub fn makes_iterator(call: &syn::ExprMethodCall) -> bool {
    SOURCES.iter().any(|name| call.method == name)
}

/// Whether a method of an iterator takes closures.
pub fn takes_closure(method: &syn::Ident) -> bool {
    const NAMES: [&str; 20] = [
        "map",
        "filter",
        "filter_map",
        "flat_map",
        "take_while",
        "skip_while",
        "map_while",
        "scan",
        "inspect",
        "fold",
        "for_each",
        "any",
        "all",
        "position",
        "find",
        "reduce",
        "min_by",
        "max_by",
        "map_or",
        "and_then",
    ];
    NAMES.iter().any(|name| method == name)
}

const SOURCES: [&str; 12] = [
    "axis_iter",
    "outer_iter",
    "iter",
    "iter_mut",
    "into_iter",
    "windows",
    "chunks",
    "chunks_mut",
    "chunks_exact",
    "chunks_exact_mut",
    "values",
    "values_mut",
];

const ADAPTORS: [&str; 19] = [
    "map",
    "filter",
    "filter_map",
    "flat_map",
    "flatten",
    "zip",
    "chain",
    "rev",
    "skip",
    "take",
    "step_by",
    "enumerate",
    "copied",
    "cloned",
    "take_while",
    "skip_while",
    "map_while",
    "scan",
    "inspect",
];
