//! Names in emitted code: the user's where there is one, made unique.

use crate::ir::entity::EntityMap;
use crate::ir::{Function, Slot, Tape, Value, Witness};
use crate::syntax::hygiene::is_identifier;
use proc_macro2::{Ident, Span};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// The identifiers of one emitted function.
pub struct Names {
    values: EntityMap<Value, Ident>,
    slots: EntityMap<Slot, Ident>,
    tapes: EntityMap<Tape, Ident>,
    witnesses: HashMap<Witness, Ident>,
    /// What names begin with, for each hint.
    bases: HashMap<String, String>,
    taken: Taken,
}

/// The names that are in use.
#[derive(Default)]
struct Taken {
    names: HashSet<String>,
    /// For a base a number below which all of its names are in use; zero is the base itself.
    used: HashMap<String, usize>,
    /// Names that came and went since blocks were entered, with whether they came.
    changes: Vec<(String, bool)>,
}

impl Taken {
    fn insert(&mut self, name: &str) -> bool {
        let is_new = self.names.insert(name.to_owned());
        if is_new {
            self.changes.push((name.to_owned(), true));
        }
        is_new
    }

    fn remove(&mut self, name: &str) {
        if self.names.remove(name) {
            self.changes.push((name.to_owned(), false));
            self.free(name);
        }
    }

    /// A name may be found again by the bases that it can be made of.
    fn free(&mut self, name: &str) {
        self.used.remove(name);
        if let Some((base, number)) = name.rsplit_once('_')
            && let (Some(used), Ok(number)) = (self.used.get_mut(base), number.parse::<usize>())
        {
            *used = number.min(*used);
        }
    }

    /// The first of a base's names that is not in use.
    fn first(&mut self, base: &str) -> String {
        let mut number = self.used.get(base).copied().unwrap_or(0);
        loop {
            let name = if number == 0 { base.to_owned() } else { format!("{base}_{number}") };
            number += 1;
            if !self.names.contains(&name) && crate::binding::take(&name) {
                self.insert(&name);
                self.used.insert(base.to_owned(), number);
                return name;
            }
        }
    }

    fn undo(&mut self, changes: usize) {
        while self.changes.len() > changes {
            match self.changes.pop() {
                Some((name, true)) => {
                    self.names.remove(&name);
                    self.free(&name);
                }
                Some((name, false)) => drop(self.names.insert(name)),
                None => {}
            }
        }
    }
}

impl Names {
    pub fn new() -> Self {
        Names {
            values: EntityMap::default(),
            slots: EntityMap::default(),
            tapes: EntityMap::default(),
            witnesses: HashMap::default(),
            bases: HashMap::default(),
            taken: Taken::default(),
        }
    }

    /// A fresh identifier, which the user's tokens cannot mean, nor can it mean an item of the user's.
    fn fresh(&mut self, hint: &str, span: Span) -> Ident {
        let base = self.bases.entry(hint.to_owned()).or_insert_with(|| base(hint));
        let name = self.taken.first(base);
        Ident::new(&name, Span::mixed_site().located_at(span))
    }

    /// Enters a block: what is named in it is forgotten by [`close`](Self::close).
    pub fn open(&self) -> usize {
        self.taken.changes.len()
    }

    /// Leaves a block: names that only it used can be given again.
    pub fn close(&mut self, opened: usize) {
        self.taken.undo(opened);
    }

    /// Gives a value the identifier of another.
    pub fn alias(&mut self, value: Value, ident: Ident) {
        self.taken.insert(&ident.to_string());
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

    /// The name of a value or a place that is bound once more, outside of the block that gave it its name.
    pub fn again(&mut self, function: &Function, value: Value) -> Ident {
        let slot = function.slot_of(value);
        let known = match &slot {
            Some(slot) => self.slots.get(slot),
            None => self.values.get(&value),
        };
        if let Some(ident) = known.map(Ident::to_string)
            && !self.taken.insert(&ident)
        {
            slot.map_or_else(|| self.values.remove(&value), |slot| self.slots.remove(&slot));
        }
        self.value(function, value)
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

    /// What knows the type of a value of this name.
    pub fn witness(&mut self, witness: Witness, name: &str) -> Ident {
        if let Some(ident) = self.witnesses.get(&witness) {
            return ident.clone();
        }
        let ident = self.fresh(&format!("{name}_type"), Span::call_site());
        self.witnesses.insert(witness, ident.clone());
        ident
    }

    /// A variable that holds several values.
    pub fn holder(&mut self, name: &str) -> Ident {
        self.fresh(name, Span::call_site())
    }

    /// Two slots behind one name: a pullback takes a reference under the name that it had before.
    pub fn alias_slot(&mut self, slot: Slot, ident: Ident) {
        self.taken.insert(&ident.to_string());
        self.slots.insert(slot, ident);
    }
}

/// What a name of this hint begins with: an identifier that is no keyword.
fn base(hint: &str) -> String {
    let bare = hint.trim_start_matches("r#");
    let base = if is_identifier(bare) { bare.to_owned() } else { format!("{bare}_value") };
    if is_identifier(&base) { base } else { "value".to_owned() }
}
