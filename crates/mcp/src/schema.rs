//! The schemas of the arguments of a server's tools, and of the answers to its questions.

use rmcp::model::JsonObject;
use serde_json::Value;
use turnkit_core::RawJson;

use crate::text;

/// The number of characters of a description that models read, without the sign that it was cut.
pub(crate) const DESCRIPTION_CHARS: usize = 1_023;
/// The largest schema, in bytes.
const MAX_BYTES: usize = 64 * 1024;
/// The fields of a schema that are text for readers.
const TEXTS: [&str; 3] = ["$comment", "description", "title"];

/// Returns the schema of a tool's arguments as models read it: its texts are cut, and have no characters that cannot be
/// seen.
///
/// # Errors
/// Arguments cannot be checked against the schema. The error contains the reason.
pub(crate) fn parameters(schema: &JsonObject) -> Result<RawJson, String> {
    if schema.get("type").and_then(Value::as_str) != Some("object") {
        return Err("its schema does not describe an object".to_owned());
    }
    if refers_elsewhere(schema) {
        return Err("its schema refers to another document".to_owned());
    }
    let parameters = RawJson::of(&cleaned(schema)).map_err(|error| format!("its schema cannot be used: {error}"))?;
    match parameters.get().len() > MAX_BYTES {
        true => Err(format!("its schema has more than {MAX_BYTES} bytes")),
        false => Ok(parameters),
    }
}

// The functions below descend as deep as a JSON text may be nested.

/// Reports whether a schema refers to a document that would have to be fetched.
fn refers_elsewhere(schema: &JsonObject) -> bool {
    schema.iter().any(|(name, value)| match (name.as_str(), value) {
        ("$ref" | "$dynamicRef", Value::String(target)) => !target.starts_with('#'),
        _ => holds_reference(value),
    })
}

fn holds_reference(value: &Value) -> bool {
    match value {
        Value::Object(fields) => refers_elsewhere(fields),
        Value::Array(items) => items.iter().any(holds_reference),
        _ => false,
    }
}

fn cleaned(schema: &JsonObject) -> JsonObject {
    let clean = |(name, value): (&String, &Value)| {
        let value = match value {
            Value::String(shown) if TEXTS.contains(&name.as_str()) => text::visible(shown, DESCRIPTION_CHARS).into(),
            other => cleaned_value(other),
        };
        (name.clone(), value)
    };
    schema.iter().map(clean).collect()
}

/// Returns a schema whose texts are cut, and have no characters that cannot be seen. Its values stay as they are.
pub(crate) fn cleaned_value(value: &Value) -> Value {
    match value {
        Value::Object(fields) => Value::Object(cleaned(fields)),
        Value::Array(items) => Value::Array(items.iter().map(cleaned_value).collect()),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn schemas_that_cannot_be_checked_are_refused() {
        let deep = (0..200).fold(json!({}), |inner, _| json!({ "items": inner }));
        let enumeration = vec!["x".repeat(100); 1_000];
        for (schema, why) in [
            (json!({ "type": "object" }), None),
            (json!({ "type": "object", "properties": { "a": { "$ref": "#/$defs/a" } }, "$defs": { "a": {} } }), None),
            (json!({}), Some("does not describe an object")),
            (json!({ "type": "string" }), Some("does not describe an object")),
            (json!({ "type": ["object", "null"] }), Some("does not describe an object")),
            (json!({ "type": "object", "properties": { "a": [{ "$ref": "file:///etc/passwd" }] } }), Some("refers to")),
            (json!({ "type": "object", "items": { "$ref": "https://example.org/a.json" } }), Some("refers to")),
            (json!({ "type": "object", "$ref": "https://example.org/a.json" }), Some("refers to")),
            (json!({ "type": "object", "properties": deep }), Some("cannot be used")),
            (json!({ "type": "object", "properties": { "a": { "enum": enumeration } } }), Some("more than 65536")),
        ] {
            let found = parameters(schema.as_object().unwrap());
            match why {
                None => assert_eq!(found.unwrap().get(), schema.to_string()),
                Some(why) => assert!(found.as_ref().unwrap_err().contains(why), "{found:?}"),
            }
        }
    }

    #[test]
    fn texts_in_a_schema_are_cut_and_what_cannot_be_seen_is_removed() {
        let hidden = format!("The path.\u{202e}\u{e0041}{}", "x".repeat(2_000));
        let field = json!({ "type": "string", "description": hidden, "enum": ["a\u{200b}"] });
        let schema = json!({ "type": "object", "properties": { "description": field } });
        let shown: Value = parameters(schema.as_object().unwrap()).unwrap().read().unwrap();
        let field = &shown["properties"]["description"];
        let description = field["description"].as_str().unwrap();
        assert!(description.starts_with("The path.xxx") && description.chars().count() == 1_024, "{description}");
        // Values are data, which the server compares.
        assert_eq!(field["enum"], json!(["a\u{200b}"]));
    }
}
