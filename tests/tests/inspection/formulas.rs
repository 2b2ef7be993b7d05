//! What editors show of each derivative.

use expect_test::{Expect, expect};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::visit::Visit;

/// The functions of an expansion with the first line of their documentation; hidden ones have none to show.
#[derive(Default)]
struct Documented {
    lines: Vec<String>,
    missing: Vec<String>,
}

impl Documented {
    fn add(&mut self, name: &syn::Ident, attributes: &[syn::Attribute]) {
        let texts = attributes.iter().filter(|attribute| attribute.path().is_ident("doc"));
        let text: Vec<String> = texts.map(text).collect();
        let name = name.to_string();
        match &text[..] {
            [] if name.starts_with("__") => {}
            [] => self.missing.push(name),
            [hidden] if hidden == "hidden" => {}
            [first, ..] => self.lines.push(format!("{name}:{first}\n")),
        }
    }
}

fn text(attribute: &syn::Attribute) -> String {
    match &attribute.meta {
        syn::Meta::NameValue(pair) => match syn::parse2(pair.value.to_token_stream()) {
            Ok(syn::Lit::Str(text)) => text.value(),
            _ => String::new(),
        },
        _ => "hidden".to_owned(),
    }
}

impl<'ast> Visit<'ast> for Documented {
    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.add(&function.sig.ident, &function.attrs);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        self.add(&function.sig.ident, &function.attrs);
    }
}

fn check(item: &str, users: &[&str], expected: &Expect) {
    let item: TokenStream = item.parse().expect("tokens");
    let expansion = cotangent_compiler::differentiate(TokenStream::new(), item);
    // Members that the macro adds to a block come as tokens, which are read here.
    let file: syn::File = syn::parse_str(&expansion.to_string()).expect("items");
    let mut documented = Documented::default();
    documented.visit_file(&file);
    assert_eq!(documented.missing, users);
    expected.assert_eq(&documented.lines.concat());
}

