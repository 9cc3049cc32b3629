//! Tool schemas that every provider accepts: an object at the top level, without alternatives. Deeper levels stay
//! unchanged.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use turnkit_core::RawJson;

use super::SchemaRule;

/// Keywords that must not occur at the top level of a schema.
const ALTERNATIVES: [&str; 3] = ["allOf", "anyOf", "oneOf"];
/// Keywords that may reject null whatever `type` says.
const COMPOUND: [&str; 8] = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "const", "if"];

/// Returns the adapted form of a schema; `None` if it need not change.
pub(super) fn normalised(schema: &RawJson, rule: SchemaRule) -> Option<RawJson> {
    if rule == SchemaRule::AsDeclared && schema.read::<Top<'_>>().is_ok_and(|top| top.is_fine()) {
        return None;
    }
    let mut object = match schema.read::<Value>() {
        Ok(Value::Object(object)) if !object.is_empty() => merged(object),
        // An empty schema accepts any value.
        _ => Map::from_iter([("additionalProperties".to_owned(), json!(true))]),
    };
    object.insert("type".to_owned(), json!("object"));
    let properties = object.entry("properties").or_insert_with(|| json!({}));
    if !properties.is_object() {
        *properties = json!({});
    }
    if rule == SchemaRule::StrictRequired {
        require_all(&mut object);
    }
    RawJson::of(&object).ok()
}

/// Makes every property required. Optional properties become nullable, so that a model can leave them out.
fn require_all(object: &mut Map<String, Value>) {
    let required = words(object.get("required"));
    let mut all = Vec::new();
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        for (name, schema) in properties {
            if !required.contains(name) {
                make_nullable(schema);
            }
            all.push(name.clone());
        }
    }
    object.insert("required".to_owned(), json!(all));
    object.remove("strict");
}

/// Makes a schema match null, too.
fn make_nullable(schema: &mut Value) {
    let Value::Object(object) = schema else { return };
    if COMPOUND.iter().any(|word| object.contains_key(*word)) {
        *schema = json!({ "anyOf": [schema.take(), { "type": "null" }] });
        return;
    }
    let kinds = match object.remove("type") {
        Some(Value::String(kind)) if kind != "null" => Some(json!([kind, "null"])),
        Some(Value::Array(mut kinds)) => {
            add_if_absent(&mut kinds, json!("null"));
            Some(Value::Array(kinds))
        }
        kinds => kinds,
    };
    object.extend(kinds.map(|kinds| ("type".to_owned(), kinds)));
    if let Some(Value::Array(values)) = object.get_mut("enum") {
        add_if_absent(values, Value::Null);
    }
}

fn add_if_absent(values: &mut Vec<Value>, value: Value) {
    if !values.contains(&value) {
        values.push(value);
    }
}

/// The keywords at the top level of a schema that may need a change.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Top<'a> {
    #[serde(borrow, default)]
    r#type: Option<&'a RawValue>,
    #[serde(borrow, default)]
    properties: Option<&'a RawValue>,
    #[serde(borrow, default)]
    all_of: Option<&'a RawValue>,
    #[serde(borrow, default)]
    any_of: Option<&'a RawValue>,
    #[serde(borrow, default)]
    one_of: Option<&'a RawValue>,
}

impl Top<'_> {
    fn is_fine(&self) -> bool {
        let is_object = |value: Option<&RawValue>| value.is_some_and(|value| value.get().starts_with('{'));
        let alternatives = [self.all_of, self.any_of, self.one_of];
        self.r#type.is_some_and(|word| word.get() == "\"object\"")
            && is_object(self.properties)
            && alternatives.iter().all(Option::is_none)
    }
}

/// Merges the properties of the alternatives into the object. A property is required if every alternative that may hold
/// requires it.
fn merged(mut object: Map<String, Value>) -> Map<String, Value> {
    let mut required = words(object.get("required"));
    let had_required = object.contains_key("required");
    let mut found = false;
    for keyword in ALTERNATIVES {
        let Some(Value::Array(alternatives)) = object.remove(keyword) else { continue };
        let alternatives: Vec<Map<String, Value>> =
            alternatives.into_iter().filter_map(as_object).map(merged).collect();
        let each = alternatives.iter().map(|alternative| words(alternative.get("required")));
        let demanded = match keyword {
            "allOf" => each.reduce(|all, more| &all | &more),
            _ => each.reduce(|both, more| &both & &more),
        };
        required.extend(demanded.unwrap_or_default());
        found = true;
        for alternative in alternatives {
            add_properties(&mut object, alternative, keyword);
        }
    }
    if had_required || (found && !required.is_empty()) {
        object.insert("required".to_owned(), json!(required));
    }
    object
}

/// Adds the properties of an alternative. If a property exists already, either schema or both must match, depending on
/// `keyword`.
fn add_properties(object: &mut Map<String, Value>, alternative: Map<String, Value>, keyword: &str) {
    let Some(Value::Object(more)) = alternative.into_iter().find(|(key, _)| key == "properties").map(|(_, all)| all)
    else {
        return;
    };
    let properties = object.entry("properties").or_insert_with(|| json!({}));
    let Value::Object(properties) = properties else { return };
    for (name, schema) in more {
        match properties.get_mut(&name) {
            None => drop(properties.insert(name, schema)),
            Some(there) if *there == schema => {}
            Some(there) => {
                let keyword = if keyword == "allOf" { "allOf" } else { "anyOf" };
                *there = json!({ keyword: [there.take(), schema] });
            }
        }
    }
}

