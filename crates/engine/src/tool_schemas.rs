//! Checks the arguments of tool calls against the schemas of the tools.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use turnkit_core::{RawJson, ToolDefinition};

use crate::shorten::shorten;

/// The most compiled schemas kept. When the limit is reached, all of them are dropped.
const MAX_SCHEMAS: usize = 4_096;
/// The most mistakes reported to a model at once.
const MAX_MISTAKES: usize = 3;
/// The longest list of allowed values in a report, in characters.
const MAX_OPTIONS_CHARS: usize = 200;
/// The longest report of mistakes, in characters.
const MAX_CHARS: usize = 600;

/// The schemas of tools, each compiled at the first call of its tool.
#[derive(Default)]
pub struct ToolSchemas {
    /// By tool name.
    compiled: Mutex<HashMap<String, Arc<Compiled>>>,
}

struct Compiled {
    schema: RawJson,
    /// The validator, or the reason why the schema cannot be used.
    validator: Result<Validator, String>,
}

impl ToolSchemas {
    /// Checks that a schema can be used to validate arguments, without fetching anything. A tool with an unusable
    /// schema could never be called.
    ///
    /// # Errors
    /// The reason why the schema cannot be used.
    ///
    /// ```
    /// use turnkit_core::RawJson;
    /// use turnkit_engine::ToolSchemas;
    ///
    /// let schema = |text| RawJson::parse(text).unwrap();
    /// assert_eq!(ToolSchemas::check_schema(&schema(r#"{"type":"object"}"#)), Ok(()));
    /// let why = ToolSchemas::check_schema(&schema(r#"{"type":"text"}"#)).unwrap_err();
    /// assert!(why.starts_with("/type: "), "{why}");
    /// ```
    pub fn check_schema(schema: &RawJson) -> Result<(), String> {
        validator(schema).map(drop)
    }

    /// Checks a value against a schema, without fetching anything.
    ///
    /// # Errors
    /// Lists the first mistakes, for the author of the value, or returns why the schema cannot be used.
    ///
    /// ```
    /// use turnkit_core::RawJson;
    /// use turnkit_engine::ToolSchemas;
    ///
    /// let schema = RawJson::parse(r#"{"properties":{"days":{"type":"integer"}}}"#).unwrap();
    /// assert_eq!(ToolSchemas::check_value(&schema, &serde_json::json!({ "days": 2 })), Ok(()));
    /// let why = ToolSchemas::check_value(&schema, &serde_json::json!({ "days": "two" })).unwrap_err();
    /// assert!(why.starts_with("/days: "), "{why}");
    /// ```
    pub fn check_value(schema: &RawJson, value: &Value) -> Result<(), String> {
        check_with(&validator(schema)?, value)
    }

    /// Checks arguments against the schema of their tool. The error describes the mistakes for the model.
    pub(crate) fn check(&self, tool: &ToolDefinition, arguments: &RawJson) -> Result<(), String> {
        let compiled = self.compiled(tool);
        let validator = compiled.validator.as_ref().map_err(Clone::clone)?;
        let arguments: Value = arguments.read().map_err(|error| error.to_string())?;
        check_with(validator, &arguments)
    }

    /// Returns the arguments that a tool receives: without optional ones that are null where its schema does not allow
    /// null. Models write null for arguments that they leave out.
    pub(crate) fn without_nulls(&self, tool: &ToolDefinition, arguments: RawJson) -> RawJson {
        if !arguments.get().contains("null") {
            return arguments;
        }
        self.compiled(tool).without_nulls(&arguments).unwrap_or(arguments)
    }

    fn compiled(&self, tool: &ToolDefinition) -> Arc<Compiled> {
        let lock = || self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lock().get(&tool.name).map(Arc::clone);
        if let Some(known) = known.filter(|known| known.schema == tool.parameters) {
            return known;
        }
        let compiled = Arc::new(Compiled::new(tool));
        let mut all = lock();
        if all.len() >= MAX_SCHEMAS {
            all.clear();
        }
        all.insert(tool.name.clone(), Arc::clone(&compiled));
        compiled
    }
}

fn validator(schema: &RawJson) -> Result<Validator, String> {
    let schema: Value = schema.read().map_err(|error| error.to_string())?;
    jsonschema::validator_for(&schema).map_err(|error| match error.instance_path().as_str() {
        "" => error.to_string(),
        place => format!("{place}: {error}"),
    })
}

fn check_with(validator: &Validator, value: &Value) -> Result<(), String> {
    if validator.is_valid(value) { Ok(()) } else { Err(mistakes_of(validator, value)) }
}

/// Describes the mistakes in a value, for its author.
pub(crate) fn mistakes_of(validator: &Validator, value: &Value) -> String {
    let mistakes = validator.iter_errors(value).take(MAX_MISTAKES).map(|error| {
        let mistake = mistake_of(&error);
        match error.instance_path().as_str() {
            "" => mistake,
            place => format!("{place}: {mistake}"),
        }
    });
    shorten(mistakes.collect::<Vec<_>>().join("; "), MAX_CHARS).0
}

/// Describes a mistake. Values are masked: they may be long, and the author already has them.
fn mistake_of(error: &ValidationError<'_>) -> String {
    match error.kind() {
        // The validator itself lists at most three.
        ValidationErrorKind::Enum { options } => {
            let options: Vec<String> = options.as_array().into_iter().flatten().map(Value::to_string).collect();
            format!("the value is not one of {}", shorten(options.join(", "), MAX_OPTIONS_CHARS).0)
        }
        _ => error.masked_with("the value").to_string(),
    }
}

