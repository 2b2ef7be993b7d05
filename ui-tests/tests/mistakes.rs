//! Mistakes that ordinary users make, one a file: how many errors each gives, and what the first of them says.
//!
//! In: the files in `mistakes`, and the table below. Out: a failure where rustc says something else. Errors are counted
//! in rustc's JSON output, since its text drops repetitions. One mistake should give one error, at the token that has to
//! change, with help that names what to write; rows that fall short say so, and their number is held.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A file, its errors, the text that the first one underlines, and words of help in it. A text is empty where the first
/// error is elsewhere, and help where there is none.
type Row = (&'static str, usize, &'static str, &'static str);

const ROWS: &[Row] = &[
    ("active_value_formatted", 1, "format", "stop_gradient"),
    ("active_value_in_an_error", 1, "Err", "stop_gradient"),
    ("active_value_to_bits", 1, "to_bits", "stop_gradient"),
    ("argmin_with_one_attribute", 1, "objective", ""),
    (
        "associated_function_in_a_plain_impl",
        2,
        "#[differentiate]",
        "needs_differentiate_on_the_impl_or_trait",
    ),
    ("associated_function_without_attribute", 2, "loss", "needs_differentiate"),
    ("attribute_not_imported", 1, "differentiate", ""),
    ("attribute_on_a_closure", 3, "#[differentiate]", ""),
    ("attribute_on_a_module_of_a_file", 2, "mod physics;", ""),
    ("attribute_on_a_struct", 1, "struct", "move it to a `fn`"),
    ("boxed_function", 1, "Box<dyn Fn(f64) -> f64>", "f: impl Fn"),
    ("check_without_a_call", 1, "f", "write `check!(f(1.0, &x))`"),
    ("clone_of_a_shared_handle", 1, "Rc", "taken by `&`"),
    ("companion_name_taken", 1, "", ""),
    ("companion_of_a_method", 1, "Spring::energy", "energy_gradient"),
    ("derive_on_a_union", 1, "union", "use an enum"),
    ("enum_without_derive", 2, "Shape", "#[derive(Differentiable)]"),
    ("field_without_derive", 1, "Spring", "#[derive(Differentiable)]"),
    ("function_of_the_standard_library", 1, "black_box", "needs_differentiate"),
    ("function_returns_a_reference", 1, "&f64", "return values"),
    ("generator_not_constant", 2, "Rng", "#[differentiate(constant(..))]"),
    ("generic_helper_without_attribute", 1, "square", "needs_differentiate"),
    ("grad_for_gradient", 1, "grad", "gradient"),
    (
        "gradient_and_hessian_with_one_attribute",
        1,
        "f::value_gradient_and_hessian(&[1.0])",
        "write `#[differentiate]` twice on `f`",
    ),
    ("gradient_in_forward_mode", 1, "gradient", ""),
    ("gradient_of_a_plain_function", 1, "f", ""),
    ("gradient_of_a_vector", 1, "f::gradient(&[1.0])", "`jacobian` takes several floats"),
    ("helper_method_without_attribute", 2, "force", "needs_differentiate"),
    ("helper_of_a_module", 1, "drag", "needs_differentiate"),
    ("helper_without_attribute", 1, "drag", "needs_differentiate"),
    ("hessian_as_argument", 1, "hessian", "write `#[differentiate]` twice"),
    ("hessian_with_one_attribute", 1, "f::hessian(1.0)", "write `#[differentiate]` twice on `f`"),
    (
        "hvp_with_one_attribute",
        1,
        "f::hvp(&[1.0], &[1.0])",
        "write `#[differentiate]` twice on `f`",
    ),
    ("immutable_variable", 1, "sum += x[i]", "making this binding mutable"),
    ("impl_without_derive", 1, "Spring", "#[derive(Differentiable)]"),
    ("impl_of_a_trait_without_attribute", 1, "impl Energy for Spring", ""),
    ("integer_literal", 1, "*", ""),
    ("jacobian_of_a_float", 1, "&[1.0]", "these are vectors, arrays and tuples"),
    ("jacobian_of_two_parameters", 1, "f::jacobian(&[1.0], &[2.0])", "name the others in"),
    ("left_out_of_a_module", 1, "1.0", "`#[differentiate]` on the function"),
    ("local_without_derive", 1, "Point", "#[derive(Differentiable)]"),
    ("missing_tangent", 1, "f::jvp", "provide the arguments"),
    ("misspelt_constant", 1, "dats", "did you mean `data`?"),
    ("misspelt_option", 1, "revers", "did you mean `reverse`?"),
    ("misspelt_wrt", 1, "weigths", "did you mean `weights`?"),
    ("moved_value", 3, "", ""),
    ("option_with_equals", 1, "order", "write `#[differentiate]` twice"),
    ("own_macro", 1, "square", "write in its place"),
    ("parameter_by_value_without_derive", 1, "Point", "#[derive(Differentiable)]"),
    ("parameter_without_derive", 1, "Spring", "#[derive(Differentiable)]"),
    ("primitive_with_too_few_partials", 1, "f", "an expression for each active parameter"),
    ("primitive_without_a_rule", 1, "#[primitive]", "write `#[primitive(vjp = path"),
    ("pullback_for_vjp", 1, "pullback", ""),
    ("result_without_derive", 1, "Point", "#[derive(Differentiable)]"),
    ("root_of_another_unknown", 1, "equation", ""),
    ("root_without_attribute", 1, "equation", "needs_differentiate"),
    ("shadow_by_shared_reference", 1, "&x_bar", "&mut"),
    ("slice_without_derive", 1, "Point", "#[derive(Differentiable)]"),
    ("static_mutable_state", 1, "*LAST.lock().unwrap()", "assign to a variable"),
    ("stop_gradient_of_a_mutable_reference", 1, "+", "dereference"),
    ("too_many_arguments", 1, "f::gradient", "remove the extra argument"),
    ("trait_method_without_companion", 2, "energy", "needs_differentiate"),
    ("unknown_field", 1, "stifness", "a field with a similar name exists"),
    ("unknown_function", 3, "sine", ""),
    ("unknown_method_of_a_float", 3, "sine", ""),
    ("unknown_name", 2, "scal", "similar name"),
    ("unsafe_in_the_body", 1, "unsafe", "#[primitive(..)]"),
    ("write_behind_shared_reference", 1, "x[0] = 2.0 * x[0]", "mutable reference"),
    ("write_into_a_constant", 1, "y", "remove the parameter from"),
    ("wrong_number_of_arguments_in_the_body", 5, "", ""),
    ("wrong_type_in_the_body", 1, "*", ""),
    ("wrong_type_of_the_result", 1, "y > 2.0", "expected `f64`, found `bool`"),
    ("wrt_of_a_string", 1, "wrt(\"x\")", "write `wrt(x)`"),
    ("wrt_with_equals", 1, "wrt = x", "write `wrt(x)`"),
];

/// What all rows come to: errors, first errors at the token, and first errors with help.
const TOTALS: (usize, usize, usize) = (94, 71, 58);

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("mistakes")
}

