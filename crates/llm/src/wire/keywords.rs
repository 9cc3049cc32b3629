//! The words of JSON Schema that vendors hold answers to, and where they hold other schemas.
//!
//! A vendor refuses a request with a word it does not take. So only those are listed that are known to be taken: with any
//! other, the shape is told in a weaker way.

use serde_json::{Map, Value};

/// What OpenAI's strict mode and Anthropic take.
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
/// The values of `format` that they take.
const FORMATS: [&str; 9] = ["date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uuid"];
/// What holds a schema.
pub(super) const ONE: &str = "items";
/// What holds several under names.
pub(super) const NAMED: [&str; 3] = ["properties", "$defs", "definitions"];
/// What holds several in a list.
pub(super) const LISTED: &str = "anyOf";

/// Whether `fits` is true of a schema and of all that are in it.
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

/// Whether a schema itself says nothing but what OpenAI and Anthropic take, or what is in `more`. An object that is
/// described in another place too is not taken: limited to the properties of the one, it could not have the other's.
pub(super) fn is_taken(schema: &Map<String, Value>, more: &[&str]) -> bool {
    let is_known = |word: &String| TAKEN.contains(&word.as_str()) || more.contains(&word.as_str());
    let formats = schema.get("format").is_none_or(|format| FORMATS.iter().any(|known| format == known));
    let is_plain = |value: &Value| !value.is_object() && !value.is_array();
    let values = schema.get("enum").and_then(Value::as_array).into_iter().flatten().chain(schema.get("const"));
    let is_beside = is_object(schema) && ["anyOf", "$ref"].iter().any(|word| schema.contains_key(*word));
    schema.keys().all(is_known) && formats && values.into_iter().all(is_plain) && !is_beside
}

/// Whether what fits may be an object of which something is said.
pub(super) fn is_object(schema: &Map<String, Value>) -> bool {
    let is_named = |kind: &Value| match kind {
        Value::Array(kinds) => kinds.iter().any(|kind| kind == "object"),
        kind => kind == "object",
    };
    schema.get("type").is_some_and(is_named) || schema.contains_key("properties")
}
