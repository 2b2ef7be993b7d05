//! What each derivative computes, as a formula: the documentation that editors show.
//!
//! In: the function's head. Out: a line of text, in the names of the function's own parameters: `∂f/∂x`, and `x_bar`,
//! `x_dot` and `seed` as the derivative takes or returns them. It is one token of the expansion, as any other text.

use super::head::{Head, Named};

/// Gradient.
pub fn gradient(head: &Head) -> String {
    format!(
        " `{}` at the arguments: the cotangents of the active parameters, in order; bare when there is one.",
        all(head)
    )
}

/// Value and gradient.
pub fn value_and_gradient(head: &Head) -> String {
    let f = name(head);
    format!(
        " `({f}, {})`: value, then the cotangents of the active parameters as `gradient` returns them.",
        all(head)
    )
}

/// Gradient of a float that may be missing.
pub fn fallible_gradient(head: &Head) -> String {
    format!(
        " `{}` at the arguments where there is a value: the cotangents of the active parameters, in order; bare when there is one.",
        all(head)
    )
}

/// Value and gradient, likewise.
pub fn fallible_value_and_gradient(head: &Head) -> String {
    let f = name(head);
    format!(
        " `({f}, {})` where there is a value: this, then the cotangents of the active parameters as `gradient` returns them.",
        all(head)
    )
}

/// Value and gradient, into shadows.
pub fn accumulate_gradient(head: &Head) -> String {
    let text =
        "value and the cotangents of by-value parameters; adds to the shadows behind references.";
    if !is_spelled(head) {
        return format!(" V{}", &text[1..]);
    }
    let returned: Vec<String> = head.by_value().map(|named| cotangent(head, named, "")).collect();
    format!(
        " `({}, {})`{}: {text}{}",
        name(head),
        listed(&returned),
        shadows(head, "").iter().map(|shadow| format!(", {shadow}")).collect::<String>(),
        primes(head)
    )
}

/// Value and pullback.
pub fn vjp(head: &Head) -> String {
    if !is_spelled(head) {
        return " Value and pullback, which takes references with their shadows, then the result's cotangent."
            .to_owned();
    }
    let seed = format!("{}ᵀ ", head.seed_name);
    let returned =
        head.by_value().map(|named| format!("`{} = {}`", named.bar, cotangent(head, named, &seed)));
    let returned: Vec<String> = returned.collect();
    let returned = (!returned.is_empty()).then(|| format!("returns {}", returned.join(", ")));
    let shadows = shadows(head, &seed);
    let written = (!shadows.is_empty()).then(|| format!("makes {}", shadows.join(", ")));
    let does: Vec<String> = returned.into_iter().chain(written).collect();
    format!(
        " Value and pullback, which takes references with their shadows, then the result's cotangent `{}`. It {}.{}",
        head.seed_name,
        if does.is_empty() { "returns nothing".to_owned() } else { does.join(", and ") },
        primes(head)
    )
}

/// Value and tangent.
pub fn jvp(head: &Head) -> String {
    let text = "value and tangent; each active parameter is followed by its tangent";
    if !is_spelled(head) {
        return format!(" V{}.", &text[1..]);
    }
    let pair = match head.signature.output_kind.is_unit() {
        true => " V".to_owned(),
        false => format!(" `({}, {})`: v", name(head), along(head, &name(head), "")),
    };
    let left = unique(head).map(|named| {
        let along = along(head, &format!("{}′", bare(named)), "");
        format!(", and `{}` becomes `{along}`", named.dot)
    });
    format!("{pair}{}{}.{}", &text[1..], left.collect::<String>(), primes(head))
}

/// Value and tangents.
pub fn jvp_batch(head: &Head) -> String {
    let text = "value and tangents; each active parameter is followed by an array of tangents.";
    match is_spelled(head) && !head.signature.output_kind.is_unit() {
        true => format!(" `({0}, [{1}; N])`: {text}", name(head), along(head, &name(head), "ₖ")),
        false => format!(" V{}", &text[1..]),
    }
}

/// The Jacobian, and with it where it is.
pub fn jacobian(head: &Head, active: &Named, is_filled: bool) -> String {
    let (f, x) = (name(head), bare(active));
    let into =
        if is_filled { ", in a matrix that takes its size and keeps its memory" } else { "" };
    format!(
        " `J[(i, j)] = ∂{f}ᵢ/∂{x}ⱼ`, the Jacobian{into}: rows are outputs, columns the floats of `{x}`."
    )
}

