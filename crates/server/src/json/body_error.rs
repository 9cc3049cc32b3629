//! The error of reading a body. It never contains the value that was sent.

use std::fmt;

use serde::de::{Error, Expected, Unexpected};
use serde_path_to_error::{Path, Segment};

use super::repeatable;
use crate::error::ApiError;

/// The error of reading a value. Its text comes from the expected types, never from the request.
#[derive(Debug)]
pub(super) enum BodyError {
    /// The value does not meet this requirement.
    Value(String),
    /// The object lacks this field.
    Missing(&'static str),
    /// The object has this field more than once.
    Twice(&'static str),
    /// The object has a field that its type does not have.
    Unknown,
}

impl BodyError {
    /// Returns the error response for a body that is invalid at `path`.
    pub(super) fn at(self, path: &Path) -> ApiError {
        let mut place = place(path);
        if let Self::Missing(name) | Self::Twice(name) = self {
            push_name(&mut place, name);
        }
        ApiError::field(if place.is_empty() { "body" } else { &place }, self)
    }
}

/// Returns the location of a path, such as `parts[1].url`.
fn place(path: &Path) -> String {
    let mut place = String::new();
    for segment in path {
        match segment {
            Segment::Seq { index } => place.push_str(&format!("[{index}]")),
            // Only the last key of a path can be unknown, so only that one is checked.
            Segment::Map { key } => push_name(&mut place, repeatable(key).unwrap_or("(another field)")),
            // Serde reports an unknown variant exactly as sent, so it is left out.
            Segment::Enum { .. } | Segment::Unknown => {}
        }
    }
    place
}

fn push_name(place: &mut String, name: &str) {
    if !place.is_empty() {
        place.push('.');
    }
    place.push_str(name);
}

impl fmt::Display for BodyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Value(why) => why,
            Self::Missing(_) => "missing",
            Self::Twice(_) => "given twice",
            Self::Unknown => "unknown field",
        })
    }
}

impl std::error::Error for BodyError {}

impl Error for BodyError {
    /// Drops the message, which may repeat the value.
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self::Value("cannot be read".to_owned())
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::Value(format!("must be {expected}"))
    }

    /// Keeps the message that a function of [`text`](super::text) passes as the expectation.
    fn invalid_value(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::Value(expected.to_string())
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        let names = match expected {
            [] => "something else".to_owned(),
            [only] => (*only).to_owned(),
            [first @ .., last] => format!("{} or {last}", first.join(", ")),
        };
        Self::Value(format!("must be {names}"))
    }

    fn unknown_field(_: &str, _: &'static [&'static str]) -> Self {
        Self::Unknown
    }

    fn missing_field(field: &'static str) -> Self {
        Self::Missing(field)
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::Twice(field)
    }
}
