//! The shape of an answer, written as a JSON text: a table of TOML would not keep the order of its properties.

use std::sync::Arc;

use serde::Deserialize;
use turnkit_core::{OutputSchema, OutputSchemaError};

/// What a model is told the shape is called.
const NAME: &str = "answer";

/// The shape of an answer, read and checked.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct ShapeConfig(pub(crate) Arc<OutputSchema>);

impl TryFrom<String> for ShapeConfig {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let shape = OutputSchema::new(NAME, &text);
        shape.map(|shape| Self(Arc::new(shape))).map_err(|error| match error {
            OutputSchemaError::Schema(why) => format!("`output_schema` is not the JSON of a schema: {why}"),
            OutputSchemaError::Type | OutputSchemaError::Name => {
                "`output_schema` must be for an object: it needs `\"type\": \"object\"`".to_owned()
            }
        })
    }
}
