//! Words in what is emitted.

/// How often a text has each of some words in the function of a name.
pub fn counts<const N: usize>(text: &str, function: &str, words: [&str; N]) -> [usize; N] {
    let start = text.find(&format!("fn {function}(")).expect("a function of this name");
    let body = &text[start..];
    let body = &body[..body.find("\n}").expect("its end")];
    words.map(|word| body.matches(word).count())
}
