//! Schemas that models write for two kinds of answers: a person's answer to a question, and a sub-agent's answer.

use jsonschema::{PatternOptions, Validator};
use serde_json::Value;

use crate::schema_work::{FEW_STEPS, size_of};
use crate::tool_schemas::mistakes_of;

/// The most bytes of JSON that a schema may have.
const MAX_BYTES: usize = 16 * 1024;
/// The most regular expressions that a schema may have.
const MAX_PATTERNS: usize = 16;
/// The most bytes that each compiled regular expression may take.
const MAX_PATTERN_BYTES: usize = 256 * 1024;
/// Keywords that make the work of a check grow exponentially with the size of the schema: several references can lead
/// to the same part, and a validator finds what is unevaluated by checking subschemas again at each level.
const REFUSED: &[&str] = &["$ref", "$dynamicRef", "$recursiveRef", "unevaluatedProperties", "unevaluatedItems"];

/// Returns `text` without the Markdown fence that models often put around JSON.
///
/// ```
/// assert_eq!(turnkit_engine::strip_code_fence("```json\n[1]\n```"), "[1]");
/// assert_eq!(turnkit_engine::strip_code_fence(" [1]"), "[1]");
/// ```
pub fn strip_code_fence(text: &str) -> &str {
    let text = text.trim();
    let fenced = text.strip_prefix("```json").or_else(|| text.strip_prefix("```"));
    fenced.and_then(|text| text.strip_suffix("```")).map_or(text, str::trim)
}

/// Checks an answer against a schema. The error describes the mistakes for the author of the answer.
pub(crate) fn check(schema: &Value, answer: &Value) -> Result<(), String> {
    let validator = compiled(schema)?;
    if validator.is_valid(answer) {
        return Ok(());
    }
    match size_of(schema).saturating_mul(size_of(answer)) {
        ..=FEW_STEPS => Err(mistakes_of(&validator, answer)),
        _ => Err("the answer does not match the schema; both are too large to list the mistakes".to_owned()),
    }
}

/// Checks that a schema can be used for answers. The error describes the mistakes for the model that wrote the schema.
pub(crate) fn check_schema(schema: &Value) -> Result<(), String> {
    compiled(schema).map(drop)
}

/// Checks that a schema can be used for answers, and that each of the `choices` of its question is such an answer: as a
/// text, or as the JSON that it holds. The error is for the model that wrote them.
pub(crate) fn check_question(schema: &Value, choices: &[String]) -> Result<(), String> {
    let validator = compiled(schema)?;
    let is_answer = |choice: &str| {
        let is_json = serde_json::from_str::<Value>(choice).is_ok_and(|value| validator.is_valid(&value));
        is_json || validator.is_valid(&Value::String(choice.to_owned()))
    };
    match choices.iter().find(|choice| !is_answer(choice)) {
        Some(choice) => Err(format!("the choice `{choice}` does not match `schema`")),
        None => Ok(()),
    }
}

/// Compiles a schema without fetching anything. A check then takes time in proportion to the size of the schema times
/// that of the answer.
fn compiled(schema: &Value) -> Result<Validator, String> {
    let unusable = |why: String| format!("the schema of the answer cannot be used: {why}");
    if schema.to_string().len() > MAX_BYTES {
        return Err(unusable(format!("larger than {MAX_BYTES} bytes")));
    }
    let mut patterns = 0;
    check_keywords(schema, &mut patterns).map_err(unusable)?;
    // This regex engine runs in linear time and supports neither look-around nor back-references.
    let patterns = PatternOptions::regex().size_limit(MAX_PATTERN_BYTES);
    let built = jsonschema::options().with_pattern_options(patterns).build(schema);
    built.map_err(|error| unusable(error.masked_with("the value").to_string()))
}