/// The Hessian, likewise.
pub fn hessian(head: &Head, is_filled: bool) -> String {
    let f = name(head);
    let end = match is_filled {
        true => ", in a matrix that takes its size and keeps its memory",
        false => "; a float for one float",
    };
    format!(
        " `H[(i, j)] = ∂²{f}/∂pᵢ∂pⱼ`, the Hessian by the floats `p` of {}, in order{end}.",
        names(head)
    )
}

/// The Hessian's product with a direction.
pub fn hvp(head: &Head) -> String {
    let direction: Vec<String> = active(head).map(|named| named.dot.to_string()).collect();
    format!(
        " `H {}`, the Hessian's product with a direction: each active parameter is followed by its part.",
        listed(&direction)
    )
}

/// All of them.
pub fn value_gradient_and_hessian(head: &Head) -> String {
    let f = name(head);
    format!(
        " `({f}, {}, H)` with `H[(i, j)] = ∂²{f}/∂pᵢ∂pⱼ`: value, gradient, and the Hessian by the floats `p` of {}, a matrix, or a float for one float.",
        all(head),
        names(head)
    )
}

/// The function's name.
fn name(head: &Head) -> String {
    head.title.trim_start_matches("r#").to_owned()
}

fn bare(named: &Named) -> String {
    named.param.name.to_string().trim_start_matches("r#").to_owned()
}

fn active<'h>(head: &'h Head) -> impl Iterator<Item = &'h Named<'h>> {
    head.params.iter().filter(|named| named.param.active)
}

fn partial(head: &Head, named: &Named) -> String {
    format!("∂{}/∂{}", name(head), bare(named))
}

/// None, one or several as `()`, bare, or a tuple.
fn listed(parts: &[String]) -> String {
    match parts {
        [one] => one.clone(),
        _ => format!("({})", parts.join(", ")),
    }
}

/// The gradient.
fn all(head: &Head) -> String {
    let partials: Vec<String> = active(head).map(|named| partial(head, named)).collect();
    listed(&partials)
}

/// The active parameters.
fn names(head: &Head) -> String {
    let names: Vec<String> = active(head).map(|named| format!("`{}`", bare(named))).collect();
    names.join(", ")
}

/// Whether the formulas hold as they stand: cells are written through `&`, too, and derivatives of derivatives are for
/// calls in bodies.
fn is_spelled(head: &Head) -> bool {
    !head.signature.shares && !head.is_nested
}

/// The active parameters behind `&mut`.
fn unique<'h>(head: &'h Head) -> impl Iterator<Item = &'h Named<'h>> {
    active(head).filter(|named| named.param.reference().is_some_and(|(_, is_unique)| is_unique))
}

/// What is left in a place has a prime, which is explained where it occurs.
fn primes(head: &Head) -> String {
    let each = unique(head).map(|named| format!("`{0}′` is left in `{0}`", bare(named)));
    let each: Vec<String> = each.collect();
    if each.is_empty() { String::new() } else { format!(" {}.", each.join(", ")) }
}

/// The derivative of something along a direction.
fn along(head: &Head, of: &str, index: &str) -> String {
    let terms = active(head).map(|named| format!("∂{of}/∂{} {}{index}", bare(named), named.dot));
    let terms: Vec<String> = terms.collect();
    if terms.is_empty() { "0".to_owned() } else { terms.join(" + ") }
}

/// A parameter's cotangent, from that of the result and those of what is left behind `&mut`.
fn cotangent(head: &Head, named: &Named, seed: &str) -> String {
    let x = bare(named);
    let is_unit = head.signature.output_kind.is_unit();
    let own = (!is_unit).then(|| format!("{seed}{}", partial(head, named)));
    let left = unique(head).map(|place| format!("{}ᵀ ∂{}′/∂{x}", place.bar, bare(place)));
    let terms: Vec<String> = own.into_iter().chain(left).collect();
    if terms.is_empty() { "0".to_owned() } else { terms.join(" + ") }
}

/// What shadows become. That of a `&mut` holds the cotangent of what is left there, and then that of what was.
fn shadows(head: &Head, seed: &str) -> Vec<String> {
    let references = active(head).filter_map(|named| Some((named, named.param.reference()?.1)));
    let each = references.map(|(named, is_unique)| {
        let sign = if is_unique { "=" } else { "+=" };
        format!("`{} {sign} {}`", named.bar, cotangent(head, named, seed))
    });
    each.collect()
}