fn as_object(value: Value) -> Option<Map<String, Value>> {
    match value {
        Value::Object(object) => Some(object),
        _ => None,
    }
}

fn words(list: Option<&Value>) -> BTreeSet<String> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adapted(schema: &Value, rule: SchemaRule) -> Value {
        let schema = RawJson::of(schema).unwrap();
        normalised(&schema, rule).unwrap_or(schema).read().unwrap()
    }

    fn object(properties: &Value, required: &[&str]) -> Value {
        json!({ "type": "object", "properties": properties, "required": required })
    }

    #[test]
    fn a_schema_becomes_an_object_without_alternatives_at_its_top() {
        let (a, b, c) = (json!({ "type": "string" }), json!({ "type": "integer" }), json!({ "oneOf": [{}, {}] }));
        let everything = json!({ "type": "object", "properties": {}, "additionalProperties": true });
        for (schema, expected) in [
            (object(&json!({ "a": a, "c": c }), &["a"]), object(&json!({ "a": a, "c": c }), &["a"])),
            (json!(null), everything.clone()),
            (json!(true), everything.clone()),
            (json!({}), everything),
            (json!({ "type": "string" }), json!({ "type": "object", "properties": {} })),
            (json!({ "type": "object", "properties": null }), json!({ "type": "object", "properties": {} })),
            (json!({ "type": ["object", "null"] }), json!({ "type": "object", "properties": {} })),
            (json!({ "properties": { "a": a } }), json!({ "type": "object", "properties": { "a": a } })),
            (
                json!({ "allOf": [object(&json!({ "a": a }), &["a"]), object(&json!({ "b": b }), &["b"])] }),
                object(&json!({ "a": a, "b": b }), &["a", "b"]),
            ),
            (
                json!({ "anyOf": [object(&json!({ "a": a, "b": b }), &["a", "b"]), object(&json!({ "a": b }), &["a"])] }),
                object(&json!({ "a": { "anyOf": [a, b] }, "b": b }), &["a"]),
            ),
            (
                json!({ "type": "object", "properties": { "a": a }, "required": ["a"], "oneOf": [{ "required": ["b"] }, { "required": ["c"] }] }),
                object(&json!({ "a": a }), &["a"]),
            ),
            (
                json!({ "oneOf": [{ "allOf": [object(&json!({ "a": a }), &["a"])] }, { "type": "null" }] }),
                json!({ "type": "object", "properties": { "a": a } }),
            ),
        ] {
            assert_eq!(adapted(&schema, SchemaRule::AsDeclared), expected, "{schema}");
        }
    }

    #[test]
    fn a_schema_that_is_fine_stays_byte_for_byte() {
        let schema = RawJson::parse(r#"{"type": "object", "required": [], "properties": {"b": {}, "a": {}}}"#).unwrap();
        assert_eq!(normalised(&schema, SchemaRule::AsDeclared), None);
    }

    #[test]
    fn strict_required_makes_every_property_required() {
        let schema = json!({ "type": "object", "strict": true, "properties": { "a": {}, "b": {} }, "required": ["b"] });
        assert_eq!(adapted(&schema, SchemaRule::StrictRequired), object(&json!({ "a": {}, "b": {} }), &["a", "b"]));
        let none = json!({ "type": "object", "properties": {}, "required": [], "additionalProperties": true });
        assert_eq!(adapted(&json!({}), SchemaRule::StrictRequired), none);
    }

    #[test]
    fn a_property_that_strict_required_makes_required_may_be_null() {
        let absent = json!({ "type": "null" });
        for (optional, expected) in [
            (json!({ "type": "string", "minLength": 1 }), json!({ "type": ["string", "null"], "minLength": 1 })),
            (json!({ "type": ["string", "integer"] }), json!({ "type": ["string", "integer", "null"] })),
            (json!({ "type": ["string", "null"] }), json!({ "type": ["string", "null"] })),
            (json!({ "type": "string", "enum": ["a"] }), json!({ "type": ["string", "null"], "enum": ["a", null] })),
            (json!({ "enum": ["a", null] }), json!({ "enum": ["a", null] })),
            (json!({ "description": "Anything." }), json!({ "description": "Anything." })),
            (absent.clone(), absent.clone()),
            (json!({ "$ref": "#/$defs/a" }), json!({ "anyOf": [{ "$ref": "#/$defs/a" }, absent] })),
            (json!({ "const": 7 }), json!({ "anyOf": [{ "const": 7 }, absent] })),
            (json!(true), json!(true)),
        ] {
            let schema = object(&json!({ "a": optional, "b": { "type": "string" } }), &["b"]);
            let strict = object(&json!({ "a": expected, "b": { "type": "string" } }), &["a", "b"]);
            assert_eq!(adapted(&schema, SchemaRule::StrictRequired), strict, "{optional}");
        }
    }
}
