//! Schemas whose objects allow no additional properties, as Anthropic requires.
//!
//! Properties keep their order, because a model writes them in that order.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

use super::keywords::{LISTED, NAMED, ONE, all_fit, is_object, is_taken};

/// Returns the schema with every object limited to its declared properties. Any value that matches the result also
/// matches the original. `None` if this is impossible, or if the schema has a keyword that Anthropic rejects.
pub(super) fn closed(schema: &str) -> Option<Box<RawValue>> {
    let read: Value = serde_json::from_str(schema).ok()?;
    if all_fit(&read, can_be_closed) { close(serde_json::from_str(schema).ok()?) } else { None }
}

/// Reports whether the API accepts a schema, and the schema allows no additional properties.
fn can_be_closed(schema: &Map<String, Value>) -> bool {
    let is_few = |least: &Value| least.as_u64().is_some_and(|least| least <= 1);
    let is_closed = schema.get("additionalProperties").is_none_or(|others| *others == false);
    let has_properties = !is_object(schema) || schema.contains_key("properties");
    is_taken(schema, &["default", "minItems"])
        && schema.get("minItems").is_none_or(is_few)
        && is_closed
        && has_properties
}

fn close(schema: Box<RawValue>) -> Option<Box<RawValue>> {
    let Ok(Fields(mut fields)) = serde_json::from_str(schema.get()) else { return Some(schema) };
    for (word, value) in &mut fields {
        *value = within(word, std::mem::take(value))?;
    }
    let has_field = |word: &str| fields.iter().any(|(known, _)| known == word);
    if has_field("properties") && !has_field("additionalProperties") {
        fields.push(("additionalProperties".to_owned(), to_raw_value(&false).ok()?));
    }
    to_raw_value(&Fields(fields)).ok()
}

/// Closes every schema within the value of a keyword.
fn within(word: &str, value: Box<RawValue>) -> Option<Box<RawValue>> {
    if word == ONE {
        return close(value);
    }
    if word == LISTED {
        let schemas: Vec<Box<RawValue>> = serde_json::from_str(value.get()).ok()?;
        let closed: Vec<_> = schemas.into_iter().map(close).collect::<Option<_>>()?;
        return to_raw_value(&closed).ok();
    }
    if NAMED.contains(&word) {
        let Fields(schemas) = serde_json::from_str(value.get()).ok()?;
        let closed = schemas.into_iter().map(|(name, schema)| Some((name, close(schema)?)));
        return to_raw_value(&Fields(closed.collect::<Option<_>>()?)).ok();
    }
    Some(value)
}

/// The fields of a JSON object, in order.
struct Fields(Vec<(String, Box<RawValue>)>);

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn objects_are_closed_wherever_they_are_and_properties_keep_their_order() {
        let open = r##"{
            "type": "object",
            "properties": {
                "zip": {"type": "string"},
                "properties": {"type": ["object", "null"], "additionalProperties": false, "properties": {}},
                "list": {"type": "array", "items": {"type": "object", "properties": {}}},
                "either": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/one"}]},
                "city": true
            },
            "required": ["zip"],
            "$defs": {"one": {"properties": {"a": {"default": {"type": "object"}}}}}
        }"##;
        let expected = concat!(
            r#"{"type":"object","properties":{"zip":{"type":"string"},"#,
            r#""properties":{"type":["object", "null"],"additionalProperties":false,"properties":{}},"#,
            r#""list":{"type":"array","items":{"type":"object","properties":{},"additionalProperties":false}},"#,
            r##""either":{"anyOf":[{"type":"null"},{"$ref":"#/$defs/one"}]},"city":true},"required":["zip"],"##,
            r#""$defs":{"one":{"properties":{"a":{"default":{"type": "object"}}},"additionalProperties":false}},"#,
            r#""additionalProperties":false}"#,
        );
        assert_eq!(closed(open).unwrap().get(), expected);
    }

    #[test]
    fn schemas_that_would_lose_constraints_or_be_rejected_are_not_closed() {
        let object = json!({ "type": "object", "properties": { "a": {} } });
        let closes = |inner: &Value| {
            let schema = json!({ "type": "object", "properties": { "inner": inner } });
            closed(&schema.to_string()).is_some()
        };
        for (inner, expected) in [
            (json!({ "anyOf": [object, { "type": "null" }] }), true),
            (json!({ "type": "object" }), false),
            (json!({ "type": ["object", "null"] }), false),
            (json!({ "type": "object", "additionalProperties": false }), false),
            (json!({ "type": "object", "properties": {}, "additionalProperties": true }), false),
            (json!({ "type": "object", "properties": {}, "additionalProperties": {} }), false),
            (json!({ "type": "object", "additionalProperties": { "type": "string" } }), false),
            (json!({ "type": "object", "patternProperties": { "^x": {} } }), false),
            (json!({ "allOf": [object, { "properties": { "b": {} } }] }), false),
            (json!({ "type": "object", "properties": {}, "anyOf": [object, { "properties": { "b": {} } }] }), false),
            (json!({ "properties": {}, "$ref": "#/$defs/more" }), false),
            (json!({ "type": "array", "items": { "allOf": [object] } }), false),
            (json!({ "type": "array", "items": [object] }), false),
            (json!({ "anyOf": [{ "type": "object", "additionalProperties": object }] }), false),
            (json!({ "anyOf": 7 }), false),
            (json!({ "enum": ["allOf", 7, null] }), true),
            (json!({ "enum": [{ "a": 1 }] }), false),
            (json!({ "const": [] }), false),
            (json!({ "type": "string", "format": "date" }), true),
            (json!({ "type": "integer", "format": "uint32" }), false),
            (json!({ "type": "array", "minItems": 1 }), true),
            (json!({ "type": "array", "minItems": 2 }), false),
            (json!({ "default": 7 }), true),
        ] {
            assert_eq!(closes(&inner), expected, "{inner}");
        }
        for word in [
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
            "minLength",
            "maxLength",
            "maxItems",
            "uniqueItems",
            "minProperties",
            "maxProperties",
            "not",
            "if",
        ] {
            assert!(!closes(&json!({ word: 1 })), "{word}");
        }
    }
}
