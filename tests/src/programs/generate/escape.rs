//! Effects and escapes: a value leaves by a call that has no derivative, and comes back.
//!
//! A compile error is the expected answer. What compiles must be right, and the differences see the effect.

use super::Generator;
use super::sketch::Draft;

/// Where a value waits: items, statements, an expression that is true and puts `{v}` there, and one that gets it.
type Medium =
    (&'static str, &'static [&'static str], &'static [&'static str], &'static str, &'static str);

pub(super) const LOCAL: &str =
    "thread_local!(static #LAST: std::cell::Cell<f64> = const { std::cell::Cell::new(0.0) });";
pub(super) const LAST: &str = "fn #last() -> f64 { #LAST.with(std::cell::Cell::get) }";

#[rustfmt::skip]
const MEDIA: &[Medium] = &[
    ("escape: thread local", &[LOCAL, LAST, "fn #note(#v: f64) -> bool { #LAST.set(#v); true }"], &[], "#note({v})", "#last()"),
    ("escape: thread local", &[LOCAL, LAST, "fn #NOTE(#v: &f64) -> bool { #LAST.set(*#v); true }"], &[], "#NOTE(&({v}))", "#last()"),
    ("escape: thread local", &[LOCAL, LAST, "fn #note<T: Into<f64>>(#v: T) -> bool { #LAST.set(#v.into()); true }"], &[], "#note({v})", "#last()"),
    ("escape: thread local", &[LOCAL, LAST, "fn #note(#v: &[f64]) -> bool { #LAST.set(#v[0]); true }"], &[], "#note(&[{v}, 0.5])", "#last()"),
    ("escape: thread local", &[LOCAL], &[], "#LAST.with(|#c| { #c.set({v}); true })", "#LAST.get()"),
    ("escape: static", &["static #S: std::sync::Mutex<f64> = std::sync::Mutex::new(0.0);", "fn #note(#v: f64) -> bool { *#S.lock().unwrap() = #v; true }", "fn #last() -> f64 { *#S.lock().unwrap() }"], &[], "#note({v})", "#last()"),
    ("escape: static", &["static #S: std::sync::RwLock<f64> = std::sync::RwLock::new(0.0);"], &[], "{ *#S.write().unwrap() = {v}; true }", "*#S.read().unwrap()"),
    ("escape: atomic", &["static #A: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);", "fn #note(#v: f64) -> bool { #A.store(#v.to_bits(), std::sync::atomic::Ordering::SeqCst); true }", "fn #last() -> f64 { f64::from_bits(#A.load(std::sync::atomic::Ordering::SeqCst)) }"], &[], "#note({v})", "#last()"),
    ("escape: channel", &[], &["let (#tx, #rx) = std::sync::mpsc::channel::<f64>();"], "#tx.send({v}).is_ok()", "#rx.try_iter().last().unwrap()"),
    ("escape: channel", &[], &["let (#tx, #rx) = std::sync::mpsc::channel();"], "#tx.send({v}).is_ok()", "#rx.recv().unwrap()"),
    ("escape: own log", &["pub struct #Log(std::cell::RefCell<Vec<f64>>);", "impl #Log { fn #new() -> #Log { #Log(std::cell::RefCell::new(Vec::new())) } fn #put(&self, #v: f64) -> bool { self.0.borrow_mut().push(#v); true } fn #last(&self) -> f64 { *self.0.borrow().last().unwrap() } }"], &["let #log = #Log::#new();"], "#log.#put({v})", "#log.#last()"),
    ("escape: own log", &["pub struct #Log(std::cell::Cell<f64>);", "impl #Log { fn set(&self, #v: f64) -> bool { self.0.set(#v); true } fn get(&self) -> f64 { self.0.get() } }"], &["let #log = #Log(std::cell::Cell::new(0.0));"], "#log.set({v})", "#log.get()"),
    ("escape: own log", &["pub struct #Log { #f: f64 }", "impl #Log { fn push(&mut self, #v: f64) -> bool { self.#f = #v; true } fn last(&self) -> f64 { self.#f } }"], &["let mut #log = #Log { #f: 0.0 };"], "#log.push({v})", "#log.last()"),
    ("escape: own log", &["#[derive(Default)]\npub struct #Log { #f: f64 }", "fn #put(#l: &mut #Log, #v: f64) -> bool { #l.#f = #v; true }"], &["let mut #log = #Log::default();"], "#put(&mut #log, {v})", "#log.#f"),
    ("escape: method of a trait", &[LOCAL, LAST, "pub trait #Tr { fn #note(&self) -> bool; }", "impl #Tr for f64 { fn #note(&self) -> bool { #LAST.set(*self); true } }"], &[], "({v}).#note()", "#last()"),
    ("escape: method of a trait", &[LOCAL, LAST, "pub trait #Tr { fn max(self) -> bool; }", "impl #Tr for (f64, i32) { fn max(self) -> bool { #LAST.set(self.0); true } }"], &[], "({v}, 1).max()", "#last()"),
    ("escape: own operator", &[LOCAL, LAST, "pub struct #M;", "impl PartialEq<f64> for #M { fn eq(&self, #v: &f64) -> bool { #LAST.set(*#v); true } }"], &["let #m = #M;"], "(#m == {v})", "#last()"),
    ("escape: own operator", &[LOCAL, LAST, "pub struct #M;", "impl PartialEq<f64> for #M { fn eq(&self, #v: &f64) -> bool { #LAST.set(*#v); true } }", "impl PartialOrd<f64> for #M { fn partial_cmp(&self, #v: &f64) -> Option<std::cmp::Ordering> { #LAST.set(*#v); Some(std::cmp::Ordering::Less) } }"], &["let #m = #M;"], "(#m < {v})", "#last()"),
    ("escape: own operator", &[LOCAL, LAST, "pub struct #M;", "impl std::ops::Add<f64> for &#M { type Output = i32; fn add(self, #v: f64) -> i32 { #LAST.set(#v); 1 } }"], &["let #m = #M;"], "(&#m + {v} == 1)", "#last()"),
    ("escape: own operator", &[LOCAL, LAST, "#[derive(Clone, Copy, PartialEq, Debug)]\npub struct #M(f64);", "impl std::ops::Not for #M { type Output = bool; fn not(self) -> bool { #LAST.set(self.0); true } }"], &[], "(!#M({v}))", "#last()"),
    ("escape: drop", &[LOCAL, LAST, "pub struct #G(f64);", "impl Drop for #G { fn drop(&mut self) { #LAST.set(self.0); } }"], &[], "{ let _g = #G({v}); true }", "#last()"),
    ("escape: drop", &[LOCAL, LAST, "pub struct #G(f64);", "impl Drop for #G { fn drop(&mut self) { #LAST.set(self.0); } }"], &[], "{ drop(#G({v})); true }", "#last()"),
    ("escape: drop", &[LOCAL, LAST, "pub struct #G(f64);", "impl Drop for #G { fn drop(&mut self) { #LAST.set(self.0); } }"], &[], "{ let _ = Some(#G({v})); true }", "#last()"),
    ("escape: cell", &[], &["let #c = std::cell::Cell::new(0.0);"], "{ #c.set({v}); true }", "#c.get()"),
    ("escape: cell", &[], &["let #c = std::cell::Cell::new(0.0);"], "{ #c.swap(&std::cell::Cell::new({v})); true }", "#c.get()"),
    ("escape: cell", &[], &["let #c = std::cell::Cell::new(0.0);"], "(#c.replace({v}) < 1e9)", "#c.get()"),
    ("escape: cell", &[], &["let #c = std::rc::Rc::new(std::cell::Cell::new(0.0));", "let #d = #c.clone();"], "{ #d.set({v}); true }", "#c.get()"),
    ("escape: cell", &[], &["let #c = std::cell::RefCell::new(vec![0.0]);"], "{ #c.borrow_mut().push({v}); true }", "*#c.borrow().last().unwrap()"),
    ("escape: cell", &[], &["let #c = std::cell::RefCell::new((0.0, 1.0));"], "{ #c.borrow_mut().0 = {v}; true }", "#c.borrow().0"),
    ("escape: cell", &[], &["let #c = std::cell::OnceCell::new();"], "#c.set({v}).is_ok()", "*#c.get().unwrap()"),
    ("escape: cell", &[], &["let #c = std::cell::Cell::new(0.0);", "let #d = &#c;", "let #t = (#d, 1);"], "{ #t.0.set({v}); true }", "#c.get()"),
    ("escape: collection", &[], &["let mut #h = std::collections::BTreeMap::new();"], "#h.insert(1, {v}).is_none()", "#h[&1]"),
    ("escape: collection", &[], &["let mut #h = std::collections::HashMap::new();"], "{ #h.insert(\"a\", {v}); true }", "*#h.get(\"a\").unwrap()"),
    ("escape: collection", &[], &["let mut #h = std::collections::VecDeque::new();"], "{ #h.push_back({v}); true }", "#h.pop_front().unwrap()"),
    ("escape: text", &[], &["let mut #t = String::new();"], "{ #t = format!(\"{:?}\", {v}); true }", "#t.parse::<f64>().unwrap()"),
    ("escape: text", &[], &["let mut #t = String::new();"], "{ #t = ({v}).to_string(); true }", "#t.parse::<f64>().unwrap()"),
    ("escape: text", &[], &["use std::fmt::Write as _;", "let mut #t = String::new();"], "write!(#t, \"{}\", {v}).is_ok()", "#t.parse::<f64>().unwrap()"),
    ("escape: bits", &[], &["let mut #t = 0;"], "{ #t = ({v}).to_bits(); true }", "f64::from_bits(#t)"),
    ("escape: bits", &[], &["let mut #t = [0; 8];"], "{ #t = ({v}).to_le_bytes(); true }", "f64::from_le_bytes(#t)"),
    ("escape: bits", &[], &["let mut #t = 0;"], "{ #t = f64::to_bits({v}); true }", "f64::from_bits(#t)"),
    ("escape: captured by a closure", &[], &["let mut #m = 0.0;", "let mut #g = |#v: f64| { #m = #v; true };"], "#g({v})", "#m"),
    ("escape: captured by a closure", &[LOCAL, LAST, "fn #note(#v: f64) -> bool { #LAST.set(#v); true }"], &["let #g = |#v: f64| #note(#v);"], "#g({v})", "#last()"),
    ("escape: captured by a closure", &[LOCAL, LAST], &["let #g = |#v: f64| { #LAST.set(#v); true };"], "#g({v})", "#last()"),
    ("escape: function pointer", &[LOCAL, LAST, "fn #note(#v: f64) -> bool { #LAST.set(#v); true }"], &["let #g: fn(f64) -> bool = #note;"], "#g({v})", "#last()"),
    ("escape: function pointer", &[LOCAL, LAST, "fn #note(#v: f64) -> bool { #LAST.set(#v); true }", "static #T: [fn(f64) -> bool; 1] = [#note];"], &[], "(#T[0])({v})", "#last()"),
    ("escape: dyn", &[LOCAL, LAST, "fn #note(#v: f64) -> bool { #LAST.set(#v); true }"], &["let #g: Box<dyn Fn(f64) -> bool> = Box::new(#note);"], "#g({v})", "#last()"),
    ("escape: thread", &[], &["let mut #t = 0.0;"], "{ let #v = {v}; #t = std::thread::spawn(move || #v).join().unwrap(); true }", "#t"),
    ("escape: thread", &[], &["let mut #t = 0.0;"], "{ let #v = {v}; std::thread::scope(|#s| { #s.spawn(|| #t = #v); }); true }", "#t"),
];

/// Where the call stands.
#[rustfmt::skip]
pub(super) const POSITIONS: &[(&str, &[&str])] = &[
    ("escape in a statement", &["{n};"]),
    ("escape in a statement", &["let _ = {n};"]),
    ("escape in a statement", &["let _unused = {n};"]),
    ("escape in a statement", &["_ = {n};"]),
    ("escape in a statement", &["let #b = {n};"]),
    ("escape in a statement", &["drop({n});"]),
    ("escape in a condition", &["if {n} {}"]),
    ("escape in a condition", &["if !{n} { panic!(); }"]),
    ("escape in a condition", &["let _ = #x > 1e9 || {n};"]),
    ("escape in a condition", &["let _ = #x < 1e9 && {n};"]),
    ("escape in a condition", &["while !{n} {}"]),
    ("escape in a condition", &["loop { if {n} { break; } }"]),
    ("escape in a condition", &["let mut #k = 0;", "while {n} && #k < 1 { #k += 1; }"]),
    ("escape in a scrutinee", &["match {n} { true => {} false => {} }"]),
    ("escape in a scrutinee", &["match (1, {n}) { (1, true) => {} _ => {} }"]),
    ("escape in a scrutinee", &["let true = ({n}) else { panic!() };"]),
    ("escape in a scrutinee", &["if let true = {n} {}"]),
    ("escape in a guard", &["match 1 { 2 => {} _ if {n} => {} _ => {} }"]),
    ("escape in a macro", &["assert!({n});"]),
    ("escape in a macro", &["debug_assert!({n});"]),
    ("escape in a macro", &["assert_eq!({n}, true);"]),
    ("escape in a macro", &["assert!({n}, \"no\");"]),
    ("escape in a macro", &["assert!(#x < 1e9, \"{}\", {n});", "let _ = {n};"]),
    ("escape in a macro", &["let _ = format!(\"{}\", {n});"]),
    ("escape in a macro", &["let _ = matches!({n}, true);"]),
    ("escape in a macro", &["let _ = vec![{n}];"]),
    ("escape in a range", &["for _ in 0..usize::from({n}) {}"]),
    ("escape in a range", &["for _ in usize::from({n})..3 {}"]),
    ("escape in an index", &["let _ = [0, 1][usize::from({n})];"]),
    ("escape in an argument", &["let _ = usize::from({n}).max(1);"]),
    ("escape in an argument", &["let _ = std::hint::black_box({n});"]),
    ("escape in an argument", &["let #k = usize::from({n});", "let _ = spread(&[#y], #k);"]),
    ("escape in data", &["let #p = ({n}, #y);"]),
    ("escape in data", &["let #p = [{n}; 2];"]),
    ("escape in data", &["let #p = Some({n});"]),
    ("escape in a closure", &["let mut #run = || {n};", "#run();"]),
    ("escape in a closure", &["let _ = [1, 2].iter().any(|_| {n});"]),
    ("escape in a closure", &["let _ = (0..2).filter(|_| {n}).count();"]),
    ("escape in a closure", &["(0..1).for_each(|_| { {n}; });"]),
    ("escape in a closure", &["let _ = Some(1).map(|_| {n});"]),
    ("escape in a closure", &["let _ = Some(1).is_some_and(|_| {n});"]),
    ("escape in a closure", &["let _ = true.then(|| {n});"]),
    ("escape in a comparator", &["let mut #p = [3, 1];", "#p.sort_by(|#i, #j| { {n}; #i.cmp(#j) });"]),
    ("escape in a comparator", &["let mut #p = [#x, #y];", "#p.sort_by(|#i, #j| { {n}; #i.partial_cmp(#j).unwrap() });"]),
    ("escape in a comparator", &["let _ = [3, 1].iter().max_by_key(|#i| (**#i, {n}));"]),
    ("escape in a comparator", &["let _ = [1, 2, 3].partition_point(|#i| {n} && *#i < 2);"]),
];

/// The value that escapes: statements before it, and its expression.
pub(super) const VALUES: &[(&[&str], &str)] = &[
    (&[], "#x"),
    (&[], "#x * #y"),
    (&["let #u = #x * #x;"], "#u"),
    (&["let #u = (#x, #y);"], "#u.0"),
    (&["let #u = [#y, #x];"], "#u[1]"),
    (&["let #u = [#y, #x];"], "#u.iter().sum::<f64>()"),
    (&["let #u = Some(#x);"], "#u.unwrap()"),
    (&["let mut #u = #y;", "for _ in 0..2 { #u = #u * #x; }"], "#u"),
    (&["let #u = if #y > 0.0 { #x } else { 0.5 };"], "#u"),
];

impl Generator {
    pub(super) fn escape(&mut self, draft: &mut Draft) {
        draft.is_refusable = true;
        let media: Vec<_> = MEDIA.iter().map(|medium| (medium.0, *medium)).collect();
        let (medium, position) = (self.allowed(&media), self.allowed(POSITIONS));
        draft.value = "#x * #y".into();
        let (Some((medium, (_, items, statements, note, last))), Some((position, lines))) =
            (medium, position)
        else {
            return;
        };
        draft.features.extend([medium, position]);
        let (before, value) = self.random.pick(VALUES);
        draft.items.extend(items.iter().map(|item| item.to_string()));
        draft.statements.extend(statements.iter().chain(before).map(|line| line.to_string()));
        let note = note.replace("{v}", value);
        draft.statements.extend(lines.iter().map(|line| line.replace("{n}", &note)));
        draft.push(format!("let #z = {last};"));
        draft.value = self.random.pick(&["#z * #x", "#z * #y + #x", "#z.sin()"]).into();
    }
}