#[test]
fn of_a_function() {
    let item = "#[differentiate] fn energy(x: f64, w: &[f64], n: usize) -> f64 { x * w[n] }";
    check(
        item,
        &[],
        &expect![[r#"
        accumulate_gradient: `(energy, ∂energy/∂x)`, `w_bar += ∂energy/∂w`: value and the cotangents of by-value parameters; adds to the shadows behind references.
        vjp: Value and pullback, which takes references with their shadows, then the result's cotangent `seed`. It returns `x_bar = seedᵀ ∂energy/∂x`, and makes `w_bar += seedᵀ ∂energy/∂w`.
        jvp: `(energy, ∂energy/∂x x_dot + ∂energy/∂w w_dot)`: value and tangent; each active parameter is followed by its tangent.
        gradient: `(∂energy/∂x, ∂energy/∂w)` at the arguments: the cotangents of the active parameters, in order; bare when there is one.
        value_and_gradient: `(energy, (∂energy/∂x, ∂energy/∂w))`: value, then the cotangents of the active parameters as `gradient` returns them.
        jvp_jvp: Value and tangent; each active parameter is followed by its tangent.
        jvp_vjp: Value and pullback, which takes references with their shadows, then the result's cotangent.
        gradient_jvp: Value and tangent; each active parameter is followed by its tangent.
        gradient_vjp: Value and pullback, which takes references with their shadows, then the result's cotangent.
        value_and_gradient_jvp: Value and tangent; each active parameter is followed by its tangent.
        value_and_gradient_vjp: Value and pullback, which takes references with their shadows, then the result's cotangent.
        accumulate_gradient_jvp: Value and tangent; each active parameter is followed by its tangent.
        accumulate_gradient_vjp: Value and pullback, which takes references with their shadows, then the result's cotangent.
        __pulled_jvp: Value and tangent; each active parameter is followed by its tangent.
        __pulled_vjp: Value and pullback, which takes references with their shadows, then the result's cotangent.
        hvp: `H (x_dot, w_dot)`, the Hessian's product with a direction: each active parameter is followed by its part.
        value_gradient_and_hessian: `(energy, (∂energy/∂x, ∂energy/∂w), H)` with `H[(i, j)] = ∂²energy/∂pᵢ∂pⱼ`: value, gradient, and the Hessian by the floats `p` of `x`, `w`, a matrix, or a float for one float.
        hessian_into: `H[(i, j)] = ∂²energy/∂pᵢ∂pⱼ`, the Hessian by the floats `p` of `x`, `w`, in order, in a matrix that takes its size and keeps its memory.
        hessian: `H[(i, j)] = ∂²energy/∂pᵢ∂pⱼ`, the Hessian by the floats `p` of `x`, `w`, in order; a float for one float.
        jvp_batch: `(energy, [∂energy/∂x x_dotₖ + ∂energy/∂w w_dotₖ; N])`: value and tangents; each active parameter is followed by an array of tangents.
    "#]],
    );
}

#[test]
fn of_a_function_that_writes() {
    check(
        "fn advance(u: &mut [f64], dt: f64) { u[0] *= dt; }",
        &[],
        &expect![[r#"
        vjp: Value and pullback, which takes references with their shadows, then the result's cotangent `seed`. It returns `dt_bar = u_barᵀ ∂u′/∂dt`, and makes `u_bar = u_barᵀ ∂u′/∂u`. `u′` is left in `u`.
        jvp: Value and tangent; each active parameter is followed by its tangent, and `u_dot` becomes `∂u′/∂u u_dot + ∂u′/∂dt dt_dot`. `u′` is left in `u`.
        jvp_batch: Value and tangents; each active parameter is followed by an array of tangents.
    "#]],
    );
}

#[test]
fn of_several_outputs() {
    check(
        "fn r#loop(r#in: &[f64]) -> [f64; 2] { [r#in[0], r#in[1]] }",
        &[],
        &expect![[r#"
        vjp: Value and pullback, which takes references with their shadows, then the result's cotangent `seed`. It makes `in_bar += seedᵀ ∂loop/∂in`.
        jvp: `(loop, ∂loop/∂in in_dot)`: value and tangent; each active parameter is followed by its tangent.
        jacobian: `J[(i, j)] = ∂loopᵢ/∂inⱼ`, the Jacobian: rows are outputs, columns the floats of `in`.
        jacobian_into: `J[(i, j)] = ∂loopᵢ/∂inⱼ`, the Jacobian, in a matrix that takes its size and keeps its memory: rows are outputs, columns the floats of `in`.
        jvp_batch: `(loop, [∂loop/∂in in_dotₖ; N])`: value and tangents; each active parameter is followed by an array of tangents.
    "#]],
    );
}

#[test]
fn of_methods() {
    let item = "impl Spring { fn energy(&self, x: f64) -> f64 { self.k * x } }";
    check(
        item,
        &["energy"],
        &expect![[r#"
        energy_accumulate_gradient: `(energy, ∂energy/∂x)`, `self_bar += ∂energy/∂self`: value and the cotangents of by-value parameters; adds to the shadows behind references.
        energy_vjp: Value and pullback, which takes references with their shadows, then the result's cotangent `seed`. It returns `x_bar = seedᵀ ∂energy/∂x`, and makes `self_bar += seedᵀ ∂energy/∂self`.
        energy_jvp: `(energy, ∂energy/∂self self_dot + ∂energy/∂x x_dot)`: value and tangent; each active parameter is followed by its tangent.
        energy_gradient: `(∂energy/∂self, ∂energy/∂x)` at the arguments: the cotangents of the active parameters, in order; bare when there is one.
        energy_value_and_gradient: `(energy, (∂energy/∂self, ∂energy/∂x))`: value, then the cotangents of the active parameters as `gradient` returns them.
        energy_jvp_batch: `(energy, [∂energy/∂self self_dotₖ + ∂energy/∂x x_dotₖ; N])`: value and tangents; each active parameter is followed by an array of tangents.
    "#]],
    );
}

#[test]
fn of_traits() {
    let item = "trait Potential { fn energy(&self, x: f64) -> f64; fn twice(&self, x: f64) -> f64 { 2.0 * self.energy(x) } }";
    check(
        item,
        &["energy", "twice"],
        &expect![[r#"
        energy_accumulate_gradient: `(energy, ∂energy/∂x)`, `self_bar += ∂energy/∂self`: value and the cotangents of by-value parameters; adds to the shadows behind references.
        energy_vjp: Value and pullback, which takes references with their shadows, then the result's cotangent `seed`. It returns `x_bar = seedᵀ ∂energy/∂x`, and makes `self_bar += seedᵀ ∂energy/∂self`.
        energy_jvp: `(energy, ∂energy/∂self self_dot + ∂energy/∂x x_dot)`: value and tangent; each active parameter is followed by its tangent.
        energy_gradient: `(∂energy/∂self, ∂energy/∂x)` at the arguments: the cotangents of the active parameters, in order; bare when there is one.
        energy_value_and_gradient: `(energy, (∂energy/∂self, ∂energy/∂x))`: value, then the cotangents of the active parameters as `gradient` returns them.
        energy_jvp_batch: `(energy, [∂energy/∂self self_dotₖ + ∂energy/∂x x_dotₖ; N])`: value and tangents; each active parameter is followed by an array of tangents.
        twice_accumulate_gradient: `(twice, ∂twice/∂x)`, `self_bar += ∂twice/∂self`: value and the cotangents of by-value parameters; adds to the shadows behind references.
        twice_vjp: Value and pullback, which takes references with their shadows, then the result's cotangent `seed`. It returns `x_bar = seedᵀ ∂twice/∂x`, and makes `self_bar += seedᵀ ∂twice/∂self`.
        twice_jvp: `(twice, ∂twice/∂self self_dot + ∂twice/∂x x_dot)`: value and tangent; each active parameter is followed by its tangent.
        twice_gradient: `(∂twice/∂self, ∂twice/∂x)` at the arguments: the cotangents of the active parameters, in order; bare when there is one.
        twice_value_and_gradient: `(twice, (∂twice/∂self, ∂twice/∂x))`: value, then the cotangents of the active parameters as `gradient` returns them.
        twice_jvp_batch: `(twice, [∂twice/∂self self_dotₖ + ∂twice/∂x x_dotₖ; N])`: value and tangents; each active parameter is followed by an array of tangents.
    "#]],
    );
}
