//! Tangents behind `&` that are copied only where they do not fit.
//!
//! In: a `jvp` that copies a parameter's tangent, so that it can give the copy its value's shape, and needs that shape
//! in a few layers alone. Out: the same with the tangent itself. Where that does not fit, the `jvp` begins again with a
//! copy that does. Otherwise each level of a recursion would copy what all levels below see, and hold the copy.

use super::Emit;
use crate::binding::local;
use crate::ir::{Access, Function, Op, Slot, Value};
use proc_macro2::TokenStream;
use quote::quote;

/// A `jvp` without such copies.
pub(super) struct Fitted<'a> {
    pub function: Function,
    tangents: Vec<Tangent>,
    /// Its path.
    again: &'a TokenStream,
}

/// A tangent that was copied.
struct Tangent {
    param: Value,
    copy: Value,
    /// The copy that has its value's shape.
    conformed: Value,
    place: Value,
    layers: usize,
}

/// The function without these copies, if it makes some.
pub(super) fn fitted<'a>(function: &Function, again: &'a TokenStream) -> Option<Fitted<'a>> {
    let tangents = copied(function);
    if tangents.is_empty() {
        return None;
    }
    let mut function = function.clone();
    for Tangent { param, copy, conformed, .. } in &tangents {
        let is_left = |results: &[Value]| results != [*copy] && results != [*conformed];
        function.body.insts.retain(|inst| is_left(&inst.results));
        function.body.map_uses(&mut |value| {
            if value == conformed {
                *value = *param;
            }
        });
    }
    Some(Fitted { function, tangents, again })
}

fn copied(function: &Function) -> Vec<Tangent> {
    let insts = &function.body.insts;
    let is_shared = |value: Value| {
        let slot = function.slot_of(value).map(|slot| function.slot(slot));
        slot.is_some_and(|slot| slot.access == Access::Shared)
            && function.body.params.contains(&value)
    };
    let all = insts.iter().filter_map(|inst| {
        let Op::Conform(Some(layers)) = inst.op else { return None };
        let (copy, place) = (inst.args[0], inst.args[1]);
        let copied = insts.iter().find(|inst| inst.results == [copy])?;
        let is_whole = matches!(&copied.op, Op::Clone(path) if path.is_empty());
        let is_kept = versions(function, function.slot_of(copy)?) == 2;
        let tangent =
            Tangent { param: copied.args[0], copy, conformed: inst.results[0], place, layers };
        (is_whole && is_kept && is_shared(tangent.param) && is_shared(place)).then_some(tangent)
    });
    all.collect()
}

/// How many versions of a place are made.
fn versions(function: &Function, slot: Slot) -> usize {
    let mut count = 0;
    let is_version = |value: &&Value| function.slot_of(**value) == Some(slot);
    function.body.walk(&mut |inst, _| count += inst.results.iter().filter(is_version).count());
    count
}

impl Emit<'_> {
    /// Begins again where a tangent does not fit.
    pub(super) fn fit(&mut self, fitted: &Fitted) {
        let again = fitted.again;
        let copy = local("conformed");
        for Tangent { param, place, layers, .. } in &fitted.tangents {
            let [place, tangent] =
                [place, param].map(|value| self.names.value(self.function, *value));
            let passed = self.context.params.iter().map(|name| match *name == tangent {
                true => quote!(&#copy),
                false => quote!(#name),
            });
            self.statements.push(quote! {
                if !::cotangent::Differentiable::conforms(&*#place, &*#tangent, #layers) {
                    let #copy = ::cotangent::__private::conformed(&*#place, &*#tangent);
                    return #again(#(#passed),*);
                }
            });
        }
    }
}
