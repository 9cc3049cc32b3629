//! The JSON Schema keywords that vendors enforce, and the keywords that contain other schemas.
//!
//! A vendor rejects a request with a keyword that it does not support. So only keywords known to be supported are
//! listed. A schema with any other keyword is passed to the model in a weaker form.

use serde_json::{Map, Value};

/// Keywords that both OpenAI's strict mode and Anthropic support.
const TAKEN: [&str; 15] = [
    "$defs",
    "$ref",
    "$schema",
    "additionalProperties",
    "anyOf",
    "const",
    "definitions",
    "description",
    "enum",
    "format",
    "items",
    "properties",
    "required",
    "title",
    "type",
];
/// Values of `format` that both support.
const FORMATS: [&str; 9] = ["date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uuid"];
/// The keyword that contains a schema.
pub(super) const ONE: &str = "items";
/// Keywords that contain several schemas by name.
pub(super) const NAMED: [&str; 3] = ["properties", "$defs", "definitions"];
/// The keyword that contains a list of schemas.
pub(super) const LISTED: &str = "anyOf";

/// Reports whether `fits` holds for a schema and for all schemas in it.
pub(super) fn all_fit(schema: &Value, fits: fn(&Map<String, Value>) -> bool) -> bool {
    match schema {
        Value::Object(schema) => fits(schema) && inner(schema).all(|inner| all_fit(inner, fits)),
        other => other.is_boolean(),
    }
}

fn inner(schema: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    let named = NAMED.iter().filter_map(|word| schema.get(*word)?.as_object()).flat_map(Map::values);
    let listed = schema.get(LISTED).and_then(Value::as_array).into_iter().flatten();
    schema.get(ONE).into_iter().chain(named).chain(listed)
}

/// Reports whether a schema, apart from inner schemas, has only keywords that OpenAI and Anthropic support, or those in
/// `more`. An object that is also described by another schema is not supported: limited to the properties of one
/// schema, it could not have those of the other.
pub(super) fn is_taken(schema: &Map<String, Value>, more: &[&str]) -> bool {
    let is_known = |word: &String| TAKEN.contains(&word.as_str()) || more.contains(&word.as_str());
    let formats = schema.get("format").is_none_or(|format| FORMATS.iter().any(|known| format == known));
    let is_plain = |value: &Value| !value.is_object() && !value.is_array();
    let values = schema.get("enum").and_then(Value::as_array).into_iter().flatten().chain(schema.get("const"));
    let is_beside = is_object(schema) && ["anyOf", "$ref"].iter().any(|word| schema.contains_key(*word));
    schema.keys().all(is_known) && formats && values.into_iter().all(is_plain) && !is_beside
}

/// Reports whether the schema describes objects.
pub(super) fn is_object(schema: &Map<String, Value>) -> bool {
    let is_named = |kind: &Value| match kind {
        Value::Array(kinds) => kinds.iter().any(|kind| kind == "object"),
        kind => kind == "object",
    };
    schema.get("type").is_some_and(is_named) || schema.contains_key("properties")
}