/// The newest library of a name beside this test.
fn library(name: &str) -> PathBuf {
    let folder = std::env::current_exe().expect("this test").parent().expect("a folder").to_owned();
    let entries = folder.read_dir().expect("the folder of libraries");
    let paths = entries.map(|entry| entry.expect("a readable entry").path());
    let is_wanted = |path: &PathBuf| {
        let file = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        file.starts_with(&format!("lib{name}-")) && file.ends_with(".rlib")
    };
    let written = |path: &PathBuf| path.metadata().and_then(|data| data.modified()).ok();
    paths.filter(is_wanted).max_by_key(written).expect("the library is built")
}

/// rustc's errors of a file.
fn errors(name: &str) -> Vec<serde_json::Value> {
    let library = library("cotangent");
    let mut dependencies = std::ffi::OsString::from("dependency=");
    dependencies.push(library.parent().expect("a folder"));
    let mut cotangent = std::ffi::OsString::from("cotangent=");
    cotangent.push(&library);
    let output = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .args(["--edition", "2024", "--crate-type", "bin", "--error-format", "json"])
        .args(["-A", "warnings", "--emit", "metadata", "-o"])
        .arg(std::env::temp_dir().join(format!("cotangent-{name}-{}", std::process::id())))
        .arg("-L")
        .arg(dependencies)
        .arg("--extern")
        .arg(cotangent)
        .arg(format!("{name}.rs"))
        .current_dir(folder())
        .output()
        .expect("rustc can be run");
    let text = String::from_utf8(output.stderr).expect("text");
    let messages = text.lines().filter_map(|line| serde_json::from_str(line).ok());
    messages.filter(is_error).collect()
}

/// Whether a message is an error and not the count of all errors.
fn is_error(message: &serde_json::Value) -> bool {
    let has_place = message["spans"].as_array().is_some_and(|spans| !spans.is_empty());
    message["level"] == "error" && (has_place || message["code"].is_object())
}

/// The text that an error underlines.
fn underlined(error: &serde_json::Value) -> Option<&str> {
    let spans = error["spans"].as_array()?;
    let line = &spans.iter().find(|span| span["is_primary"] == true)?["text"][0];
    let column = |name: &str| line[name].as_u64().map(|column| column as usize - 1);
    line["text"].as_str()?.get(column("highlight_start")?..column("highlight_end")?)
}

/// What is otherwise than a row says.
fn difference((name, count, token, help): &Row) -> Option<String> {
    let errors = errors(name);
    let Some(first) = errors.first() else { return Some(format!("{name}: no error")) };
    let at = underlined(first).unwrap_or_default();
    let text = first["rendered"].as_str().unwrap_or_default();
    let is_as_said =
        errors.len() == *count && (token.is_empty() || at == *token) && text.contains(help);
    (!is_as_said).then(|| format!("{name}: {} errors, the first at `{at}`:\n{text}", errors.len()))
}

#[test]
fn errors_are_as_the_table_says() {
    let differences: Vec<String> = ROWS.iter().filter_map(difference).collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn totals_are_held() {
    let errors = ROWS.iter().map(|row| row.1).sum();
    let count = |is_there: fn(&&Row) -> bool| ROWS.iter().filter(is_there).count();
    assert_eq!((errors, count(|row| !row.2.is_empty()), count(|row| !row.3.is_empty())), TOTALS);
}

#[test]
fn every_file_has_a_row() {
    let entries = folder().read_dir().expect("the folder of mistakes");
    let paths = entries.map(|entry| entry.expect("a readable entry").path());
    let files = paths.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let files: BTreeSet<String> =
        files.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect();
    let rows: BTreeSet<String> = ROWS.iter().map(|row| row.0.to_owned()).collect();
    assert_eq!(files, rows);
}
