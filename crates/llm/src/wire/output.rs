//! The required format of an answer, as the wires write it.

use std::borrow::Cow;

use serde_json::{Map, Value};
use turnkit_core::{ChatRequest, OutputSchema};

use super::json::{write_json, write_text};
use super::keywords::{all_fit, is_object, is_taken};

/// Returns the instructions. For vendors without a field for the format of the answer, `shape` is appended to them.
pub(super) fn instructions_with<'a>(request: &'a ChatRequest, shape: Option<&OutputSchema>) -> Option<Cow<'a, str>> {
    let own = request.instructions.as_deref().filter(|text| !text.trim().is_empty());
    let Some(shape) = shape else { return own.map(Cow::Borrowed) };
    let schema = shape.schema.get();
    let instruction = format!("Answer with nothing but a JSON object that fits this JSON Schema:\n{schema}");
    Some(own.map_or(instruction.clone(), |own| format!("{own}\n\n{instruction}")).into())
}

/// Writes a format as the inside of an object for OpenAI's wires: its name, its schema, and whether answers must match
/// it strictly.
pub(super) fn write_shape(body: &mut Vec<u8>, shape: &OutputSchema) {
    body.extend_from_slice(b"\"name\":");
    write_text(body, &shape.name);
    body.extend_from_slice(b",\"schema\":");
    body.extend_from_slice(shape.schema.get().as_bytes());
    body.extend_from_slice(b",\"strict\":");
    write_json(body, &is_strict(shape));
}

/// Keywords that OpenAI's strict mode supports and Anthropic does not.
const BOUNDS: [&str; 8] =
    ["exclusiveMaximum", "exclusiveMinimum", "maxItems", "maximum", "minItems", "minimum", "multipleOf", "pattern"];

/// Reports whether OpenAI's strict mode supports the schema. It requires that every object excludes additional
/// properties and requires all of its properties.
fn is_strict(shape: &OutputSchema) -> bool {
    fn fits(schema: &Map<String, Value>) -> bool {
        let properties = schema.get("properties").and_then(Value::as_object);
        let required = |name: &String| {
            let required = schema.get("required").and_then(Value::as_array);
            required.is_some_and(|required| required.iter().any(|required| required == name))
        };
        let is_closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
        let is_fine = !is_object(schema) || is_closed && properties.is_none_or(|all| all.keys().all(required));
        is_fine && is_taken(schema, &BOUNDS)
    }
    shape.schema.read::<Value>().is_ok_and(|schema| all_fit(&schema, fits))
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
            (json!({"type": ["object", "null"], "properties": {"b": {}}, "required": ["b"]}), false),
            (json!({"type": ["object", "null"]}), false),
            (json!({"type": "integer", "minimum": 1}), true),
            (json!({"type": "string", "pattern": "^a"}), true),
            (json!({"anyOf": [{"type": "string"}, {"type": "object"}]}), false),
            (json!({"oneOf": []}), false),
            (json!({"if": {}}), false),
            (json!({"dependentSchemas": {}}), false),
            (json!({"type": "string", "default": "b"}), false),
            (json!({"type": "string", "minLength": 1}), false),
            (json!(true), true),
        ] {
            assert_eq!(strict(inner.clone()), expected, "{inner}");
        }
        assert!(!is_strict(&shape(&json!({"type": "object", "properties": {"a": {}}}))));
    }
}
