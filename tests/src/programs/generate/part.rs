//! Writes to parts of nested data: of tuples, structs, arrays, vectors, options and boxes within one another.
//!
//! A sketch makes a random value, changes parts of it in random ways, and reads all floats back.

use super::Generator;
use super::sketch::Draft;

/// The type of nested data.
#[derive(Clone, Debug, PartialEq)]
enum Data {
    Float,
    Tuple(Vec<Data>),
    /// A struct of the sketch's own, with its number.
    Struct(usize, Vec<Data>),
    Array(Box<Data>, usize),
    /// The length changes only where all of it is written.
    Vector(Box<Data>, usize),
    Maybe(Box<Data>),
    Boxed(Box<Data>),
}

/// A place: how it is written, and what is there.
#[derive(Clone, Debug)]
struct At {
    text: String,
    data: Data,
}

/// Changes of one float at `{p}` by `{e}`.
const FLOAT: &[(&str, &str)] = &[
    ("part: assigned", "{p} = {e};"),
    ("part: assigned", "{p} += {e};"),
    ("part: assigned", "{p} *= {e};"),
    ("part: by a reference", "{ let #r = &mut {p}; *#r += {e}; }"),
    ("part: by a reference", "let #r = &mut {p}; *#r *= {e}; *#r += {e};"),
    ("part: by `ref mut`", "{ let ref mut #r = {p}; *#r -= {e}; }"),
    ("part: by `ref mut`", "match {p} { ref mut #r => *#r *= {e} }"),
    ("part: by mem", "std::mem::swap(&mut {p}, &mut #own);"),
    ("part: by mem", "#own += std::mem::replace(&mut {p}, {e});"),
    ("part: by mem", "#own -= std::mem::take(&mut {p});"),
    ("part: by a function", "#own += bump(&mut {p}, {e});"),
    ("part: by a function", "exchange(&mut {p}, &mut #own);"),
    ("part: by a closure", "{ let mut #g = |#k: f64| {p} += #k * #k; #g({e}); #g(#y); }"),
    ("part: by a closure", "{ let mut #g = || { {p} *= {e}; {p} }; #own += #g(); }"),
    ("part: by a slice of one", "std::slice::from_mut(&mut {p})[0] += {e};"),
    ("part: by a condition", "if {p} > {e} { {p} = {e}; } else { {p} *= {e}; }"),
    (
        "part: by a loop",
        "for #k in 0..3 { {p} += {e} * #k as f64; if #k == 1 { continue; } {p} *= 0.5; }",
    ),
    ("part: by several references", "for #r in [&mut {p}, &mut #own] { *#r *= {e}; }"),
    ("part: by an option of a reference", "if let Some(#r) = Some(&mut {p}) { *#r += {e}; }"),
];

/// Changes of an array or a vector of floats.
const FLOATS: &[(&str, &str)] = &[
    ("part: elements", "for #r in {p}.iter_mut() { *#r *= {e}; }"),
    ("part: elements", "for #r in &mut {p} { *#r += {e}; }"),
    ("part: elements", "for (#k, #r) in {p}.iter_mut().enumerate() { *#r += {e} * #k as f64; }"),
    ("part: elements", "{p}.iter_mut().for_each(|#r| *#r = *#r * {e});"),
    ("part: elements", "for #k in 0..{p}.len() { {p}[#k] *= {e}; }"),
    ("part: slices", "{p}.swap(0, 1);"),
    ("part: slices", "{p}.fill({e});"),
    ("part: slices", "{p}[1..].fill({e});"),
    ("part: slices", "{p}.reverse();"),
    ("part: slices", "{p}[..2].copy_from_slice(&[{e}, #y]);"),
    ("part: slices", "{ let (#r, #s) = {p}.split_at_mut(1); #s[0] += #r[0] * {e}; #r[0] *= 0.5; }"),
    ("part: slices", "{ let #r = &mut {p}[..]; #r[1] += {e}; }"),
    ("part: slices", "scale(&mut {p}, {e});"),
    ("part: pattern of a slice", "if let [#r, .., #s] = &mut {p}[..] { *#r += {e}; *#s *= *#r; }"),
    ("part: pattern of a slice", "if let [ref mut #r, ..] = {p}[..] { *#r += {e}; }"),
    ("part: one of a slice", "if let Some(#r) = {p}.first_mut() { *#r *= {e}; }"),
    ("part: one of a slice", "if let Some(#r) = {p}.last_mut() { *#r += {e}; }"),
    ("part: one of a slice", "*{p}.get_mut(1).unwrap() *= {e};"),
    ("part: one of a slice", "*{p}.iter_mut().next().unwrap() += {e};"),
];

