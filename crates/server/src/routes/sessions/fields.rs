//! Deserializers for the fields of a session, for `#[serde(deserialize_with = "…")]`. All routes share them, so the
//! checks are the same everywhere.

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use turnkit_core::metadata_contains_nul;

use crate::error::ApiError;
use crate::json::text::invalid;
use crate::settings::Settings;

/// The longest title, in characters.
const TITLE_CHARS: usize = 200;
/// The largest metadata, in bytes of JSON as sent. It is limited because every list of sessions contains it.
const METADATA_BYTES: usize = 16 * 1024;

pub(super) fn title<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Box<str>>, D::Error> {
    let Some(text) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
    if text.chars().count() > TITLE_CHARS {
        return Err(invalid(&format!("must be at most {TITLE_CHARS} characters")));
    }
    if text.chars().any(char::is_control) {
        return Err(invalid("contains a control character"));
    }
    Ok(Some(text.into()))
}

/// Reads an object with any fields that every store accepts.
pub(super) fn metadata<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Map<String, Value>>, D::Error> {
    let Some(sent) = Option::<&'de [u8]>::deserialize(deserializer)? else { return Ok(None) };
    if sent.len() > METADATA_BYTES {
        return Err(invalid(&format!("must be at most {METADATA_BYTES} bytes")));
    }
    let map: Map<String, Value> = serde_json::from_slice(sent).map_err(|_| invalid("must be an object"))?;
    if metadata_contains_nul(&map) { Err(invalid("contains a NUL character")) } else { Ok(Some(map)) }
}

/// Returns the name of a prompt, if it is configured.
pub(super) fn known_prompt(settings: &Settings, name: Box<str>) -> Result<Box<str>, ApiError> {
    if settings.prompts.iter().any(|known| **known == *name) {
        return Ok(name);
    }
    Err(match settings.prompts.as_slice() {
        [] => ApiError::field("prompt", "no prompts are configured"),
        known => {
            ApiError::field("prompt", format_args!("there is no such prompt; the prompts are {}", known.join(", ")))
        }
    })
}

/// Returns the name of a mode, if an agent has it.
pub(super) fn known_mode(settings: &Settings, name: Box<str>) -> Result<Box<str>, ApiError> {
    if settings.modes.iter().any(|known| **known == *name) {
        return Ok(name);
    }
    Err(match settings.modes.as_slice() {
        [] => ApiError::field("mode", "no modes are configured"),
        known => ApiError::field("mode", format_args!("there is no such mode; the modes are {}", known.join(", "))),
    })
}
