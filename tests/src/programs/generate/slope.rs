//! Values with infinite or undefined slopes that the taken path does not use: they contribute nothing.
//!
//! `z` is zero wherever the program is tested, so that differences are those of the path that is taken.

use super::Generator;
use super::sketch::Draft;

/// Zeros that depend on `x`.
const ZEROS: &[&str] = &[
    "#x - #x",
    "#x * 0.0 + 0.0",
    "(#x * #y).max(0.0).min(0.0) + 0.0",
    "0.0 * (#x + #y) + 0.0",
    "(#x - #x) * #y.sin() + 0.0",
    "[#x, #y].iter().map(|#v| #v * 0.0).sum::<f64>() + 0.0",
];

/// The value at which a function is singular.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Zero,
    Infinite,
    Negative,
    Undefined,
}

const SINGULAR: &[(&str, Class)] = &[
    ("#z.sqrt()", Class::Zero),
    ("f64::sqrt(#z)", Class::Zero),
    ("#z.abs().sqrt()", Class::Zero),
    ("#z.cbrt()", Class::Zero),
    ("#z.powf(0.5)", Class::Zero),
    ("(1.0 + #z).acos()", Class::Zero),
    ("(1.0 + #z).acosh()", Class::Zero),
    ("#z.hypot(#z)", Class::Zero),
    ("#z.atan2(#z)", Class::Zero),
    ("(#z * #z + #z).sqrt() * #y", Class::Zero),
    ("1.0 / #z", Class::Infinite),
    ("#z.recip()", Class::Infinite),
    ("#z.powi(-2)", Class::Infinite),
    ("1e308 * (10.0 + #z)", Class::Infinite),
    ("(800.0 + #z).exp()", Class::Infinite),
    ("#z.ln()", Class::Negative),
    ("#z.log2()", Class::Negative),
    ("-1.0 / #z", Class::Negative),
    ("#z / #z", Class::Undefined),
    ("(#z - 1.0).sqrt()", Class::Undefined),
    ("(#z - 1.0).ln()", Class::Undefined),
    ("f64::NAN * #x", Class::Undefined),
    ("(1.0 / #z) * #z", Class::Undefined),
];

/// Values whose slope is infinite or undefined by an operand of a product.
const PRODUCTS: &[&str] = &["f64::NAN * #x", "(1.0 / #z) * #z"];

/// The feature of those.
const PRODUCT: &str = "slope: product with an infinite operand";

/// How a program goes around the value. `good` is false of each of them.
const GUARDS: &[(&str, &[&str], &str)] = &[
    ("slope: unused arm of if", &[], "if #good(#r) { #r } else { #y }"),
    (
        "slope: unused arm of if",
        &["let #s = #r * #x;"],
        "if #good(#r) { #s * #s } else { #y * #x }",
    ),
    ("slope: unused arm of match", &[], "match #r { #k if #good(#k) => #k * #x, _ => #y.sin() }"),
    (
        "slope: unused arm of match",
        &[],
        "match (#good(#r), #r) { (true, #k) => #k, (false, _) => #y }",
    ),
    ("slope: early exit", &[], "'#l: { if !#good(#r) { break '#l #y * #x; } #r * #r }"),
    ("slope: overwritten", &["let mut #m = #r;", "if !#good(#m) { #m = #y * #x; }"], "#m"),
    (
        "slope: overwritten",
        &["let mut #m = [#r, #y];", "if !#good(#m[0]) { #m[0] = #x; }"],
        "#m[0] * #m[1]",
    ),
    ("slope: discarded", &["let (_, #m) = (#r, #y * #x);"], "#m"),
    ("slope: discarded", &["let #m = [#r, #y];"], "#m[1] * #x"),
    ("slope: discarded", &["let #m = (#r, (#y, #x));"], "#m.1.0 * #m.1.1"),
    (
        "slope: continue",
        &[
            "let mut #m = 0.0;",
            "for #k in 0..3 { let #q = if #k == 1 { #y } else { #r }; if #k != 1 { #m += #x; continue; } #m += #q * #q; }",
        ],
        "#m",
    ),
    (
        "slope: continue",
        &[
            "let mut #m = 0.0;",
            "for #q in [#y, #r, #x] { if !(#q.is_finite() && #q != 0.0) { continue; } #m += #q * #q; }",
        ],
        "#m",
    ),
    (
        "slope: continue",
        &[
            "let mut #m = 0.0;",
            "let mut #k = 0;",
            "while #k < 3 { #k += 1; if !#good(#r) { #m += #y; continue; } #m += #r; }",
        ],
        "#m",
    ),
    (
        "slope: filter",
        &[],
        "[#y, #r, #x].iter().filter(|#q| #q.is_finite() && **#q != 0.0).map(|#q| #q * #q).sum::<f64>()",
    ),
    (
        "slope: filter",
        &[],
        "(0..3).map(|#k| if #k == 1 { #r } else { #y }).filter(|#q| #q.is_finite() && *#q != 0.0).map(|#q| #q * #x).sum::<f64>()",
    ),
    ("slope: option", &[], "Some(#r).filter(|#q| #good(*#q)).unwrap_or(#y * #x)"),
    (
        "slope: option",
        &["let #m = if #good(#r) { Some(#r) } else { None };"],
        "match #m { Some(#q) => #q, None => #y }",
    ),
    (
        "slope: option",
        &["let #m = if #good(#r) { Some(#r) } else { None };"],
        "if let Some(#q) = #m { #q * #x } else { #y * #x }",
    ),
    ("slope: function", &[], "#guard(#r, #y) * #x"),
    ("slope: closure", &["let #c = |#q: f64| if #good(#q) { #q * #x } else { #y };"], "#c(#r)"),
    (
        "slope: loop ends before",
        &["let mut #m = #y;", "loop { if !#good(#r) { break; } #m *= #r; }"],
        "#m * #x",
    ),
];