/// Changes of a vector of two floats or more, that leave as many.
const VECTOR: &[(&str, &str)] = &[
    ("part: vector", "{p}.push({e}); #own += {p}[2]; {p}.truncate(2);"),
    ("part: vector", "#own += {p}.pop().unwrap(); {p}.push({e});"),
    ("part: vector", "{p}.clear(); {p}.push({e}); {p}.push(#y);"),
    ("part: vector", "#own -= std::mem::take(&mut {p})[1]; {p} = vec![{e}, #x];"),
    ("part: vector", "{p} = std::mem::replace(&mut {p}, Vec::new()); {p}[0] *= {e};"),
    ("part: vector, rarely used methods", "{p}.insert(0, {e}); {p}.truncate(2);"),
    ("part: vector, rarely used methods", "#own += {p}.remove(0); {p}.push({e});"),
    ("part: vector, rarely used methods", "#own += {p}.swap_remove(0); {p}.push({e});"),
    (
        "part: vector, rarely used methods",
        "{p}.extend_from_slice(&[{e}, 0.5]); #own += {p}[3]; {p}.truncate(2);",
    ),
    ("part: vector, rarely used methods", "{p}.resize(3, {e}); #own *= {p}[2]; {p}.truncate(2);"),
    (
        "part: vector, rarely used methods",
        "{p}.extend([{e}, 0.5].iter()); #own += {p}[2]; {p}.truncate(2);",
    ),
    ("part: vector, rarely used methods", "#own += {p}.drain(..1).sum::<f64>(); {p}.push({e});"),
    (
        "part: vector, rarely used methods",
        "{p}.retain(|#k| *#k > 1e6); {p}.push({e}); {p}.push(#x);",
    ),
];

/// Changes of an option of a float.
const OPTION: &[(&str, &str)] = &[
    ("part: option", "if let Some(#r) = &mut {p} { *#r += {e}; }"),
    ("part: option", "if let Some(#r) = {p}.as_mut() { *#r *= {e}; }"),
    (
        "part: option",
        "match {p} { Some(ref mut #r) if *#r > {e} => *#r = {e}, Some(_) => {} None => {p} = Some({e}) }",
    ),
    ("part: option", "match &mut {p} { Some(#r) => *#r *= {e}, None => {} }"),
    ("part: option", "{ let Some(#r) = &mut {p} else { panic!() }; *#r += {e}; }"),
    ("part: option", "while let Some(#r) = &mut {p} { *#r += {e}; if *#r > -1e6 { break; } }"),
    ("part: option", "#own += {p}.take().unwrap(); {p} = Some({e});"),
    ("part: option", "{p} = {p}.map(|#k| #k * {e});"),
    ("part: option", "*{p}.as_mut().unwrap() += {e};"),
    ("part: option, rarely used methods", "#own += {p}.replace({e}).unwrap();"),
    ("part: option, rarely used methods", "*{p}.insert({e}) *= #x;"),
    ("part: option, rarely used methods", "*{p}.get_or_insert({e}) *= #x;"),
    ("part: option, rarely used methods", "for #r in &mut {p} { *#r += {e}; }"),
    ("part: option, rarely used methods", "for #r in {p}.iter_mut() { *#r *= {e}; }"),
];

/// Features of which a compile error is a fair answer.
const REFUSABLE: &[&str] = &[
    "part: vector, rarely used methods",
    "part: option, rarely used methods",
    "part: one of a slice",
    "part: by a slice of one",
    "part: by several references",
    "part: by an option of a reference",
];

