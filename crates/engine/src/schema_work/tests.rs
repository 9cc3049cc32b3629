//! Schemas that would be compiled or checked for too long, and ordinary ones.

use serde_json::{Map, Value, json};

use super::SchemaWork;

const STEPS: &str = "needs too many steps to check this value";

/// Returns the parts of a schema, each of which is made of a reference to the next one.
fn chain(parts: usize, part: impl Fn(Value) -> Value) -> Value {
    let reference = |place: usize| json!({ "$ref": format!("#/$defs/a{place}") });
    let mut all: Map<String, Value> =
        (0..parts).map(|place| (format!("a{place}"), part(reference(place + 1)))).collect();
    all.insert(format!("a{parts}"), json!({ "type": "string" }));
    json!({ "$defs": all })
}

/// Returns the schema with other fields in addition.
fn with(schema: Value, fields: &Value) -> Value {
    let all = [schema, fields.clone()].into_iter().filter_map(|part| part.as_object().cloned());
    Value::Object(all.flatten().collect())
}

fn nested(depth: usize, start: Value, level: impl Fn(Value) -> Value) -> Value {
    (0..depth).fold(start, |inner, _| level(inner))
}

/// Returns why a schema cannot be compiled, or a value not be checked.
fn refusal(schema: &Value, value: &Value) -> Option<String> {
    SchemaWork::new(schema.clone()).and_then(|work| work.steps(value)).err()
}

#[test]
fn schemas_whose_compilation_or_check_grows_exponentially_are_refused() {
    let first = json!({ "$ref": "#/$defs/a0" });
    let both = |keyword: &'static str| move |next: Value| json!({ keyword: [next, next] });
    let in_value = json!({ "properties": { "x": first } });
    for fork in [both("allOf"), both("anyOf"), both("oneOf")] {
        assert_eq!(refusal(&chain(10, fork), &json!({})), None);
        // Wherever the parts are used.
        for use_of_it in [first.clone(), in_value.clone(), json!({ "items": { "not": first } }), json!({})] {
            let schema = with(chain(60, fork), &use_of_it);
            assert_eq!(refusal(&schema, &json!({})).as_deref(), Some(STEPS), "{use_of_it}");
        }
    }
    for part in [
        |next: Value| json!({ "not": next, "if": next }),
        |next: Value| json!({ "then": next, "else": next }),
        |next: Value| json!({ "dependentSchemas": { "a": next, "b": next } }),
        |next: Value| json!({ "dependencies": { "a": next, "b": next } }),
    ] {
        assert_eq!(refusal(&chain(60, part), &json!({})).as_deref(), Some(STEPS));
    }
    let unevaluated = with(chain(60, both("allOf")), &json!({ "unevaluatedProperties": false, "allOf": [first] }));
    assert_eq!(refusal(&unevaluated, &json!({})).as_deref(), Some(STEPS));
}

#[test]
fn a_check_that_grows_with_the_depth_or_the_size_of_the_value_is_not_made() {
    let twice = json!({ "properties": { "a": { "$ref": "#" } } });
    let forking = json!({ "allOf": [twice, twice] });
    let deep = |depth| nested(depth, json!(1), |inner| json!({ "a": inner }));
    let strings = json!({ "items": { "anyOf": vec![json!({ "type": "string" }); 800] } });
    let look = json!({ "items": { "pattern": "(?:(?=a*b)a)*c" } });
    for (schema, value, why) in [
        (&forking, deep(10), None),
        (&forking, deep(60), Some(STEPS)),
        (&strings, json!(vec![1; 100]), None),
        (&strings, json!(vec![1; 20_000]), Some(STEPS)),
        (&look, json!(vec!["a".repeat(1_000); 100]), None),
        (&look, json!(["a".repeat(50_000)]), Some(STEPS)),
    ] {
        assert_eq!(refusal(schema, &value).as_deref(), why);
    }
}

