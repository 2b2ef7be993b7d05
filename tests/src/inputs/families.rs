//! Inputs that grow in one way: one construct in a row, or in itself.

use super::case::{Case, Entry};

/// One way to grow. In the text, `@` is where the parts are.
pub struct Family {
    /// What grows.
    pub name: &'static str,
    /// The function around it.
    around: &'static str,
    /// One part. In it, `@` is the next part, which stands behind this one where there is none; `%` is the part's number.
    part: &'static str,
    /// What is in the last part.
    last: &'static str,
}

impl Family {
    /// The member with so many parts.
    #[must_use]
    pub fn case(&self, count: usize) -> Case {
        let part = |number: usize| self.part.replace('%', &number.to_string());
        let inner = match self.part.split_once('@') {
            None => (0..count).map(part).collect::<String>() + self.last,
            Some(_) => {
                let parts: Vec<String> = (0..count).map(part).collect();
                let halves = || parts.iter().filter_map(|part| part.split_once('@'));
                let mut text: String = halves().map(|(before, _)| before).collect();
                text.push_str(self.last);
                text.extend(halves().rev().map(|(_, after)| after));
                text
            }
        };
        Case::new(Entry::Differentiate, "", &self.around.replace('@', &inner))
    }
}

const SCALAR: &str = "fn f(x: f64, n: usize) -> f64 { let mut y = x; @ y }";
const VALUE: &str = "fn f(x: f64, n: usize) -> f64 { @ }";
const SLICE: &str = "fn f(x: &mut [f64], n: usize) -> f64 { let mut y = x[0]; @ y }";
const OPTION: &str = "fn f(x: f64, o: Option<f64>) -> Option<f64> { let mut y = x; @ Some(y) }";
const RESULT: &str = "fn f(x: f64) -> Result<f64, E> { let mut y = x; @ Ok(y) }";
const METHODS: &str = "fn f(x: f64) -> f64 { x @ }";
const ADAPTORS: &str = "fn f(x: f64, w: &[f64]) -> f64 { w.iter().copied() @.sum::<f64>() }";
const PARAMETERS: &str = "fn f(@ x: f64) -> f64 { x * x }";
const TYPE: &str = "fn f(x: f64, y: @) -> f64 { x * x }";
const ITEM: &str = "@";

macro_rules! families {
    ($($name:literal: $around:ident, $part:literal, $last:literal;)*) => {
        /// All families.
        pub const ALL: &[Family] = &[$(Family { name: $name, around: $around, part: $part, last: $last }),*];
    };
}

families! {
    "statements": SCALAR, "y = y.sin() * x; ", "";
    "variables": SCALAR, "let v% = y * x; y += v%; ", "";
    "shadowing": SCALAR, "let x = x * y; ", "";
    "conditions in a row": SCALAR, "if y > %.0 { y = y * x; } ", "";
    "conditions that leave": SCALAR, "if y > %.0 { return y * x; } ", "";
    "conditions that leave within others": SCALAR, "if x > %.0 { y *= x; if n > % { y += x; if x > y { return y; } } y = y.sin(); } ", "";
    "conditions with two ways": SCALAR, "if y > %.0 { y *= x; } else { y += x; } ", "";
    "conditions in one another": SCALAR, "if y > %.0 { y *= x; @ y += x; } ", "";
    "conditions in one another, two ways": SCALAR, "if y > %.0 { y *= x; } else { y += x; @ } ", "";
    "else if": VALUE, "if x > %.0 { x * %.0 } else @", "{ x }";
    "loops in a row": SCALAR, "for i in 0..n { y = y * x; } ", "";
    "loops over a slice in a row": SLICE, "for i in 0..n { x[i] = x[i] * y; } ", "";
    "loops in one another": SCALAR, "for i% in 0..n { y = y.sin() * x; @ } ", "";
    "loops that leave": SCALAR, "for i in 0..n { if y > %.0 { break; } y *= x; } ", "";
    "loops that leave the function": SCALAR, "for i in 0..n { if y > %.0 { return y; } y *= x; } ", "";
    "while": SCALAR, "while y < %.0 { y = y * x; } ", "";
    "blocks": VALUE, "{ @ }", "x * x";
    "parentheses": VALUE, "(@)", "x * x";
    "sums": VALUE, "x + ", "x";
    "products": VALUE, "x * ", "x";
    "sums in parentheses": VALUE, "(x + @)", "x";
    "minus": VALUE, "-@", "x";
    "not": VALUE, "!@", "true";
    "references": VALUE, "&@", "x";
    "dereferences": VALUE, "*@", "x";
    "methods in a row": METHODS, ".sin()", "";
    "calls in one another": VALUE, "g(@)", "x";
    "casts": VALUE, "x as f64 + ", "x";
    "closures in one another": VALUE, "(|| @)()", "x * x";
    "closures in a row": SCALAR, "let g% = |v: f64| v * y * x; y = g%(y); ", "";
    "closures in closures": SCALAR, "let g% = |v: f64| { @ v * x }; y = g%(y); ", "";
    "closures that call the one before twice": SCALAR, "let g = |v: f64| g(v) * g(v + x); ", "y = g(y); ";
    "matches in a row": OPTION, "match o { Some(v) if v > %.0 => y += v, Some(v) => y *= v, None => y -= x } ", "";
    "matches in one another": OPTION, "match o { Some(v) => { y *= v; @ } None => y -= x } ", "";
    "question marks": OPTION, "y += o?; ", "";
    "errors": RESULT, "y = g(y, x)? * h(y)?; ", "";
    "let else": OPTION, "let Some(v%) = o else { return None; }; y *= v%; ", "";
    "if let": OPTION, "if let Some(v) = o { y *= v; } ", "";
    "tuples in one another": VALUE, "(x, @).0", "x";
    "arrays in one another": VALUE, "[@]", "x";
    "elements": SLICE, "x[%] = x[%] * y; y += x[%]; ", "";
    "swaps": SLICE, "x.swap(0, %); y += x[0]; ", "";
    "slices of slices": SLICE, "let x = &mut x[1..]; x[0] *= y; ", "";
    "chains": SLICE, "y += x.iter().map(|v| v * y).sum::<f64>(); ", "";
    "adaptors": ADAPTORS, ".map(|v| v * x)", "";
    "patterns": SCALAR, "let (a%, (b%, c%)) = (y, (x, y * x)); y = a% + b% * c%; ", "";
    "calls": SCALAR, "y = g(y, x); ", "";
    "calls by a reference": SCALAR, "g(&mut y, x); ", "";
    "copies": SCALAR, "let t = y; y = t * t; ", "";
    "parameters": PARAMETERS, "x%: f64, ", "";
    "labelled blocks": SCALAR, "'l%: { if y > %.0 { break 'l%; } y *= x; @ } ", "";
    "macros": SCALAR, "assert!(y > %.0); y *= x; ", "";
    "unsafe": VALUE, "unsafe { @ }", "x * x";
    "attributes": ITEM, "#[inline] ", "fn f(x: f64) -> f64 { x }";
    "types": TYPE, "Option<@>", "f64";
    "arrays as types": TYPE, "[@; 2]", "f64";
    "references as types": TYPE, "&@", "f64";
}