impl Generator {
    pub(super) fn part(&mut self, draft: &mut Draft) {
        let mut data = self.data(0, &mut 0);
        // A float alone has no parts.
        while data == Data::Float {
            data = self.data(0, &mut 0);
        }
        self.structs(&data, draft);
        draft.push("let mut #own = 0.7 * #y;");
        draft.features.extend(kinds(&data));
        let root = At { text: "#v".into(), data };
        let (value, ty) = (self.made(&root.data), typed(&root.data));
        let annotation = if self.random.chance(0.5) || has_vector(&root.data) {
            format!(": {ty}")
        } else {
            String::new()
        };
        draft.push(format!("let mut #v{annotation} = {value};"));
        for _ in 0..1 + self.random.below(3) {
            let line = self.write(&root, draft);
            let line = match self.random.below(8) {
                0 => format!("if #x > #y {{ {line} }}"),
                1 => format!("for _ in 0..2 {{ {line} }}"),
                2 => format!("if #x < 0.3 {{ {line} }}"),
                _ => line,
            };
            draft.push(line);
        }
        let mut sum = String::from("#own");
        self.read(&root.text, &root.data, 0, &mut sum);
        draft.value = sum;
    }

    fn data(&mut self, depth: usize, structs: &mut usize) -> Data {
        let data = self.any_data(depth, structs);
        let feature = match &data {
            Data::Vector(..) => "data: vector",
            Data::Maybe(_) => "data: option",
            Data::Boxed(_) => "data: box",
            Data::Float | Data::Tuple(_) | Data::Struct(..) | Data::Array(..) => return data,
        };
        if self.features.contains(&feature) {
            data
        } else {
            Data::Tuple(vec![Data::Float, Data::Float])
        }
    }

    fn any_data(&mut self, depth: usize, structs: &mut usize) -> Data {
        if depth > 2 {
            return Data::Float;
        }
        match self.random.below(if depth == 0 { 8 } else { 12 }) {
            0..=2 => Data::Tuple(
                (0..2 + self.random.below(2)).map(|_| self.data(depth + 1, structs)).collect(),
            ),
            3 | 4 => {
                *structs += 1;
                let number = *structs;
                Data::Struct(
                    number,
                    (0..1 + self.random.below(3)).map(|_| self.data(depth + 1, structs)).collect(),
                )
            }
            5 => Data::Array(Box::new(self.data(depth + 1, structs)), 2),
            6 => match self.random.below(2) {
                0 => Data::Vector(Box::new(self.data(depth + 1, structs)), 2),
                _ => Data::Vector(Box::new(Data::Float), 2),
            },
            7 => match self.random.below(3) {
                0 => Data::Boxed(Box::new(self.data(depth + 1, structs))),
                1 => Data::Maybe(Box::new(self.data(depth + 1, structs))),
                _ => Data::Maybe(Box::new(Data::Float)),
            },
            _ => Data::Float,
        }
    }

    /// The structs of the data, with a method each that changes them.
    fn structs(&mut self, data: &Data, draft: &mut Draft) {
        let parts = match data {
            Data::Float => return,
            Data::Tuple(parts) | Data::Struct(_, parts) => parts.as_slice(),
            Data::Array(inner, _)
            | Data::Vector(inner, _)
            | Data::Maybe(inner)
            | Data::Boxed(inner) => std::slice::from_ref(&**inner),
        };
        parts.iter().for_each(|part| self.structs(part, draft));
        if let Data::Struct(number, fields) = data {
            let field = |(at, ty): (usize, &Data)| format!("#s{number}f{at}: {}, ", typed(ty));
            let fields_text: String = fields.iter().enumerate().map(field).collect();
            draft.item(format!("#[derive(Clone, Debug, PartialEq, Differentiable)]\npub struct #S{number} {{ {fields_text}}}"));
            let root = At { text: "self".into(), data: data.clone() };
            let float = self.walked(&root, true);
            if float.data == Data::Float {
                draft.item(format!(
                    "#[differentiate]\nimpl #S{number} {{ fn #bump{number}(&mut self, #by: f64) -> f64 {{ let #old = {0}; {0} *= #by; {0} += 0.3; #old }} }}",
                    float.text
                ));
            }
        }
    }