/// Checks every key, even where it is not a keyword: only the validator can tell the two apart.
fn check_keywords(value: &Value, patterns: &mut usize) -> Result<(), String> {
    let refused = |key: &&String| REFUSED.contains(&key.as_str());
    match value {
        Value::Array(items) => items.iter().try_for_each(|item| check_keywords(item, patterns)),
        Value::Object(fields) => {
            if let Some(key) = fields.keys().find(refused) {
                return Err(format!("write it out without `{key}`"));
            }
            *patterns += match (fields.get("pattern"), fields.get("patternProperties")) {
                (pattern, Some(Value::Object(named))) => named.len() + usize::from(pattern.is_some()),
                (pattern, _) => usize::from(pattern.is_some()),
            };
            if *patterns > MAX_PATTERNS {
                return Err(format!("contains more than {MAX_PATTERNS} regular expressions"));
            }
            fields.values().try_for_each(|field| check_keywords(field, patterns))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Returns a schema of 60 parts, each of which refers to the next part twice.
    fn forking(keyword: &str) -> Value {
        let reference = |place: usize| json!({ "$ref": format!("#/$defs/a{place}") });
        let part = |place: usize| json!({ keyword: [reference(place + 1), reference(place + 1)] });
        let mut parts: serde_json::Map<String, Value> =
            (0..60).map(|place| (format!("a{place}"), part(place))).collect();
        parts.insert("a60".to_owned(), json!({ "type": "string" }));
        json!({ "$defs": parts, "allOf": [reference(0)] })
    }

    fn nested(depth: usize, level: impl Fn(Value) -> Value) -> Value {
        (0..depth).fold(json!({ "type": "string" }), |inner, _| level(inner))
    }

    #[test]
    fn a_schema_whose_check_grows_exponentially_is_refused_with_the_keyword() {
        let unevaluated =
            |keyword: &'static str| move |inner: Value| json!({ keyword: false, "if": inner, "then": {}, "else": {} });
        for (schema, keyword) in [
            (forking("anyOf"), "$ref"),
            (forking("allOf"), "$ref"),
            (json!({ "$dynamicRef": "#a" }), "$dynamicRef"),
            (json!({ "items": [{ "$recursiveRef": "#" }] }), "$recursiveRef"),
            (json!({ "properties": { "properties": { "$ref": "#" } } }), "$ref"),
            (nested(50, unevaluated("unevaluatedProperties")), "unevaluatedProperties"),
            (nested(50, unevaluated("unevaluatedItems")), "unevaluatedItems"),
        ] {
            let why = format!("the schema of the answer cannot be used: write it out without `{keyword}`");
            assert_eq!(check_schema(&schema), Err(why.clone()));
            assert_eq!(check(&schema, &json!({ "a": 1 })), Err(why));
        }
    }

    #[test]
    fn each_choice_is_an_answer_as_a_text_or_as_json() {
        let (number, colour) = (json!({ "type": "integer" }), json!({ "enum": ["red", "blue"] }));
        for (schema, choices, wrong) in [
            (&number, &[][..], None),
            (&number, &["9", "10"], None),
            (&number, &["9", "noon"], Some("noon")),
            (&colour, &["red", "\"blue\""], None),
            (&colour, &["red", "green"], Some("green")),
        ] {
            let choices: Vec<String> = choices.iter().map(|choice| (*choice).to_owned()).collect();
            let expected = wrong.map(|choice| format!("the choice `{choice}` does not match `schema`"));
            assert_eq!(check_question(schema, &choices).err(), expected, "{choices:?}");
        }
    }

    #[test]
    fn nested_alternatives_take_as_long_as_their_text() {
        for keyword in ["anyOf", "oneOf", "allOf"] {
            let schema = nested(60, |inner| json!({ keyword: [{ "type": "null" }, inner] }));
            assert!(check(&schema, &json!([1, 2])).is_err(), "{keyword}");
        }
    }

    #[test]
    fn the_mistakes_of_a_large_answer_to_a_large_schema_are_not_collected() {
        let schema = json!({ "items": { "allOf": vec![json!({ "type": "string" }); 800] } });
        let why = check(&schema, &json!(vec![1; 20_000])).unwrap_err();
        assert_eq!(why, "the answer does not match the schema; both are too large to list the mistakes");
        let why = check(&schema, &json!([1])).unwrap_err();
        assert!(why.starts_with("/0: the value is not of type"), "{why}");
    }

    #[test]
    fn a_schema_has_a_largest_size_and_regular_expressions_that_take_linear_time() {
        let named = |name: usize| (format!("a{name}"), json!({ "pattern": "^a" }));
        for (schema, why) in [
            (json!({ "description": "a".repeat(MAX_BYTES) }), "larger than 16384 bytes"),
            (
                json!({ "properties": (0..17).map(named).collect::<Value>() }),
                "contains more than 16 regular expressions",
            ),
            (json!({ "pattern": "(?=a)a" }), r#"the value is not a "regex""#),
            (json!({ "pattern": r"(?:(?:\p{L}{99}){99}){99}" }), r#"the value is not a "regex""#),
        ] {
            assert_eq!(check_schema(&schema), Err(format!("the schema of the answer cannot be used: {why}")));
        }
        let schema = json!({ "pattern": "^(a|a)*$" });
        assert_eq!(check(&schema, &json!("a".repeat(60))), Ok(()));
        let why = check(&schema, &json!(format!("{}!", "a".repeat(60)))).unwrap_err();
        assert!(why.contains("does not match"), "{why}");
    }
}