#[test]
fn schemas_with_too_much_of_something_are_refused() {
    let level = |inner: Value| json!({ "unevaluatedProperties": false, "if": inner, "then": {}, "else": {} });
    let named = |name: usize| (format!("a{name}"), json!({ "pattern": "^a" }));
    let properties = json!({ "properties": (0..101).map(named).collect::<Value>() });
    for (schema, why) in [
        (chain(900, |next| json!({ "properties": { "a": next } })), None),
        (chain(1_100, |next| json!({ "properties": { "a": next } })), Some("refers to more than 1000 parts")),
        (chain(900, |next| json!({ "allOf": [next] })), Some(STEPS)),
        (nested(8, json!({}), level), None),
        (nested(9, json!({}), level), Some("has more than 8 keywords about what is unevaluated")),
        (properties, Some("has more than 100 regular expressions")),
        (json!({ "$ref": "#" }), Some("has a part that refers to itself")),
        (json!({ "$defs": { "a": { "anyOf": [{ "$ref": "#/$defs/a" }] } } }), Some("has a part that refers to itself")),
        (json!({ "$ref": format!("#/{}", "a".repeat(1_000)) }), Some("has a reference of more than 1000 bytes")),
    ] {
        assert_eq!(refusal(&schema, &json!({})).as_deref(), why);
    }
}

#[test]
fn references_lead_where_the_validator_follows_them_or_are_refused() {
    let by_path = "has references by path and parts with an `$id` of their own";
    let more = "has references and parts with an `$id` that is more than a name";
    for (schema, why) in [
        (json!({ "items": { "$ref": "#/$defs/a" }, "$defs": { "a": {} } }), None),
        (json!({ "items": { "$ref": "#/$defs/a~1b%3Cc%3E" }, "$defs": { "a/b<c>": {} } }), None),
        (json!({ "$id": "root.json", "items": { "$ref": "root.json#/$defs/a" }, "$defs": { "a": {} } }), None),
        (json!({ "$id": "http://x/y#", "items": { "$ref": "http://x/y#/$defs/a" }, "$defs": { "a": {} } }), None),
        (json!({ "$id": "T0", "properties": { "children": { "items": { "$ref": "T0" } } } }), None),
        (json!({ "properties": { "tree": { "$id": "T0", "items": { "$ref": "T0" } } } }), None),
        (json!({ "default": { "id": "x" }, "items": { "$ref": "#/$defs/a" }, "$defs": { "a": {} } }), None),
        (json!({ "$ref": "#/$defs/a" }), Some(r##"refers to "#/$defs/a", which is no part of it"##)),
        (
            json!({ "$ref": "#a", "$defs": { "a": { "$anchor": "a" } } }),
            Some(r##"refers to "#a", which is no part of it"##),
        ),
        (
            json!({ "$ref": "http://json-schema.org/draft-07/schema#" }),
            Some(r#"refers to "http://json-schema.org/draft-07/schema#", which is no part of it"#),
        ),
        (json!({ "$dynamicRef": "#a" }), Some("uses `$dynamicRef`")),
        (json!({ "$recursiveRef": "#" }), Some("uses `$recursiveRef`")),
        (json!({ "$ref": "#/$defs/a", "$defs": { "a": { "$id": "T0" } } }), Some(by_path)),
        (json!({ "$ref": "T0", "$defs": { "a": { "$id": "T0" }, "b": { "$id": "http://x/T0" } } }), Some(more)),
        (
            json!({ "$defs": { "a": { "$id": "T0" } }, "examples": [{ "$id": "T0" }] }),
            Some("has two parts with the `$id` \"T0\""),
        ),
        (
            json!({ "$schema": "http://json-schema.org/draft-04/schema#", "allOf": [{ "id": "http://x/y", "$ref": "#/a" }], "a": {} }),
            Some("has references and parts with an `id` of their own"),
        ),
    ] {
        assert_eq!(refusal(&schema, &json!([])).as_deref(), why, "{schema}");
    }
}