    fn made(&mut self, data: &Data) -> String {
        let list = |parts: Vec<String>| parts.join(", ");
        match data {
            Data::Float => self.term(),
            Data::Tuple(parts) => {
                format!("({})", list(parts.iter().map(|part| self.made(part)).collect()))
            }
            Data::Struct(number, parts) => {
                let fields = parts
                    .iter()
                    .enumerate()
                    .map(|(at, part)| format!("#s{number}f{at}: {}", self.made(part)));
                format!("#S{number} {{ {} }}", list(fields.collect()))
            }
            Data::Array(inner, length) => {
                format!("[{}]", list((0..*length).map(|_| self.made(inner)).collect()))
            }
            Data::Vector(inner, length) => {
                format!("vec![{}]", list((0..*length).map(|_| self.made(inner)).collect()))
            }
            Data::Maybe(inner) => format!("Some({})", self.made(inner)),
            Data::Boxed(inner) => format!("Box::new({})", self.made(inner)),
        }
    }

    /// A small float.
    fn term(&mut self) -> String {
        let literal = self.random.between(0.1, 1.5);
        match self.random.below(6) {
            0 => format!("{literal:?}"),
            1 => "#x".into(),
            2 => "#y".into(),
            3 => format!("(#x * {literal:?})"),
            4 => "#x * #y".into(),
            _ => format!("(#y - {literal:?})"),
        }
    }

    /// A place within another: a float, or whatever lies on the way to one.
    fn walked(&mut self, from: &At, through_all: bool) -> At {
        let mut at = from.clone();
        loop {
            let stops = at.text != from.text && !through_all && self.random.chance(0.2);
            let (text, data) = match &at.data {
                _ if stops => return at,
                Data::Float | Data::Maybe(_) => return at,
                Data::Tuple(parts) => {
                    let part = self.random.below(parts.len());
                    (format!("{}.{part}", at.text), parts[part].clone())
                }
                Data::Struct(number, parts) => {
                    let part = self.random.below(parts.len());
                    (format!("{}.#s{number}f{part}", at.text), parts[part].clone())
                }
                Data::Array(inner, length) | Data::Vector(inner, length) => {
                    (format!("{}[{}]", at.text, self.random.below(*length)), (**inner).clone())
                }
                Data::Boxed(inner) => (format!("(*{})", at.text), (**inner).clone()),
            };
            at = At { text, data };
        }
    }

