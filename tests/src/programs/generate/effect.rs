//! Effects on constants: they have no derivative, and so run once, in order, in every mode.
//!
//! The value is read back between two effects, so that a derivative that runs or reads one again is wrong.

use super::Generator;
use super::escape::{LAST, LOCAL, POSITIONS, VALUES};
use super::sketch::Draft;

/// Items, statements, an expression that is true and has the effect, and one that reads what it left.
type Effect =
    (&'static str, &'static [&'static str], &'static [&'static str], &'static str, &'static str);

const COUNT: &str =
    "thread_local!(static #COUNT: std::cell::Cell<u32> = const { std::cell::Cell::new(0) });";
const BEGIN: &str = "fn #begin() { #COUNT.set(0); }";
const SEEN: &str = "fn #seen() -> u32 { #COUNT.get() }";
const TICK: &str = "fn #tick(#by: u32) -> u32 { #COUNT.set(#COUNT.get() + #by); #COUNT.get() }";
const NOTE: &str = "fn #note(#v: f64) -> bool { #LAST.set(#v); true }";
const STOPPED: &str = "if #last() > 0.2 { 1.0 } else { 0.5 }";

#[rustfmt::skip]
const EFFECTS: &[Effect] = &[
    ("effect: thread local", &[COUNT, BEGIN, SEEN, TICK], &["#begin();"], "#tick(2) > 0", "#seen() as f64"),
    ("effect: static", &["static #S: std::sync::Mutex<Vec<u32>> = std::sync::Mutex::new(Vec::new());", "fn #begin() { #S.lock().unwrap().clear(); }", "fn #put(#k: u32) -> bool { #S.lock().unwrap().push(#k); true }", "fn #seen() -> f64 { #S.lock().unwrap().iter().sum::<u32>() as f64 }"], &["#begin();"], "#put(3)", "#seen()"),
    ("effect: static", &["static #A: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);", "fn #begin() { #A.store(1, std::sync::atomic::Ordering::SeqCst); }", "fn #put(#k: usize) -> bool { #A.fetch_add(#k, std::sync::atomic::Ordering::SeqCst) < 99 }", "fn #seen() -> usize { #A.load(std::sync::atomic::Ordering::SeqCst) }"], &["#begin();"], "#put(2)", "#seen() as f64"),
    ("effect: channel", &["fn #drain(#r: &std::sync::mpsc::Receiver<u32>) -> u32 { #r.try_iter().sum() }"], &["let (#tx, #rx) = std::sync::mpsc::channel::<u32>();"], "#tx.send(4).is_ok()", "#drain(&#rx) as f64"),
    ("effect: cell behind a method", &["pub struct #Log(std::cell::RefCell<Vec<u32>>);", "impl #Log { fn #new() -> #Log { #Log(std::cell::RefCell::new(vec![1])) } fn #put(&self, #k: u32) -> bool { self.0.borrow_mut().push(#k); true } fn #sum(&self) -> u32 { self.0.borrow().iter().sum() } }"], &["let #log = #Log::#new();"], "#log.#put(5)", "#log.#sum() as f64"),
    ("effect: cell behind a method", &["pub struct #Log(std::cell::Cell<u32>);", "impl #Log { fn #new() -> #Log { #Log(std::cell::Cell::new(1)) } fn set(&self, #k: u32) -> bool { self.0.set(self.0.get() + #k); true } fn get(&self) -> u32 { self.0.get() } }"], &["let #log = #Log::#new();"], "#log.set(3)", "#log.get() as f64"),
    ("effect: cell behind a method", &["pub struct #Log { #f: u32 }", "impl #Log { fn push(&mut self, #k: u32) -> bool { self.#f += #k; true } fn len(&self) -> u32 { self.#f } }"], &["let mut #log = #Log { #f: 1 };"], "#log.push(2)", "#log.len() as f64"),
    ("effect: unused result", &[COUNT, BEGIN, SEEN, TICK], &["#begin();"], "{ #tick(1); true }", "#seen() as f64"),
    ("effect: unused result", &[COUNT, BEGIN, SEEN, TICK], &["#begin();"], "{ let _ = #tick(1); true }", "#seen() as f64"),
    ("effect: unused result", &[COUNT, BEGIN, SEEN, "fn #tock() -> f64 { #COUNT.set(#COUNT.get() + 1); 0.5 }"], &["#begin();"], "{ let _ = (#tock(), 1); true }", "#seen() as f64"),
    ("effect: stopped value", &[LOCAL, LAST, NOTE], &[], "#note(cotangent::stop_gradient({v}))", STOPPED),
    ("effect: zero adjoint", &[LOCAL, LAST, "#[cotangent::zero_adjoint]\nfn #note(#v: f64) -> bool { #LAST.set(#v); true }"], &[], "#note({v})", STOPPED),
];

impl Generator {
    pub(super) fn constant_effect(&mut self, draft: &mut Draft) {
        let effects: Vec<_> = EFFECTS.iter().map(|effect| (effect.0, *effect)).collect();
        let (effect, position) = (self.allowed(&effects), self.allowed(POSITIONS));
        draft.value = "#x * #y".into();
        let (Some((effect, (_, items, statements, does, read))), Some((position, lines))) =
            (effect, position)
        else {
            return;
        };
        draft.features.extend([effect, position]);
        // The result of a function with `#[zero_adjoint]` counts as active where no rule takes it.
        draft.is_refusable =
            position == "escape in a comparator" || effect == "effect: zero adjoint";
        let (before, value) = self.random.pick(VALUES);
        draft.items.extend(items.iter().map(|item| item.to_string()));
        draft.statements.extend(statements.iter().chain(before).map(|line| line.to_string()));
        let does = does.replace("{v}", value);
        draft.statements.extend(lines.iter().map(|line| line.replace("{n}", &does)));
        draft.push(format!("let #z: f64 = {read};"));
        draft.push(format!("let _ = {does};"));
        draft.value =
            self.random.pick(&["0.1 * #z * #x", "#z * #y + #x", "(#z * #x).sin()"]).into();
    }
}
