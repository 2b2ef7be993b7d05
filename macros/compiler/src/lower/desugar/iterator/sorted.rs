//! Slices that are put in order, and what is looked for in one that is.
//!
//! In: `v.sort_by(..)` and `v.partition_point(..)`. Out: blocks of loops. Sorting merges positions, which have no
//! derivatives, and moves each element once, so that nothing of the order is differentiated or undone.
//!
//! **Invariant:** the order is that of the standard library. Of a sort that may leave equal elements in any order only
//! comparisons of whole elements are taken, where equal elements are the same.

use super::choice::greater;
use super::item::Passing;
use super::source::{self, Source};
use super::{Chain, block};
use crate::lower::desugar::subject::view;
use crate::lower::desugar::{Desugar, elements::indexable};
use crate::lower::hoist::is_place;
use proc_macro2::Ident;
use syn::{Expr, ExprClosure, Pat, Stmt, parse_quote};

impl Desugar<'_> {
    pub(super) fn in_order(&mut self, call: &syn::ExprMethodCall) -> Option<Expr> {
        if !is_place(&call.receiver) || call.args.len() != 1 {
            return None;
        }
        let argument = &call.args[0];
        match call.method.to_string().as_str() {
            "sort_by" => {
                let compare = self.function(argument, 2)?;
                self.sorted(&call.receiver, &compare)
            }
            "sort_unstable_by" => {
                let compare = self.function(argument, 2).filter(compares_wholes)?;
                self.sorted(&call.receiver, &compare)
            }
            "partition_point" => {
                let test = self.function(argument, 1)?;
                self.partition_point(&call.receiver, &test)
            }
            _ => None,
        }
    }

    /// Merges runs of positions from neighbours on, and moves the elements there at the end.
    fn sorted(&mut self, slice: &Expr, compare: &ExprClosure) -> Option<Expr> {
        let (mut stmts, mut asked) = (Vec::new(), Vec::new());
        let base = view(&indexable(slice), true, &mut self.count, &mut stmts);
        let [order, merged, count, width, start] =
            ["order", "merged", "count", "width", "start"].map(|kind| self.fresh(kind));
        let [middle, end, left, right, index, taken] =
            ["middle", "end", "left", "right", "index", "taken"].map(|kind| self.fresh(kind));
        let elements = elements(&base);
        let [a, b] = [&left, &right].map(|at| parse_quote!(#order[#at]));
        let a = self.item_at(&elements, &a, &mut stmts, &mut asked)?;
        let b = self.item_at(&elements, &b, &mut stmts, &mut asked)?;
        let compared = self.entered(compare, &[a, b], &mut asked)?;
        let is_after = greater(&compared, &mut asked)?;
        stmts.extend::<Vec<Stmt>>(parse_quote! {
            let #count = #base.len();
            let mut #order: ::cotangent::__private::Vec<usize> = (0..#count).collect();
            let mut #merged: ::cotangent::__private::Vec<usize> = (0..#count).collect();
            let mut #width = 1usize;
            while #width < #count {
                let mut #start = 0usize;
                while #start < #count {
                    let #middle = (#start + #width).min(#count);
                    let #end = (#middle + #width).min(#count);
                    let mut #left = #start;
                    let mut #right = #middle;
                    for #index in #start..#end {
                        let mut #taken = #left < #middle;
                        if #taken && #right < #end {
                            #(#asked)*
                            #taken = !#is_after;
                        }
                        if #taken {
                            #merged[#index] = #order[#left];
                            #left += 1;
                        } else {
                            #merged[#index] = #order[#right];
                            #right += 1;
                        }
                    }
                    #start = #end;
                }
                ::core::mem::swap(&mut #order, &mut #merged);
                #width *= 2;
            }
        });
        stmts.extend(self.moved_there(&base, &order));
        Some(parse_quote!({ #(#stmts)* }))
    }

    /// Puts the elements where an order of their positions says, each by one exchange.
    fn moved_there(&mut self, base: &Expr, order: &Ident) -> Vec<Stmt> {
        let [place, held, index, from, moved] =
            ["place", "held", "index", "from", "moved"].map(|kind| self.fresh(kind));
        parse_quote! {
            // Where each element is by now, and which is at each place.
            let mut #place: ::cotangent::__private::Vec<usize> = (0..#order.len()).collect();
            let mut #held: ::cotangent::__private::Vec<usize> = (0..#order.len()).collect();
            for #index in 0..#order.len() {
                let #from = #place[#order[#index]];
                let #moved = #held[#index];
                #held[#from] = #moved;
                #place[#moved] = #from;
                #order[#index] = #from;
            }
            for #index in 0..#order.len() {
                #base.swap(#index, #order[#index]);
            }
        }
    }

    /// Halves what is left, from the whole slice on.
    fn partition_point(&mut self, slice: &Expr, test: &ExprClosure) -> Option<Expr> {
        let (mut stmts, mut asked) = (Vec::new(), Vec::new());
        let base = view(&indexable(slice), false, &mut self.count, &mut stmts);
        let [low, high, middle] = ["low", "high", "middle"].map(|kind| self.fresh(kind));
        let elements = elements(&base);
        let item = self.item_at(&elements, &parse_quote!(#middle), &mut stmts, &mut asked)?;
        let is_before = self.apply(test, &[item], &mut asked)?.value();
        stmts.extend::<Vec<Stmt>>(parse_quote! {
            let mut #low = 0usize;
            let mut #high = #base.len();
            while #low < #high {
                let #middle = #low + (#high - #low) / 2;
                #(#asked)*
                if #is_before { #low = #middle + 1; } else { #high = #middle; }
            }
        });
        Some(block(stmts, &parse_quote!(#low)))
    }
}

fn elements(base: &Expr) -> Chain {
    source::chain(Source::Elements { base: base.clone(), passing: Passing::Shared })
}

/// Whether it is the elements themselves that a closure compares: `|a, b| a.total_cmp(b)`.
fn compares_wholes(compare: &ExprClosure) -> bool {
    let names: Vec<_> = compare.inputs.iter().map(name).collect();
    let is_whole = |expr: &Expr| match expr {
        Expr::Path(path) => names.contains(&path.path.get_ident()),
        _ => false,
    };
    match &*compare.body {
        Expr::MethodCall(call) if call.method == "unwrap" || call.method == "expect" => {
            match &*call.receiver {
                Expr::MethodCall(inner) => {
                    is_whole(&inner.receiver) && inner.args.iter().all(is_whole)
                }
                _ => false,
            }
        }
        Expr::MethodCall(call) => is_whole(&call.receiver) && call.args.iter().all(is_whole),
        Expr::Call(call) => call.args.iter().all(is_whole),
        _ => false,
    }
}

fn name(pattern: &Pat) -> Option<&syn::Ident> {
    match pattern {
        Pat::Ident(ident) if ident.subpat.is_none() => Some(&ident.ident),
        Pat::Type(typed) => name(&typed.pat),
        _ => None,
    }
}