/// Expressions that choose another operand, for each class.
const CHOICES: &[(&str, Class, &str)] = &[
    ("slope: max", Class::Zero, "#r.max(1.5 + #y * #y)"),
    ("slope: max", Class::Zero, "(1.5 + #y * #y).max(#r)"),
    ("slope: max", Class::Negative, "#r.max(#y)"),
    ("slope: max", Class::Negative, "f64::max(#y, #r) * #x"),
    ("slope: min", Class::Infinite, "#r.min(#y)"),
    ("slope: min", Class::Infinite, "#y.min(#r) * #x"),
    ("slope: min", Class::Zero, "#r.min(-1.5 - #y * #y)"),
    ("slope: clamp", Class::Infinite, "#r.clamp(-1.0, 2.0) * #y"),
    ("slope: clamp", Class::Negative, "#r.clamp(-1.0, 2.0) * #y"),
    ("slope: clamp", Class::Zero, "#r.clamp(0.25, 2.0) * #y"),
    ("slope: max", Class::Undefined, "#r.max(#y)"),
    ("slope: min", Class::Undefined, "#y.min(#r)"),
    ("slope: fold of max", Class::Negative, "[#y, #r, #x].iter().fold(#x, |#m, #q| #m.max(*#q))"),
    (
        "slope: fold of max",
        Class::Infinite,
        "[#y, #r, #x].iter().copied().fold(f64::INFINITY, f64::min)",
    ),
];

impl Generator {
    pub(super) fn slope(&mut self, draft: &mut Draft) {
        let has_products = self.features.contains(&PRODUCT);
        let singular = SINGULAR.iter().filter(|(text, _)| has_products || !PRODUCTS.contains(text));
        let (singular, class) = self.random.pick(&singular.copied().collect::<Vec<_>>());
        draft.features.extend(PRODUCTS.contains(&singular).then_some(PRODUCT));
        draft.push(format!("let #z = {};", self.random.pick(ZEROS)));
        draft.push(format!("let #r = {singular};"));
        let choices: Vec<(&'static str, &str)> = CHOICES
            .iter()
            .filter(|(_, of, _)| *of == class)
            .map(|(name, _, text)| (*name, *text))
            .collect();
        if self.random.chance(0.4)
            && let Some((feature, text)) = self.allowed(&choices)
        {
            draft.features.push(feature);
            draft.value = text.into();
            return;
        }
        let guards: Vec<_> =
            GUARDS.iter().map(|(name, lines, text)| (*name, (*lines, *text))).collect();
        let Some((feature, (lines, value))) = self.allowed(&guards) else {
            draft.value = "#y".into();
            return;
        };
        draft.features.push(feature);
        let good = |text: &str| {
            let mut text = text.to_string();
            while let Some(at) = text.find("#good(") {
                let from = at + "#good(".len();
                let to = from + text[from..].find(')').expect("a guard is closed");
                text = format!(
                    "{}({} > 1e-9 && {} < 1e9){}",
                    &text[..at],
                    &text[from..to],
                    &text[from..to],
                    &text[to + 1..]
                );
            }
            text
        };
        if value.contains("#guard") {
            draft.item(good("#[differentiate]\nfn #guard(#a: f64, #b: f64) -> f64 { if #good(#a) { #a * #b } else { #b } }"));
        }
        lines.iter().for_each(|line| draft.push(good(line)));
        draft.value = good(value);
    }
}
