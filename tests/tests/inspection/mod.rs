//! What people are shown: comments in emitted code, formulas in documentation, pictures.

mod comments;
mod formulas;
mod functions;
mod graph;
mod notes;
mod sheet;

use cotangent_compiler::Stage;

/// A stage of a function that is given as text.
fn stage(stage: Stage, function: &str) -> String {
    let function = syn::parse_str(function).expect("a function");
    cotangent_compiler::text(stage, &function).expect("a function without errors")
}