impl Compiled {
    /// Compiles the schema of a tool without fetching anything. A schema that refers to another document cannot be
    /// used, and its tool does not run.
    fn new(tool: &ToolDefinition) -> Self {
        let schema = tool.parameters.clone();
        let validator = validator(&schema).map_err(|why| {
            tracing::error!(tool = %tool.name, reason = %why, "the schema of a tool cannot be used");
            "the schema of this tool cannot be used".to_owned()
        });
        Self { schema, validator }
    }

    /// Returns the arguments without optional ones that are null where the schema does not allow null; `None` if there
    /// are none.
    fn without_nulls(&self, arguments: &RawJson) -> Option<RawJson> {
        #[derive(Default, Deserialize)]
        struct Object {
            #[serde(default)]
            required: HashSet<String>,
        }
        let validator = self.validator.as_ref().ok()?;
        let mut named: BTreeMap<String, Box<RawValue>> = arguments.read().ok()?;
        if named.values().all(|value| value.get() != "null") {
            return None;
        }
        let value: Value = arguments.read().ok()?;
        let errors = validator.iter_errors(&value);
        let wrong: HashSet<String> = errors.map(|error| error.instance_path().as_str().to_owned()).collect();
        let Object { required } = self.schema.read().unwrap_or_default();
        let is_absent = |name: &str, value: &RawValue| {
            value.get() == "null" && !required.contains(name) && wrong.contains(&pointer(name))
        };
        let all = named.len();
        named.retain(|name, value| !is_absent(name, value));
        if named.len() < all { RawJson::of(&named).ok() } else { None }
    }
}

/// Returns the JSON Pointer to a property of the arguments.
fn pointer(name: &str) -> String {
    format!("/{}", name.replace('~', "~0").replace('/', "~1"))
}

impl fmt::Debug for ToolSchemas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolSchemas").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(schema: &str, arguments: &str) -> Result<(), String> {
        let tool = ToolDefinition::new("tool", "", schema).unwrap();
        ToolSchemas::default().check(&tool, &RawJson::parse(arguments).unwrap())
    }

    #[test]
    fn arguments_must_be_of_the_shape_of_their_tool() {
        let sum = r#"{"type":"object","properties":{"a":{"type":"integer"},"b":{"enum":["x","y"]}},"required":["a"],"additionalProperties":false}"#;
        for (schema, arguments, expected) in [
            (sum, r#"{"a":1}"#, Ok(())),
            (sum, r#"{"a":1,"b":"y"}"#, Ok(())),
            (sum, "{}", Err(r#""a" is a required property"#)),
            (sum, r#"{"a":"secret"}"#, Err(r#"/a: the value is not of type "integer""#)),
            (sum, r#"{"a":1,"c":2}"#, Err("Additional properties are not allowed ('c' was unexpected)")),
            ("{}", r#"{"a":1}"#, Ok(())),
            (r#"{"type":"nothing"}"#, "{}", Err("the schema of this tool cannot be used")),
            (r#"{"$ref":"https://example.com/schema.json"}"#, "{}", Err("the schema of this tool cannot be used")),
        ] {
            assert_eq!(check(schema, arguments), expected.map_err(str::to_owned), "{schema} {arguments}");
        }
        let mistakes = check(sum, r#"{"b":3,"c":4}"#).unwrap_err();
        assert_eq!(mistakes.split("; ").count(), 3, "{mistakes}");
        let kinds = r#"{"properties":{"kind":{"enum":["a","b","c",4,null]}}}"#;
        let expected = r#"/kind: the value is not one of "a", "b", "c", 4, null"#;
        assert_eq!(check(kinds, r#"{"kind":"secret"}"#).unwrap_err(), expected);
    }

    #[test]
    fn an_optional_argument_that_is_null_counts_as_absent_unless_the_schema_allows_null() {
        let schema = r#"{"properties":{"a":{"type":"string"},"b":{"type":"integer"},"c":{"type":["string","null"]},"d":{},"e/f~":{"enum":["x"]},"g":{"type":"object","properties":{"h":{"type":"string"}}}},"required":["a"],"additionalProperties":false}"#;
        let tool = ToolDefinition::new("tool", "", schema).unwrap();
        for (arguments, expected) in [
            (r#"{"b": 1, "a": "null"}"#, r#"{"b": 1, "a": "null"}"#),
            (r#"{"b":null,"a":"x"}"#, r#"{"a":"x"}"#),
            (r#"{"a":"x","c":null,"d": null}"#, r#"{"a":"x","c":null,"d": null}"#),
            (r#"{"a":"x","b":null,"c":null,"e/f~":null}"#, r#"{"a":"x","c":null}"#),
            // These arguments are wrong, and are reported as such.
            (r#"{"a":null}"#, r#"{"a":null}"#),
            (r#"{"a":"x","z":null}"#, r#"{"a":"x","z":null}"#),
            (r#"{"a":"x","g":{"h":null}}"#, r#"{"a":"x","g":{"h":null}}"#),
        ] {
            let received = ToolSchemas::default().without_nulls(&tool, RawJson::parse(arguments).unwrap());
            assert_eq!(received.get(), expected, "{arguments}");
        }
        let precise = RawJson::parse(r#"{"a":"x","b":null,"d":12345678901234567890123}"#).unwrap();
        let received = ToolSchemas::default().without_nulls(&tool, precise);
        assert_eq!(received.get(), r#"{"a":"x","d":12345678901234567890123}"#);
    }

    #[test]
    fn a_tool_of_the_same_name_with_another_schema_has_its_own() {
        let schemas = ToolSchemas::default();
        for (schema, is_right) in [(r#"{"type":"object"}"#, true), (r#"{"required":["a"]}"#, false), ("{}", true)] {
            let tool = ToolDefinition::new("tool", "", schema).unwrap();
            assert_eq!(schemas.check(&tool, &RawJson::parse("{}").unwrap()).is_ok(), is_right, "{schema}");
        }
    }
}
