//! The text form of all that the corpus is lowered to and derives, at two orders: parsed and printed it is the same.

use crate::functions::of_corpus;
use cotangent_compiler::interpret::{Program, stages};

/// The text of a program comes back.
fn comes_back(text: &str) -> Result<(), String> {
    let again = Program::parse(text)?.to_string();
    match text.lines().zip(again.lines()).find(|(old, new)| old != new) {
        Some((old, new)) => Err(format!("{old}\nbecomes\n{new}")),
        None if text.lines().count() == again.lines().count() => Ok(()),
        None => Err("there are more lines, or fewer".to_owned()),
    }
}

/// All stages of the functions of a folder.
fn round_trip(folder: &str) {
    let (mut texts, mut wrong) = (0, Vec::new());
    for mut function in of_corpus(folder) {
        function.attrs.push(syn::parse_quote!(#[differentiate]));
        for (stage, program) in stages(&function).unwrap_or_default() {
            let text = program.to_string();
            texts += 1;
            let message = |message| format!("{}: {message}\n{text}", stage.name());
            wrong.extend(comes_back(&text).map_err(message).err());
        }
    }
    assert!(texts > 100, "{folder}: {texts}");
    assert!(wrong.is_empty(), "{} of {texts}, among them\n{}", wrong.len(), wrong[0]);
    println!("{folder}: {texts} texts");
}

#[test]
fn of_the_language() {
    round_trip("language");
}

#[test]
fn of_data() {
    round_trip("data");
}

#[test]
fn of_compositions() {
    round_trip("composition");
}

#[test]
fn of_applications() {
    round_trip("applications");
    round_trip("applications/algorithms");
}
