//! Checks the arguments of tool calls against the schemas of the tools.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use jsonschema::error::ValidationErrorKind;
use jsonschema::{PatternOptions, ValidationError, Validator};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use turnkit_core::{RawJson, ToolDefinition};

use crate::schema_work::{FEW_STEPS, SchemaWork, pointer_to};
use crate::shorten::shorten;

/// The most compiled schemas kept. When the limit is reached, all of them are dropped.
const MAX_SCHEMAS: usize = 4_096;
/// The most mistakes reported to a model at once.
const MAX_MISTAKES: usize = 3;
/// The longest list of allowed values in a report, in characters.
const MAX_OPTIONS_CHARS: usize = 200;
/// The longest report of mistakes, in characters.
const MAX_CHARS: usize = 600;
/// The most steps back that the match of a regular expression may take. A match that needs more counts as a mistake.
const MAX_BACKTRACKS: usize = 50_000;
/// The most bytes that a compiled regular expression may take.
const MAX_PATTERN_BYTES: usize = 1024 * 1024;

/// The schemas of tools, each compiled at the first call of its tool.
#[derive(Default)]
pub struct ToolSchemas {
    /// By tool name.
    compiled: Mutex<HashMap<String, Arc<Compiled>>>,
}

struct Compiled {
    schema: RawJson,
    /// The compiled schema, or the reason why it cannot be used.
    usable: Result<Usable, String>,
}

/// A schema that values can be checked against. It may be written by a caller or by an MCP server, so no check is made
/// that would take too much work.
struct Usable {
    validator: Validator,
    work: SchemaWork,
}

impl ToolSchemas {
    /// Checks that a schema can be used to validate arguments, without fetching anything and without work that grows
    /// exponentially. A tool with an unusable schema could never be called.
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
        Usable::new(schema).map(drop)
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
        Usable::new(schema)?.check(value)
    }

    /// Checks arguments against the schema of their tool. The error describes the mistakes for the model.
    pub(crate) fn check(&self, tool: &ToolDefinition, arguments: &RawJson) -> Result<(), String> {
        let compiled = self.compiled(tool);
        let usable = compiled.usable.as_ref().map_err(Clone::clone)?;
        let arguments: Value = arguments.read().map_err(|error| error.to_string())?;
        usable.check(&arguments)
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

impl Usable {
    /// Compiles a schema without fetching anything.
    fn new(schema: &RawJson) -> Result<Self, String> {
        let schema: Value = schema.read().map_err(|error| error.to_string())?;
        let work = SchemaWork::new(schema).map_err(unusable)?;
        let patterns = PatternOptions::fancy_regex().backtrack_limit(MAX_BACKTRACKS).size_limit(MAX_PATTERN_BYTES);
        let built = jsonschema::options().with_pattern_options(patterns).build(work.schema());
        let validator = built.map_err(|error| match error.instance_path().as_str() {
            "" => error.to_string(),
            place => format!("{place}: {error}"),
        })?;
        Ok(Self { validator, work })
    }

    fn check(&self, value: &Value) -> Result<(), String> {
        let steps = self.work.steps(value).map_err(unusable)?;
        match self.validator.is_valid(value) {
            true => Ok(()),
            false if steps <= FEW_STEPS => Err(mistakes_of(&self.validator, value)),
            false => Err("the value does not match the schema; both are too large to list the mistakes".to_owned()),
        }
    }
}

fn unusable(why: String) -> String {
    format!("the schema {why}")
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
        let usable = Usable::new(&schema).map_err(|why| {
            tracing::error!(tool = %tool.name, reason = %why, "the schema of a tool cannot be used");
            "the schema of this tool cannot be used".to_owned()
        });
        Self { schema, usable }
    }

    /// Returns the arguments without optional ones that are null where the schema does not allow null; `None` if there
    /// are none.
    fn without_nulls(&self, arguments: &RawJson) -> Option<RawJson> {
        #[derive(Default, Deserialize)]
        struct Object {
            #[serde(default)]
            required: HashSet<String>,
        }
        let usable = self.usable.as_ref().ok()?;
        let mut named: BTreeMap<String, Box<RawValue>> = arguments.read().ok()?;
        if named.values().all(|value| value.get() != "null") {
            return None;
        }
        let value: Value = arguments.read().ok()?;
        if usable.work.steps(&value).ok()? > FEW_STEPS || usable.validator.is_valid(&value) {
            return None;
        }
        let errors = usable.validator.iter_errors(&value);
        let wrong: HashSet<String> = errors.map(|error| error.instance_path().as_str().to_owned()).collect();
        let Object { required } = self.schema.read().unwrap_or_default();
        let is_absent = |name: &str, value: &RawValue| {
            value.get() == "null" && !required.contains(name) && wrong.contains(&pointer_to(name))
        };
        let all = named.len();
        named.retain(|name, value| !is_absent(name, value));
        if named.len() < all { RawJson::of(&named).ok() } else { None }
    }
}

impl fmt::Debug for ToolSchemas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolSchemas").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A schema that is applied twice at each level of a value.
    const FORKING: &str = r##"{"allOf":[{"properties":{"a":{"$ref":"#"}}},{"properties":{"a":{"$ref":"#"}}}]}"##;
    /// A value with 24 levels.
    const DEEP: &str = r#"{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{}}}}}}}}}}}}}}}}}}}}}}}}"#;

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
            (r##"{"$ref":"#"}"##, "{}", Err("the schema of this tool cannot be used")),
            (FORKING, r#"{"a":{"a":{"b":1}}}"#, Ok(())),
            (FORKING, DEEP, Err("the schema needs too many steps to check this value")),
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
    fn as_many_references_as_are_allowed_are_compiled_and_followed() {
        let check_chain = |parts: usize, part: &dyn Fn(usize) -> String, arguments: &str| {
            let parts: Vec<String> = (0..parts).map(part).collect();
            let schema =
                format!(r##"{{"properties":{{"x":{{"$ref":"#/$defs/a0"}}}},"$defs":{{{}}}}}"##, parts.join(","));
            check(&schema, arguments)
        };
        let in_place = |place: usize| match place {
            249 => r#""a249":{"type":"string"}"#.to_owned(),
            _ => format!(r##""a{place}":{{"allOf":[{{"$ref":"#/$defs/a{}"}}]}}"##, place + 1),
        };
        assert_eq!(check_chain(250, &in_place, r#"{"x":"y"}"#), Ok(()));
        assert_eq!(
            check_chain(250, &in_place, r#"{"x":1}"#),
            Err(r#"/x: the value is not of type "string""#.to_owned())
        );
        let within = |place: usize| match place {
            999 => r#""a999":{}"#.to_owned(),
            _ => format!(r##""a{place}":{{"properties":{{"x":{{"$ref":"#/$defs/a{}"}}}}}}"##, place + 1),
        };
        assert_eq!(check_chain(1_000, &within, r#"{"x":{"x":1}}"#), Ok(()));
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
