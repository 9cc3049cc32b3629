//! The shape of an answer.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::RawJson;

/// The shape an answer is to have. Its text is then a JSON object; whoever asked still checks it, because not every
/// provider can be held to it, and an answer may be cut.
///
/// ```
/// let shape = turnkit_core::OutputSchema::new("city", r#"{"type":"object","properties":{"name":{"type":"string"}}}"#);
/// assert_eq!(shape.unwrap().name, "city");
/// assert!(turnkit_core::OutputSchema::new("city", "7").is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OutputSchema {
    /// What it is called, for the model: letters, digits, `_` and `-`, at most 64.
    pub name: String,
    /// Its JSON Schema, an object.
    pub schema: RawJson,
}

/// Why something is no shape for an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OutputSchemaError {
    /// Providers take other names, but not this one.
    #[error("name: expected 1 to 64 letters, digits, `_` and `-`")]
    Name,
    /// It is not JSON, or is another value.
    #[error("schema: expected a JSON object: {0}")]
    Schema(String),
    /// It is for something other than an object, which is all that every provider takes.
    #[error("schema: expected `\"type\": \"object\"`")]
    Type,
}

impl OutputSchema {
    /// A shape.
    ///
    /// # Errors
    /// Providers would refuse the name or the schema.
    pub fn new(name: impl Into<String>, schema: &str) -> Result<Self, OutputSchemaError> {
        let name = name.into();
        let is_legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        if !(1..=64).contains(&name.len()) || !name.bytes().all(is_legal) {
            return Err(OutputSchemaError::Name);
        }
        let wrong = |error: serde_json::Error| OutputSchemaError::Schema(error.to_string());
        let schema = RawJson::parse(schema).map_err(wrong)?;
        let object: Map<String, Value> = schema.read().map_err(wrong)?;
        if object.get("type").and_then(Value::as_str) != Some("object") {
            return Err(OutputSchemaError::Type);
        }
        Ok(Self { name, schema })
    }
}

impl<'de> Deserialize<'de> for OutputSchema {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Written {
            #[serde(default = "unnamed")]
            name: String,
            schema: RawJson,
        }
        fn unnamed() -> String {
            "answer".to_owned()
        }
        let Written { name, schema } = Written::deserialize(deserializer)?;
        Self::new(name, schema.get()).map_err(serde::de::Error::custom)
    }
}
