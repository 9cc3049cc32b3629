//! JSON Schemas of Rust types, as models are sent them.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};

/// Returns the JSON Schema of a type. Types within it are written where they occur, because not every provider resolves
/// references.
pub(crate) fn schema_of<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
    });
    settings.into_generator().into_root_schema_for::<T>()
}
