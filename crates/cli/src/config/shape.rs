//! The output schema of an agent, written as JSON text because a TOML table would not keep the order of its properties.

use std::sync::Arc;

use turnkit_core::{OutputSchema, OutputSchemaError};

/// The name of the schema that is sent to models.
const NAME: &str = "answer";

/// Parses the schema in `text`. The error says why it is not valid.
pub(super) fn read(text: &str) -> Result<Arc<OutputSchema>, String> {
    OutputSchema::new(NAME, text).map(Arc::new).map_err(|error| match error {
        OutputSchemaError::Schema(why) => format!("`output_schema` is not the JSON of a schema: {why}"),
        OutputSchemaError::Type | OutputSchemaError::Name => {
            "`output_schema` must be for an object: it needs `\"type\": \"object\"`".to_owned()
        }
    })
}
