//! JSON that is passed through without being interpreted.

use std::fmt;
use std::sync::Arc;

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// Objects and lists nested to this depth or deeper are rejected on arrival. `serde_json` stops reading a [`Value`] at
/// this depth, so every JSON text that is stored can also be read.
pub const JSON_DEPTH_LIMIT: usize = 128;
/// The number of levels of enclosing objects and lists inside which session metadata may be read.
const METADATA_ENVELOPE: usize = 8;

/// A JSON value as text: cheap to clone, written back byte for byte, and nested less deeply than [`JSON_DEPTH_LIMIT`].
///
/// ```
/// let json = turnkit_core::RawJson::parse(r#"{"b":1,  "a":2}"#).unwrap();
/// assert_eq!(json.get(), r#"{"b":1,  "a":2}"#);
/// ```
#[derive(Clone, Serialize)]
#[serde(transparent)]
pub struct RawJson(Arc<RawValue>);

impl RawJson {
    /// Parses `text` as one JSON value. White space around it is dropped.
    ///
    /// # Errors
    /// Reports where `text` stops being valid JSON, or that it is nested too deeply.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// Checks that [`parse`](Self::parse) accepts `text`, without copying it.
    ///
    /// # Errors
    /// As `parse`.
    pub fn check(text: &str) -> Result<(), serde_json::Error> {
        serde_json::from_str::<IgnoredAny>(text)?;
        check_depth(text)
    }

    /// Returns the JSON form of `value`.
    ///
    /// # Errors
    /// `value` has a map with non-string keys, its own serialisation failed, or it is nested too deeply.
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        Self::bounded(serde_json::value::to_raw_value(value)?)
    }

    fn bounded<E: serde::de::Error>(raw: Box<RawValue>) -> Result<Self, E> {
        check_depth(raw.get())?;
        Ok(Self(raw.into()))
    }

    /// Returns an empty object.
    pub fn empty_object() -> Self {
        Self(
            RawValue::from_string("{}".to_owned()).map(Into::into).unwrap_or_else(|_| RawValue::NULL.to_owned().into()),
        )
    }

    /// Returns the JSON text.
    pub fn get(&self) -> &str {
        self.0.get()
    }

    /// Deserializes the text as a `T`.
    ///
    /// # Errors
    /// The value does not have the shape of `T`.
    pub fn read<'a, T: Deserialize<'a>>(&'a self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.get())
    }
}

impl<'de> Deserialize<'de> for RawJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::bounded(Box::<RawValue>::deserialize(deserializer)?)
    }
}

/// Reports whether session metadata is shallow enough to be stored. Metadata is read as part of larger objects, such as
/// a page of sessions, so its depth limit is eight levels lower than that of other JSON.
pub fn is_shallow_metadata(metadata: &Map<String, Value>) -> bool {
    metadata.values().all(|value| is_within_depth(value, METADATA_ENVELOPE + 1))
}

/// Reports whether session metadata contains a NUL character, in a key or in a string. Not every store supports NUL.
pub fn metadata_contains_nul(metadata: &Map<String, Value>) -> bool {
    metadata.iter().any(|(name, value)| name.contains('\0') || json_contains_nul(value))
}

/// Reports whether a JSON value contains a NUL character, in a key or in a string.
pub fn json_contains_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(items) => items.iter().any(json_contains_nul),
        Value::Object(fields) => metadata_contains_nul(fields),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Reports whether `value` stays within the depth limit inside `levels` enclosing objects and lists. Recursion is
/// bounded by the limit.
fn is_within_depth(value: &Value, levels: usize) -> bool {
    let inside = |inner: &Value| is_within_depth(inner, levels + 1);
    match value {
        Value::Array(items) => levels + 1 < JSON_DEPTH_LIMIT && items.iter().all(inside),
        Value::Object(fields) => levels + 1 < JSON_DEPTH_LIMIT && fields.values().all(inside),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    }
}

/// Checks the nesting depth of a valid JSON text.
fn check_depth<E: serde::de::Error>(json: &str) -> Result<(), E> {
    // A text with fewer opening brackets cannot be too deep. Counting them takes less than one instruction per byte.
    if opening_brackets(json) < JSON_DEPTH_LIMIT {
        return Ok(());
    }
    let mut depth = 0_usize;
    for (_, byte) in outside_strings(json.as_bytes()) {
        match byte {
            b'[' | b'{' => {
                depth += 1;
                if depth >= JSON_DEPTH_LIMIT {
                    return Err(E::custom(format_args!("nested {JSON_DEPTH_LIMIT} levels deep or deeper")));
                }
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Ok(())
}

/// Returns the bytes of a valid JSON text that are outside of its strings, with their places.
pub(crate) fn outside_strings(json: &[u8]) -> impl Iterator<Item = (usize, u8)> {
    let (mut in_string, mut escaped) = (false, false);
    json.iter().copied().enumerate().filter(move |(_, byte)| {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => in_string = !in_string,
            _ => return !in_string,
        }
        false
    })
}

/// Counts `[` and `{`, also inside strings. Summing `u8` counters per chunk is vectorized; summing `usize` is not.
fn opening_brackets(json: &str) -> usize {
    let in_chunk = |chunk: &[u8]| chunk.iter().map(|byte| u8::from(matches!(byte, b'[' | b'{'))).sum::<u8>();
    json.as_bytes().chunks(u8::MAX.into()).map(|chunk| usize::from(in_chunk(chunk))).sum()
}

impl PartialEq for RawJson {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl Eq for RawJson {}

impl fmt::Debug for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.get())
    }
}
