//! Parses request bodies. Every error names the field, and none repeats data from the request.

mod body_error;
mod body_value;
mod bounds;
pub(crate) mod on_busy;
pub(crate) mod params;
#[cfg(test)]
mod tests;
pub(crate) mod text;
pub(crate) mod tool_use;

use std::fmt;

use serde::Deserialize;
use serde_json::value::RawValue;

use self::body_value::BodyValue;
use crate::error::{ApiError, ErrorCode};

/// Parses a complete body. A body that is not JSON results in `invalid_json`. For JSON that is not a `T`, the error
/// names the field.
///
/// A field of `T` that is a slice of bytes receives its value unparsed.
pub(crate) fn read<'de, T: Deserialize<'de>>(body: &'de [u8]) -> Result<T, ApiError> {
    let body = std::str::from_utf8(body).map_err(|_| not_json("not UTF-8"))?;
    // Serde stops at the first unexpected field, so the check that all of the body is JSON must come first.
    bounds::check(body)?;
    let whole: &RawValue = serde_json::from_str(body).map_err(|_| not_json("cannot be read"))?;
    serde_path_to_error::deserialize(BodyValue(whole)).map_err(|error| {
        let path = error.path().clone();
        error.into_inner().at(&path)
    })
}

/// Returns the name of an unknown field, if it is certain to be only a name and safe to repeat.
pub(crate) fn repeatable(name: &str) -> Option<&str> {
    let is_name = name.len() <= 64 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    Some(name).filter(|name| is_name && !name.is_empty())
}

fn not_json(why: impl fmt::Display) -> ApiError {
    ApiError::new(ErrorCode::InvalidJson, format!("the body is not JSON: {why}"))
}
