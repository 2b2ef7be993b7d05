//! The lines that a function is written in, for what people read: comments, pictures and the tool.
//!
//! In: a function's tokens. Out: its lines with their numbers, and which line a span is on. Nothing depends on them but
//! text: a function that a macro made, whose tokens stand in several places, has none.

use proc_macro2::Span;

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
        Some(Source { first: braces.start().line, lines })
    }

    /// The line that a span begins on, if that is one of the body's.
    pub fn line(&self, span: Span) -> Option<usize> {
        // The place of the macro's call has no text in tools, and is no line of the body in rustc.
        span.source_text()?;
        let line = span.start().line;
        self.text(line).map(|_| line)
    }

    /// What stands on a line.
    pub fn text(&self, line: usize) -> Option<&str> {
        self.lines.get(line.checked_sub(self.first)?).map(|text| text.trim())
    }

    /// All lines with their numbers, as far to the left as they go together.
    pub fn listing(&self) -> Vec<(usize, &str)> {
        let indent = |line: &str| line.len() - line.trim_start().len();
        let written = self.lines.iter().skip(1).filter(|line| !line.trim().is_empty());
        let common = written.map(|line| indent(line)).min().unwrap_or(0);
        let cut = |line: &'_ String| indent(line).min(common);
        let numbered = self.lines.iter().enumerate();
        numbered.map(|(index, line)| (self.first + index, line[cut(line)..].trim_end())).collect()
    }
}
