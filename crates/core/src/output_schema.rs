//! The schema of structured answers.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::RawJson;

/// The schema that an answer should match. The text of the answer is then a JSON object. The caller must still validate
/// it, because not every provider enforces the schema and an answer may be cut off.
///
/// ```
/// let shape = turnkit_core::OutputSchema::new("city", r#"{"type":"object","properties":{"name":{"type":"string"}}}"#);
/// assert_eq!(shape.unwrap().name, "city");
/// assert!(turnkit_core::OutputSchema::new("city", "7").is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OutputSchema {
    /// The name of the schema, for the model: letters, digits, `_` and `-`, at most 64.
    pub name: String,
    /// The JSON Schema, an object.
    pub schema: RawJson,
}

/// Why a schema was rejected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OutputSchemaError {
    /// The name is invalid: providers do not accept it.
    #[error("name: expected 1 to 64 letters, digits, `_` and `-`")]
    Name,
    /// The schema is not JSON, or not a JSON object.
    #[error("schema: expected a JSON object: {0}")]
    Schema(String),
    /// The schema does not describe an object. Not every provider accepts other types.
    #[error("schema: expected `\"type\": \"object\"`")]
    Type,
}

impl OutputSchema {
    /// Creates a schema after validating its name and form.
    ///
    /// # Errors
    /// Providers would reject the name or the schema.
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
