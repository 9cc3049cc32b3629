//! Errors of a configuration: the location, the problem and a remedy, in one line.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::nearest::nearest;

/// The decisions of rules. In other programs, they are keys with lists of rules.
const DECISIONS: [&str; 4] = ["allow", "notify", "ask", "deny"];

/// The reason why a configuration cannot be used.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ConfigError {
    /// The file with the line, or the environment variable.
    place: Place,
    message: String,
}

#[derive(Debug, PartialEq, Eq)]
enum Place {
    Line(PathBuf, usize),
    File(PathBuf),
    Variable(String),
}

impl ConfigError {
    /// Returns an error about a file as a whole.
    pub(super) fn in_file(file: &Path, message: impl Into<String>) -> Self {
        Self { place: Place::File(file.to_owned()), message: message.into() }
    }

    /// Returns an error about a part of a file's text.
    pub(super) fn at(file: &Path, text: &str, span: Option<Range<usize>>, message: impl Into<String>) -> Self {
        let Some(span) = span else { return Self::in_file(file, message) };
        let line = text.get(..span.start).map_or(1, |before| before.matches('\n').count() + 1);
        Self { place: Place::Line(file.to_owned(), line), message: message.into() }
    }

    /// Returns an error about an environment variable.
    pub(super) fn in_variable(name: &str, message: impl Into<String>) -> Self {
        Self { place: Place::Variable(name.to_owned()), message: message.into() }
    }

    /// Returns the parser's error about a file.
    pub(super) fn of_toml(file: &Path, text: &str, error: &toml::de::Error) -> Self {
        Self::at(file, text, error.span(), with_hint(error.message()))
    }
}

/// Returns the parser's message, with a suggestion for an unknown key or value and without names of Rust types.
pub(super) fn with_hint(message: &str) -> String {
    let message = message.trim();
    let mut quoted = message.split('`').skip(1).step_by(2);
    match quoted.next() {
        Some(unknown) if message.starts_with("unknown field") => unknown_key(unknown, &quoted.collect::<Vec<_>>()),
        Some(unknown) if message.starts_with("unknown variant") => unknown_value(unknown, &quoted.collect::<Vec<_>>()),
        _ => in_words(message).replace('\n', ": "),
    }
}

fn unknown_key(unknown: &str, known: &[&str]) -> String {
    // `[permissions]` is the only table with the key `rules`.
    if known.contains(&"rules") && DECISIONS.contains(&unknown) {
        return format!(
            "unknown key `{unknown}`; write a rule: rules = [{{ tool = \"read_file\", path = \"src/**\", decision = \
             \"{unknown}\" }}]"
        );
    }
    match nearest(unknown, known.iter().copied()) {
        Some(near) => format!("unknown key `{unknown}`; did you mean `{near}`?"),
        None => format!("unknown key `{unknown}`; expected one of {}", known.join(", ")),
    }
}

fn unknown_value(unknown: &str, known: &[&str]) -> String {
    let mut known = known.to_vec();
    // A value that may be written in lower case too is listed twice.
    known.dedup_by(|later, earlier| later.eq_ignore_ascii_case(earlier));
    let hint = nearest(unknown, known.iter().copied()).map(|near| format!(" did you mean `{near}`?"));
    format!("unknown value `{unknown}`;{} expected one of {}", hint.unwrap_or_default(), known.join(", "))
}

/// Rewrites a message of serde: describes kinds of numbers in words instead of as Rust types.
pub(crate) fn in_words(message: &str) -> String {
    let Some((before, expected)) = message.rsplit_once("expected ") else { return message.to_owned() };
    let (kind, rest) = expected.split_at(expected.find([' ', '\n']).unwrap_or(expected.len()));
    let (kind, rest) = match kind {
        // "a nonzero u32"
        "a" => match rest.trim_start().strip_prefix("nonzero ") {
            Some(kind) if kind.starts_with('u') => ("an integer of at least 1", ""),
            _ => return message.to_owned(),
        },
        "u8" => ("an integer from 0 to 255", rest),
        "u16" => ("an integer from 0 to 65535", rest),
        "u32" => ("an integer from 0 to 4294967295", rest),
        "u64" | "usize" => ("an integer of at least 0", rest),
        "i8" | "i16" | "i32" | "i64" | "isize" => ("an integer", rest),
        "f32" | "f64" => ("a number", rest),
        _ => return message.to_owned(),
    };
    format!("{before}expected {kind}{rest}")
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Place::Line(file, line) => write!(f, "{}:{line}: {}", file.display(), self.message),
            Place::File(file) => write!(f, "{}: {}", file.display(), self.message),
            Place::Variable(name) => write!(f, "environment variable {name}: {}", self.message),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::in_words;

    #[test]
    fn kinds_of_numbers_are_named_in_words() {
        for (message, expected) in [
            (
                "invalid type: string \"x\", expected u32",
                "invalid type: string \"x\", expected an integer from 0 to 4294967295",
            ),
            (
                "invalid value: integer `-1`, expected u64",
                "invalid value: integer `-1`, expected an integer of at least 0",
            ),
            (
                "a: invalid value: integer `-1`, expected usize at line 1 column 9",
                "a: invalid value: integer `-1`, expected an integer of at least 0 at line 1 column 9",
            ),
            (
                "invalid value: integer `0`, expected a nonzero u32",
                "invalid value: integer `0`, expected an integer of at least 1",
            ),
            ("invalid type: string \"x\", expected f32", "invalid type: string \"x\", expected a number"),
            ("invalid value: integer `0`, expected at least 1", "invalid value: integer `0`, expected at least 1"),
            ("invalid type: integer `1`, expected a boolean", "invalid type: integer `1`, expected a boolean"),
        ] {
            assert_eq!(in_words(message), expected);
        }
    }
}
