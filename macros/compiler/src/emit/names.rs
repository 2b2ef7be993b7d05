//! Names in emitted code: the user's where there is one, made unique.

use crate::ir::{Function, Slot, Tape, Value};
use proc_macro2::{Ident, Span};
use std::collections::{HashMap, HashSet};

/// The identifiers of one emitted function.
pub struct Names {
    values: HashMap<Value, Ident>,
    slots: HashMap<Slot, Ident>,
    tapes: HashMap<Tape, Ident>,
    taken: HashSet<String>,
}

impl Names {
    pub fn new() -> Self {
        Names {
            values: HashMap::new(),
            slots: HashMap::new(),
            tapes: HashMap::new(),
            taken: HashSet::new(),
        }
    }

    /// A fresh identifier, hygienic: no item or variable of the user's can be meant by it.
    fn fresh(&mut self, hint: &str, span: Span) -> Ident {
        let bare = hint.trim_start_matches("r#");
        let base = if syn::parse_str::<Ident>(bare).is_ok() && bare != "_" {
            bare.to_owned()
        } else {
            format!("{bare}_value")
        };
        let base = if syn::parse_str::<Ident>(&base).is_ok() { base } else { "value".to_owned() };
        let mut name = base.clone();
        let mut count = 0;
        while !self.taken.insert(name.clone()) {
            count += 1;
            name = format!("{base}_{count}");
        }
        Ident::new(&name, Span::mixed_site().located_at(span))
    }

    /// Enters a block: what is named in it is forgotten by [`close`](Self::close).
    pub fn open(&self) -> HashSet<String> {
        self.taken.clone()
    }

    /// Leaves a block: names that only it used can be given again.
    pub fn close(&mut self, taken: HashSet<String>) {
        self.taken = taken;
    }

    /// Gives a value the identifier of another.
    pub fn alias(&mut self, value: Value, ident: Ident) {
        self.taken.insert(ident.to_string());
        self.values.insert(value, ident);
    }

    /// A name whose block is over can be given again.
    pub fn release(&mut self, value: Value) {
        if let Some(ident) = self.values.get(&value) {
            self.taken.remove(&ident.to_string());
        }
    }

    pub fn value(&mut self, function: &Function, value: Value) -> Ident {
        if let Some(slot) = function.slot_of(value) {
            return self.slot(function, slot);
        }
        if let Some(ident) = self.values.get(&value) {
            return ident.clone();
        }
        let data = function.value(value);
        let ident = self.fresh(&data.name, data.span);
        self.values.insert(value, ident.clone());
        ident
    }

    pub fn slot(&mut self, function: &Function, slot: Slot) -> Ident {
        if let Some(ident) = self.slots.get(&slot) {
            return ident.clone();
        }
        let data = function.slot(slot);
        let ident = self.fresh(&data.name, data.span);
        self.slots.insert(slot, ident.clone());
        ident
    }

    pub fn tape(&mut self, tape: Tape) -> Ident {
        if let Some(ident) = self.tapes.get(&tape) {
            return ident.clone();
        }
        let ident = self.fresh("tape", Span::call_site());
        self.tapes.insert(tape, ident.clone());
        ident
    }

    /// The box of values that were made before a function calls itself.
    pub fn kept(&mut self) -> Ident {
        self.fresh("kept", Span::call_site())
    }

    /// Two slots behind one name: a pullback takes a reference under the name that it had before.
    pub fn alias_slot(&mut self, slot: Slot, ident: Ident) {
        self.taken.insert(ident.to_string());
        self.slots.insert(slot, ident);
    }
}
