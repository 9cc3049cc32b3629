//! Reads the bodies of requests into types. Every refusal names the field, and none repeats what was sent.

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
use crate::error::{ApiError, Code};

/// Reads a whole body. A body that is not JSON is `invalid_json`; one that is JSON and not a `T` names its field.
///
/// A field of `T` that is a slice of bytes gets its value as it was sent.
pub(crate) fn read<'de, T: Deserialize<'de>>(body: &'de [u8]) -> Result<T, ApiError> {
    let body = std::str::from_utf8(body).map_err(|_| not_json("it is not UTF-8"))?;
    // Serde stops at the first field it does not expect: whether the rest is JSON must be known before.
    bounds::check(body)?;
    let whole: &RawValue = serde_json::from_str(body).map_err(|_| not_json("it cannot be read"))?;
    serde_path_to_error::deserialize(BodyValue(whole)).map_err(|error| {
        let path = error.path().clone();
        error.into_inner().at(&path)
    })
}

/// The name of an unknown field, if it cannot be anything but a name.
pub(crate) fn repeatable(name: &str) -> Option<&str> {
    let is_name = name.len() <= 64 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    Some(name).filter(|name| is_name && !name.is_empty())
}

fn not_json(why: impl fmt::Display) -> ApiError {
    ApiError::new(Code::InvalidJson, format!("the body is not JSON: {why}"))
}
