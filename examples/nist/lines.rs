//! A text file by its lines: labels, ranges and numbers, and errors that say where.
//!
//! In: the text. Out: pieces of it, or a [`ParseError`] with file and line. Lines are counted from 1,
//! as in the files' own heads.

use std::error::Error;
use std::fmt;
use std::ops::{Range, RangeInclusive};
use std::str::FromStr;

/// What is wrong with a file, and where.
#[derive(Debug)]
pub struct ParseError {
    file: String,
    line: usize,
    message: String,
}

impl ParseError {
    /// An error on `line` (counted from 1) of `file`.
    pub fn new(file: &str, line: usize, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line, message: message.into() }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.message)
    }
}

impl Error for ParseError {}

/// What a reader returns.
pub type Parsed<T> = Result<T, ParseError>;

/// The lines of a file, counted from 1 as in its head.
pub struct Reader<'a> {
    file: &'a str,
    lines: Vec<&'a str>,
}

impl<'a> Reader<'a> {
    /// The lines of `text`; `file` is used in errors only.
    pub fn new(file: &'a str, text: &'a str) -> Self {
        Self { file, lines: text.lines().collect() }
    }

    /// Fails on `line`.
    pub fn fail<T>(&self, line: usize, message: impl Into<String>) -> Parsed<T> {
        Err(ParseError::new(self.file, line, message))
    }

    /// A line, counted from 1.
    pub fn line(&self, line: usize) -> Parsed<&'a str> {
        match self.lines.get(line.wrapping_sub(1)) {
            Some(text) => Ok(text),
            None => self.fail(line, format!("the file ends after {} lines", self.lines.len())),
        }
    }

    /// Fails unless `line` is `text`.
    pub fn expect(&self, line: usize, text: &str) -> Parsed<()> {
        if self.line(line)?.trim() != text {
            return self.fail(line, format!("expected `{text}`"));
        }
        Ok(())
    }

    /// The only line whose trimmed text `pick` accepts, with what `pick` made of it.
    pub fn find<T>(&self, what: &str, pick: impl Fn(&'a str) -> Option<T>) -> Parsed<(usize, T)> {
        let mut found =
            self.lines.iter().enumerate().filter_map(|(i, text)| Some((i + 1, pick(text.trim())?)));
        let Some(first) = found.next() else {
            return self.fail(self.lines.len(), format!("{what}: not found"));
        };
        match found.next() {
            Some((line, _)) => self.fail(line, format!("{what}: already on line {}", first.0)),
            None => Ok(first),
        }
    }

    /// A range of lines promised by the head: `LABEL   (lines 41 to 43)`.
    pub fn range(&self, label: &str) -> Parsed<RangeInclusive<usize>> {
        let (line, text) = self.find(label, |text| {
            let text = text.strip_prefix("File Format:   ASCII").unwrap_or(text);
            let (_, range) = text.split_once(label)?;
            range.trim().strip_prefix("(lines")?.strip_suffix(')')
        })?;
        let Some((start, end)) = text.split_once("to") else {
            return self.fail(line, "expected `(lines FIRST to LAST)`");
        };
        let (start, end) = (self.number(line, start)?, self.number(line, end)?);
        self.line(end)?;
        if start < 2 || start > end {
            return self.fail(line, "not a range of lines");
        }
        Ok(start..=end)
    }

    /// The text after `label` within `range`.
    pub fn entry(&self, range: RangeInclusive<usize>, label: &str) -> Parsed<(usize, &'a str)> {
        let (line, text) = self.find(label, |text| text.strip_prefix(label))?;
        if !range.contains(&line) {
            return self.fail(line, format!("`{label}` outside of lines {range:?}"));
        }
        Ok((line, text))
    }

    /// `3 NOUN ..`
    pub fn count(&self, line: usize, noun: &str) -> Parsed<usize> {
        match self.line(line)?.trim().split_once(' ') {
            Some((count, rest)) if rest.starts_with(noun) => self.number(line, count),
            _ => self.fail(line, format!("expected a number of {noun}")),
        }
    }

    /// The first line with text among `lines`, and all their words in one line.
    pub fn text(&self, lines: Range<usize>) -> Parsed<(usize, String)> {
        let words = |line: usize| self.lines[line - 1].split_whitespace();
        let Some(first) = lines.clone().find(|&line| words(line).next().is_some()) else {
            return self.fail(lines.start, "expected text");
        };
        Ok((first, lines.flat_map(words).collect::<Vec<_>>().join(" ")))
    }

    /// The number after that of the last line.
    pub fn end(&self) -> usize {
        self.lines.len() + 1
    }

    /// All numbers of `text`, which is on `line`.
    pub fn numbers(&self, line: usize, text: &str) -> Parsed<Vec<f64>> {
        text.split_whitespace().map(|word| self.real(line, word)).collect()
    }

    /// A finite number.
    pub fn real(&self, line: usize, text: &str) -> Parsed<f64> {
        match self.number::<f64>(line, text)? {
            number if number.is_finite() => Ok(number),
            number => self.fail(line, format!("`{number}` is not finite")),
        }
    }

    /// The number that is `text`, which is on `line`.
    pub fn number<T: FromStr>(&self, line: usize, text: &str) -> Parsed<T> {
        match text.trim().parse() {
            Ok(number) => Ok(number),
            Err(_) => self.fail(line, format!("`{}` is not a number", text.trim())),
        }
    }
}
