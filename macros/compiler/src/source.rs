//! The lines that a function is written in, for what people read: comments, pictures and the tool.
//!
//! In: a function's tokens. Out: its lines with their numbers, and which line a span is on. Nothing depends on them but
//! text: a function that a macro made, whose tokens stand in several places, has none.

extern crate proc_macro;

use proc_macro2::Span;

/// The line and the column that a span begins at, counted from one. Outside of rustc they are known with the feature
/// `locations`.
pub fn start(span: Span) -> Option<(usize, usize)> {
    if proc_macro::is_available() {
        let span = span.unwrap();
        return Some((span.line(), span.column()));
    }
    outside(span)
}

#[cfg(feature = "locations")]
fn outside(span: Span) -> Option<(usize, usize)> {
    let start = span.start();
    Some((start.line, start.column + 1))
}

#[cfg(not(feature = "locations"))]
fn outside(_: Span) -> Option<(usize, usize)> {
    None
}

/// Where a function's body is written.
pub struct Source {
    first: usize,
    lines: Vec<String>,
}

impl Source {
    /// The lines from a body's opening brace to its closing one, where rustc or the parser knows them.
    pub fn of(function: &syn::ItemFn) -> Option<Self> {
        let braces = function.block.brace_token.span.join();
        let text = braces.source_text()?;
        let lines = text.lines().map(str::to_owned).collect();
        Some(Source { first: start(braces)?.0, lines })
    }

    /// The line that a span begins on, if that is one of the body's with something on it.
    pub fn line(&self, span: Span) -> Option<usize> {
        // The place of the macro's call has no text in tools, and is no line of the body in rustc.
        span.source_text()?;
        let line = start(span)?.0;
        self.text(line).filter(|text| !matches!(*text, "" | "{" | "}")).map(|_| line)
    }

    /// What stands on a line.
    pub fn text(&self, line: usize) -> Option<&str> {
        self.lines.get(line.checked_sub(self.first)?).map(|text| text.trim())
    }

    /// All lines between the braces with their numbers, as far to the left as they go together.
    pub fn listing(&self) -> Vec<(usize, &str)> {
        let indent = |line: &str| line.len() - line.trim_start().len();
        let is_brace = |(_, line): &(usize, &String)| matches!(line.trim(), "{" | "}");
        let (first, last) = (0, self.lines.len() - 1);
        let is_end = |index| index == first || index == last;
        let numbered = self.lines.iter().enumerate();
        let inner = numbered.filter(|line| !(is_end(line.0) && is_brace(line)));
        let lines: Vec<(usize, &String)> = inner.collect();
        let written = lines.iter().filter(|(_, line)| !line.trim().is_empty());
        let common = written.map(|(_, line)| indent(line)).min().unwrap_or(0);
        let cut = |line: &str| indent(line).min(common);
        let each = lines.into_iter();
        each.map(|(index, line)| (self.first + index, line[cut(line)..].trim_end())).collect()
    }
}
