//! JSON values in a configuration.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

/// A JSON value in a configuration.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "a table, or a JSON string")]
pub(crate) enum JsonConfig {
    /// A table.
    Table(Map<String, Value>),
    /// A JSON string.
    Text(String),
}

impl JsonConfig {
    /// Returns the JSON value.
    ///
    /// # Errors
    /// The text is not JSON.
    pub(crate) fn value(&self) -> Result<Value, serde_json::Error> {
        match self {
            Self::Table(table) => Ok(Value::Object(table.clone())),
            Self::Text(text) => serde_json::from_str(text),
        }
    }

    /// Returns the JSON as a text.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Table(table) => Value::Object(table.clone()).to_string(),
            Self::Text(text) => text.clone(),
        }
    }
}
