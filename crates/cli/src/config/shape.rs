//! The shape of an answer, written as a JSON text: a table of TOML would not keep the order of its properties.

use std::sync::Arc;

use turnkit_core::{OutputSchema, OutputSchemaError};

/// What a model is told the shape is called.
const NAME: &str = "answer";

/// The shape that `text` says, or why it says none.
pub(super) fn read(text: &str) -> Result<Arc<OutputSchema>, String> {
    OutputSchema::new(NAME, text).map(Arc::new).map_err(|error| match error {
        OutputSchemaError::Schema(why) => format!("`output_schema` is not the JSON of a schema: {why}"),
        OutputSchemaError::Type | OutputSchemaError::Name => {
            "`output_schema` must be for an object: it needs `\"type\": \"object\"`".to_owned()
        }
    })
}
