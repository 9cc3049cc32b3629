//! Schemas whose objects have nothing but their properties, which is all that Anthropic takes.
//!
//! Properties stay in their order, because that is the order in which a model writes them.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

/// What holds a schema in a schema.
const ONE: [&str; 2] = ["items", "contains"];
/// What holds several under names.
const NAMED: [&str; 3] = ["properties", "$defs", "definitions"];
/// What holds several in a list.
const LISTED: [&str; 3] = ["anyOf", "oneOf", "prefixItems"];
/// What describes an object in another place too: limited to the properties of the one, it could not have those of the
/// other.
const BESIDE: [&str; 6] = ["anyOf", "oneOf", "$ref", "if", "patternProperties", "dependentSchemas"];

/// The schema with every object limited to its properties: what fits it, fits the schema. `None` where there is none like
/// that, because an object is described in several places, or has properties of any name.
pub(super) fn closed(schema: &str) -> Option<Box<RawValue>> {
    close(serde_json::from_str(schema).ok()?)
}

fn close(schema: Box<RawValue>) -> Option<Box<RawValue>> {
    let Ok(Fields(mut fields)) = serde_json::from_str(schema.get()) else { return Some(schema) };
    let value = |word: &str| fields.iter().find(|(known, _)| known == word).map(|(_, value)| value.get());
    if value("allOf").is_some() {
        return None;
    }
    let is_object = value("properties").is_some() || value("type").is_some_and(|types| types.contains("\"object\""));
    if is_object {
        let others = value("additionalProperties").unwrap_or("false");
        if !["false", "true", "{}"].contains(&others) || BESIDE.iter().any(|word| value(word).is_some()) {
            return None;
        }
        fields.retain(|(word, _)| word != "additionalProperties");
    }
    for (word, value) in &mut fields {
        *value = within(word, std::mem::take(value))?;
    }
    if is_object {
        fields.push(("additionalProperties".to_owned(), to_raw_value(&false).ok()?));
    }
    to_raw_value(&Fields(fields)).ok()
}

/// What a word of a schema says, with every schema in it closed.
fn within(word: &str, value: Box<RawValue>) -> Option<Box<RawValue>> {
    if ONE.contains(&word) {
        return close(value);
    }
    if LISTED.contains(&word) {
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

/// The fields of a JSON object, in their order.
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
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn objects_are_closed_wherever_they_are_and_properties_keep_their_order() {
        let open = r##"{
            "type": "object",
            "properties": {
                "zip": {"type": "string"},
                "properties": {"type": ["object", "null"], "additionalProperties": true},
                "list": {"type": "array", "items": {"type": "object", "properties": {}}},
                "either": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/one"}]},
                "city": true
            },
            "required": ["zip"],
            "$defs": {"one": {"additionalProperties": {}, "properties": {"a": {"const": {"type": "object"}}}}}
        }"##;
        let expected = concat!(
            r#"{"type":"object","properties":{"zip":{"type":"string"},"#,
            r#""properties":{"type":["object", "null"],"additionalProperties":false},"#,
            r#""list":{"type":"array","items":{"type":"object","properties":{},"additionalProperties":false}},"#,
            r##""either":{"anyOf":[{"type":"null"},{"$ref":"#/$defs/one"}]},"city":true},"required":["zip"],"##,
            r#""$defs":{"one":{"properties":{"a":{"const":{"type": "object"}}},"additionalProperties":false}},"#,
            r#""additionalProperties":false}"#,
        );
        assert_eq!(closed(open).unwrap().get(), expected);
    }

    #[test]
    fn what_cannot_be_closed_without_losing_something_is_left_to_others() {
        let object = json!({ "type": "object", "properties": { "a": {} } });
        let closes = |inner: &Value| {
            let schema = json!({ "type": "object", "properties": { "inner": inner } });
            closed(&schema.to_string()).is_some()
        };
        for (inner, expected) in [
            (json!({ "anyOf": [object, { "type": "null" }] }), true),
            (json!({ "type": "object", "additionalProperties": { "type": "string" } }), false),
            (json!({ "type": "object", "patternProperties": { "^x": {} } }), false),
            (json!({ "allOf": [object, { "properties": { "b": {} } }] }), false),
            (json!({ "type": "object", "properties": {}, "anyOf": [object, { "properties": { "b": {} } }] }), false),
            (json!({ "properties": {}, "$ref": "#/$defs/more" }), false),
            (json!({ "type": "array", "items": { "allOf": [object] } }), false),
            (json!({ "anyOf": [{ "type": "object", "additionalProperties": object }] }), false),
            (json!({ "anyOf": 7 }), false),
            (json!({ "enum": [{ "allOf": [] }] }), true),
        ] {
            assert_eq!(closes(&inner), expected, "{inner}");
        }
    }
}
