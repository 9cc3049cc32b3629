//! The shape an answer is to have: what the wires say about it.

use std::borrow::Cow;

use serde_json::{Map, Value};
use turnkit_core::{ChatRequest, OutputSchema};

use super::json::{write_json, write_text};

/// What holds schemas in a schema, one each.
const INNER: [&str; 3] = ["items", "additionalProperties", "contains"];
/// What holds several under names.
const NAMED: [&str; 3] = ["properties", "$defs", "definitions"];
/// What holds several in a list.
const LISTED: [&str; 3] = ["anyOf", "oneOf", "allOf"];

/// The instructions; with the shape of the answer in them, for who has no other way to be told.
pub(super) fn instructions_with<'a>(request: &'a ChatRequest, shape: Option<&OutputSchema>) -> Option<Cow<'a, str>> {
    let own = request.instructions.as_deref().filter(|text| !text.trim().is_empty());
    let Some(shape) = shape else { return own.map(Cow::Borrowed) };
    let schema = shape.schema.get();
    let told = format!("Answer with nothing but a JSON object that fits this JSON Schema:\n{schema}");
    Some(own.map_or(told.clone(), |own| format!("{own}\n\n{told}")).into())
}

/// What OpenAI's wires say of a shape, inside of an object: its name, its schema, and whether answers are held to it.
pub(super) fn write_shape(body: &mut Vec<u8>, shape: &OutputSchema) {
    body.extend_from_slice(b"\"name\":");
    write_text(body, &shape.name);
    body.extend_from_slice(b",\"schema\":");
    body.extend_from_slice(shape.schema.get().as_bytes());
    body.extend_from_slice(b",\"strict\":");
    write_json(body, &is_strict(shape));
}

/// Whether OpenAI's strict mode takes the schema: every object says that it has nothing but its properties, and needs all
/// of them.
fn is_strict(shape: &OutputSchema) -> bool {
    fn check(schema: &Value) -> bool {
        let Some(object) = schema.as_object() else { return true };
        let properties = object.get("properties").and_then(Value::as_object);
        let required = |name: &String| {
            let required = object.get("required").and_then(Value::as_array);
            required.is_some_and(|required| required.iter().any(|required| required == name))
        };
        let is_closed = object.get("additionalProperties") == Some(&Value::Bool(false));
        let is_fine = !is_object(object) || is_closed && properties.is_none_or(|all| all.keys().all(required));
        let is_known = !["oneOf", "allOf", "not", "patternProperties"].iter().any(|word| object.contains_key(*word));
        is_fine && is_known && inner(object).all(check)
    }
    shape.schema.read::<Value>().is_ok_and(|schema| check(&schema))
}

fn is_object(schema: &Map<String, Value>) -> bool {
    schema.get("type").and_then(Value::as_str) == Some("object") || schema.contains_key("properties")
}

fn inner(schema: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    let one = INNER.iter().filter_map(|word| schema.get(*word));
    let named = NAMED.iter().filter_map(|word| schema.get(*word)?.as_object()).flat_map(Map::values);
    let listed = LISTED.iter().filter_map(|word| schema.get(*word)?.as_array()).flatten();
    one.chain(named).chain(listed)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shape(schema: &Value) -> OutputSchema {
        OutputSchema::new("shape", &schema.to_string()).unwrap()
    }

    #[test]
    fn a_schema_is_strict_if_every_object_needs_exactly_its_properties() {
        let strict = |inner: Value| {
            let schema =
                json!({"type": "object", "properties": {"a": inner}, "required": ["a"], "additionalProperties": false});
            is_strict(&shape(&schema))
        };
        for (inner, expected) in [
            (json!({"type": "string"}), true),
            (json!({"type": "object", "properties": {}, "additionalProperties": false}), true),
            (json!({"type": "object", "properties": {}}), false),
            (json!({"properties": {"b": {}}, "additionalProperties": false}), false),
            (json!({"type": "array", "items": {"type": "object"}}), false),
            (json!({"oneOf": []}), false),
            (json!(true), true),
        ] {
            assert_eq!(strict(inner.clone()), expected, "{inner}");
        }
        assert!(!is_strict(&shape(&json!({"type": "object", "properties": {"a": {}}}))));
    }
}