    /// A statement that changes some part.
    fn write(&mut self, root: &At, draft: &mut Draft) -> String {
        if self.random.chance(0.3)
            && let Some(line) = self.destructured(root, draft)
        {
            return line;
        }
        let at = self.walked(root, false);
        let table: &[(&'static str, &str)] = match &at.data {
            Data::Float => FLOAT,
            Data::Array(inner, _) if **inner == Data::Float => FLOATS,
            Data::Vector(inner, _) if **inner == Data::Float => {
                if self.random.chance(0.5) {
                    FLOATS
                } else {
                    VECTOR
                }
            }
            Data::Maybe(inner) if **inner == Data::Float => OPTION,
            _ => return self.write_whole(&at, draft),
        };
        let Some((feature, text)) = self.allowed(table) else { return String::new() };
        draft.features.push(feature);
        draft.is_refusable |= REFUSABLE.contains(&feature);
        let place = at.text.trim_start_matches('(').trim_end_matches(')');
        let place =
            if at.text.starts_with("(*") && at.text.ends_with(')') { place } else { &at.text };
        let mut line = text
            .replace("{p}.", &format!("{}.", at.text))
            .replace("{p}[", &format!("{}[", at.text));
        line = line.replace("{p}", place);
        while line.contains("{e}") {
            let term = self.term();
            line = line.replacen("{e}", &term, 1);
        }
        line
    }

    /// Changes of a part that has parts.
    fn write_whole(&mut self, at: &At, draft: &mut Draft) -> String {
        let value = self.made(&at.data);
        let inner = self.walked(&At { text: "#r".into(), data: at.data.clone() }, true);
        let is_float = inner.data == Data::Float && inner.text != "#r";
        let term = self.term();
        let mut ways: Vec<(&'static str, String)> = vec![
            ("part: whole", format!("{} = {value};", at.text)),
            (
                "part: whole by mem",
                format!("{{ let mut #w = {value}; std::mem::swap(&mut {}, &mut #w); }}", at.text),
            ),
        ];
        if is_float {
            ways.push((
                "part: whole by a reference",
                format!("{{ let #r = &mut {}; {} += {term}; }}", at.text, inner.text),
            ));
            let moved = inner.text.replacen("#r", "#w", 1);
            ways.push(("part: whole by mem", format!("{{ let mut #w = std::mem::replace(&mut {}, {value}); {moved} *= {term}; #own += {moved}; }}", at.text)));
        }
        if let Data::Struct(number, _) = &at.data
            && draft.items.iter().any(|item| item.contains(&format!("#bump{number}(")))
        {
            ways.push((
                "part: method of a struct",
                format!("#own += {}.#bump{number}({term});", at.text),
            ));
            ways.push(("part: method of a struct", format!("{}.#bump{number}({term});", at.text)));
            ways.push((
                "part: method of a struct",
                format!("#own += #S{number}::#bump{number}(&mut {}, {term});", at.text),
            ));
        }
        let Some((feature, line)) = self.allowed(&ways) else { return String::new() };
        draft.features.push(feature);
        line
    }

    /// A pattern that reaches a float of a part, which is then changed.
    fn destructured(&mut self, root: &At, draft: &mut Draft) -> Option<String> {
        let at = self.walked(root, false);
        if at.data == Data::Float {
            return None;
        }
        let by_mode = self.random.chance(0.6);
        let (mut refutable, mut boxed) = (false, false);
        let (pattern, float) = self.pattern(&at.data, by_mode, &mut refutable, &mut boxed);
        if boxed || float != Data::Float {
            return None;
        }
        let (subject, term) =
            (if by_mode { format!("&mut {}", at.text) } else { at.text.clone() }, self.term());
        let write = self.random.pick(&[
            "*#q += {e};",
            "*#q *= {e};",
            "*#q = {e};",
            "#own += *#q; *#q = {e};",
            "std::mem::swap(#q, &mut #own);",
        ]);
        let write = write.replace("{e}", &term);
        let ways: &[(&'static str, String)] = &[
            ("pattern: let", format!("{{ let {pattern} = {subject}; {write} }}")),
            ("pattern: match", format!("match {subject} {{ {pattern} => {{ {write} }} }}")),
            (
                "pattern: match with a guard",
                format!("match {subject} {{ {pattern} if *#q > 0.2 => {{ {write} }} _ => {{}} }}"),
            ),
            (
                "pattern: let else",
                format!("{{ let {pattern} = {subject} else {{ panic!() }}; {write} }}"),
            ),
            ("pattern: if let", format!("if let {pattern} = {subject} {{ {write} }}")),
            ("pattern: while let", format!("while let {pattern} = {subject} {{ {write} break; }}")),
            ("pattern: for", format!("for {pattern} in [{subject}] {{ {write} }}")),
            (
                "pattern: closure",
                format!(
                    "{{ let #g = |{pattern}: &mut {}| {{ {write} }}; #g({subject}); }}",
                    typed(&at.data)
                ),
            ),
        ];
        let fits = |feature: &str| match feature {
            "pattern: let" | "pattern: match" => !refutable,
            "pattern: for" => !refutable && by_mode,
            "pattern: closure" => !refutable && by_mode && !write.contains("#own"),
            "pattern: let else" => refutable,
            _ => true,
        };
        let ways: Vec<(&'static str, String)> =
            ways.iter().filter(|(feature, _)| fits(feature)).cloned().collect();
        let (feature, line) = self.allowed(&ways)?;
        draft.features.push(feature);
        draft.is_refusable |= feature == "pattern: for";
        Some(line)
    }

    /// A pattern with one name, `q`, and what it is bound to.
    fn pattern(
        &mut self,
        data: &Data,
        by_mode: bool,
        refutable: &mut bool,
        boxed: &mut bool,
    ) -> (String, Data) {
        let list = |count: usize, at: usize, inner: &str| {
            let parts: Vec<&str> =
                (0..count).map(|part| if part == at { inner } else { "_" }).collect();
            parts.join(", ")
        };
        match data {
            Data::Float => ((if by_mode { "#q" } else { "ref mut #q" }).into(), Data::Float),
            Data::Tuple(parts) => {
                let at = self.random.below(parts.len());
                let (inner, found) = self.pattern(&parts[at], by_mode, refutable, boxed);
                if at == 0 && self.random.chance(0.3) {
                    return (format!("({inner}, ..)"), found);
                }
                (format!("({})", list(parts.len(), at, &inner)), found)
            }
            Data::Struct(number, parts) => {
                let at = self.random.below(parts.len());
                let (inner, found) = self.pattern(&parts[at], by_mode, refutable, boxed);
                (format!("#S{number} {{ #s{number}f{at}: {inner}, .. }}"), found)
            }
            Data::Array(part, length) => {
                let at = self.random.below(*length);
                let (inner, found) = self.pattern(part, by_mode, refutable, boxed);
                (format!("[{}]", list(*length, at, &inner)), found)
            }
            Data::Maybe(part) => {
                *refutable = true;
                let (inner, found) = self.pattern(part, by_mode, refutable, boxed);
                (format!("Some({inner})"), found)
            }
            Data::Vector(..) | Data::Boxed(_) => {
                *boxed = true;
                ("_".into(), data.clone())
            }
        }
    }

    /// Adds all floats of some data, each with a weight.
    fn read(&mut self, place: &str, data: &Data, depth: usize, sum: &mut String) {
        let weight = self.random.between(0.2, 1.2);
        match data {
            Data::Float => sum.push_str(&format!(" + {weight:?} * {place}")),
            Data::Tuple(parts) => {
                for (at, part) in parts.iter().enumerate() {
                    self.read(&format!("{place}.{at}"), part, depth, sum);
                }
            }
            Data::Struct(number, parts) => {
                for (at, part) in parts.iter().enumerate() {
                    self.read(&format!("{place}.#s{number}f{at}"), part, depth, sum);
                }
            }
            Data::Array(inner, length) | Data::Vector(inner, length) => {
                for at in 0..*length {
                    self.read(&format!("{place}[{at}]"), inner, depth, sum);
                }
            }
            Data::Boxed(inner) => self.read(&format!("(*{place})"), inner, depth, sum),
            Data::Maybe(inner) => {
                let name = format!("#o{depth}");
                let mut part = String::from("0.0");
                let base = if **inner == Data::Float { format!("*{name}") } else { name.clone() };
                self.read(&base, inner, depth + 1, &mut part);
                sum.push_str(&format!(
                    " + match &{place} {{ Some({name}) => {part}, None => {weight:?} }}"
                ));
            }
        }
    }
}

/// The features of nested data.
fn kinds(data: &Data) -> Vec<&'static str> {
    let (own, parts) = match data {
        Data::Float => (None, [].as_slice()),
        Data::Tuple(parts) | Data::Struct(_, parts) => (None, parts.as_slice()),
        Data::Array(inner, _) => (None, std::slice::from_ref(&**inner)),
        Data::Vector(inner, _) => (Some("data: vector"), std::slice::from_ref(&**inner)),
        Data::Maybe(inner) => (Some("data: option"), std::slice::from_ref(&**inner)),
        Data::Boxed(inner) => (Some("data: box"), std::slice::from_ref(&**inner)),
    };
    own.into_iter().chain(parts.iter().flat_map(kinds)).collect()
}

fn has_vector(data: &Data) -> bool {
    match data {
        Data::Float => false,
        Data::Tuple(parts) | Data::Struct(_, parts) => parts.iter().any(has_vector),
        Data::Array(inner, _) | Data::Maybe(inner) | Data::Boxed(inner) => has_vector(inner),
        Data::Vector(..) => true,
    }
}

fn typed(data: &Data) -> String {
    match data {
        Data::Float => "f64".into(),
        Data::Tuple(parts) => {
            format!("({})", parts.iter().map(typed).collect::<Vec<_>>().join(", "))
        }
        Data::Struct(number, _) => format!("#S{number}"),
        Data::Array(inner, length) => format!("[{}; {length}]", typed(inner)),
        Data::Vector(inner, _) => format!("Vec<{}>", typed(inner)),
        Data::Maybe(inner) => format!("Option<{}>", typed(inner)),
        Data::Boxed(inner) => format!("Box<{}>", typed(inner)),
    }
}
