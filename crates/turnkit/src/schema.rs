//! JSON Schemas of Rust types, in the form that is sent to models.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};

/// Returns the JSON Schema of a type. Nested types are inlined, because not every provider resolves references.
pub(crate) fn schema_of<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
    });
    settings.into_generator().into_root_schema_for::<T>()
}
