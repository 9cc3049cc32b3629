//! JSON that is carried, not interpreted.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// One JSON value as its text: cheap to clone, written back byte for byte.
///
/// ```
/// let json = turnkit_core::RawJson::parse(r#"{"b":1,  "a":2}"#).unwrap();
/// assert_eq!(json.get(), r#"{"b":1,  "a":2}"#);
/// ```
#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RawJson(Arc<RawValue>);

impl RawJson {
    /// Takes `text` if it is one JSON value; white space around it is dropped.
    ///
    /// # Errors
    /// Says where `text` stops being JSON.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str::<Box<RawValue>>(text).map(|raw| Self(raw.into()))
    }

    /// The JSON form of `value`.
    ///
    /// # Errors
    /// `value` has a map with keys that are not strings, or its own serialisation failed.
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        serde_json::value::to_raw_value(value).map(|raw| Self(raw.into()))
    }

    /// The text.
    pub fn get(&self) -> &str {
        self.0.get()
    }

    /// Reads the text as a `T`.
    ///
    /// # Errors
    /// The value is not of that shape.
    pub fn read<'a, T: Deserialize<'a>>(&'a self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.get())
    }
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
