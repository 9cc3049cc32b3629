//! What is wrong with a configuration: where, what, and the way out, in one line.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Why a configuration cannot be used.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ConfigError {
    /// The file and the line in it, or the environment variable.
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
    /// Something about a file as a whole.
    pub(super) fn in_file(file: &Path, message: impl Into<String>) -> Self {
        Self { place: Place::File(file.to_owned()), message: message.into() }
    }

    /// Something about a part of a file's text.
    pub(super) fn at(file: &Path, text: &str, span: Option<Range<usize>>, message: impl Into<String>) -> Self {
        let Some(span) = span else { return Self::in_file(file, message) };
        let line = text.get(..span.start).map_or(1, |before| before.matches('\n').count() + 1);
        Self { place: Place::Line(file.to_owned(), line), message: message.into() }
    }

    /// Something about an environment variable.
    pub(super) fn in_variable(name: &str, message: impl Into<String>) -> Self {
        Self { place: Place::Variable(name.to_owned()), message: message.into() }
    }

    /// What the parser said about a file.
    pub(super) fn of_toml(file: &Path, text: &str, error: &toml::de::Error) -> Self {
        Self::at(file, text, error.span(), with_hint(error.message()))
    }
}

/// For an unknown key, the nearest one there is instead of all of them.
pub(super) fn with_hint(message: &str) -> String {
    let message = message.trim();
    let mut quoted = message.split('`').skip(1).step_by(2);
    match (message.starts_with("unknown field") || message.starts_with("unknown variant"), quoted.next()) {
        (true, Some(unknown)) => {
            let what = if message.starts_with("unknown field") { "key" } else { "value" };
            let known: Vec<&str> = quoted.collect();
            let nearest = known
                .iter()
                .max_by(|a, b| strsim::jaro_winkler(unknown, a).total_cmp(&strsim::jaro_winkler(unknown, b)));
            match nearest {
                Some(near) if strsim::jaro_winkler(unknown, near) > 0.8 => {
                    format!("unknown {what} `{unknown}`; did you mean `{near}`?")
                }
                _ => format!("unknown {what} `{unknown}`; known are {}", known.join(", ")),
            }
        }
        _ => message.replace('\n', ": "),
    }
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
