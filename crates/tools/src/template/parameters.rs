//! The parameters of a tool, defined by their JSON Schema.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use turnkit_core::{RawJson, ToolError};

use super::{Template, Values};
use crate::arguments;

/// The JSON Schema of a tool's arguments, and the parameter names in it.
#[derive(Debug, Clone)]
pub struct Parameters {
    schema: RawJson,
    names: BTreeSet<String>,
    required: BTreeSet<String>,
}

impl Parameters {
    /// Parses the JSON Schema of an object. Its `type` may be absent.
    ///
    /// # Errors
    /// The schema is invalid. The error is a sentence with the reason.
    pub fn parse(text: &str) -> Result<Self, String> {
        let schema: Value = serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))?;
        let Value::Object(mut schema) = schema else { return Err("not a JSON Schema of an object".to_owned()) };
        // A complete schema is passed on exactly as written, because models read properties in their order.
        let is_complete = schema.contains_key("type") && schema.contains_key("properties");
        let kind = schema.entry("type").or_insert_with(|| "object".into());
        if kind != "object" {
            return Err("not the JSON Schema of an object: its `type` must be \"object\"".to_owned());
        }
        let names = match schema.entry("properties").or_insert_with(|| Map::new().into()) {
            Value::Object(properties) => properties.keys().cloned().collect(),
            _ => return Err("its `properties` must be an object: the schema of each parameter by its name".to_owned()),
        };
        let required = required(&schema, &names)?;
        let schema = if is_complete { RawJson::parse(text) } else { RawJson::of(&schema) };
        let schema = schema.map_err(|error| format!("cannot be used: {error}"))?;
        Ok(Self { schema, names, required })
    }

    /// Returns the schema.
    pub fn schema(&self) -> &RawJson {
        &self.schema
    }

    /// Parses the arguments of a call.
    ///
    /// # Errors
    /// An argument matches no parameter, so it would have no effect, or a required parameter has no argument. The error
    /// names it.
    pub(crate) fn read(&self, arguments: &RawJson) -> Result<Values, ToolError> {
        let values: Values = arguments::read(arguments)?;
        if let Some(unknown) = values.names().find(|name| !self.names.contains(*name)) {
            let why = format!("`{unknown}` is not a parameter of this tool; {}", self.known());
            return Err(ToolError::InvalidArguments(why));
        }
        match self.required.iter().find(|name| values.get(name).is_none()) {
            Some(absent) => {
                Err(ToolError::InvalidArguments(format!("`{absent}` is required: it cannot be absent or null")))
            }
            None => Ok(values),
        }
    }

    /// Reports whether each call must have this argument.
    pub(crate) fn is_required(&self, name: &str) -> bool {
        self.required.contains(name)
    }

    /// Checks that each placeholder of `template` matches a parameter.
    ///
    /// # Errors
    /// A placeholder matches no parameter. The error names the first one.
    pub(crate) fn check(&self, template: &Template) -> Result<(), String> {
        let Some(unknown) = template.names().find(|name| !self.names.contains(*name)) else { return Ok(()) };
        let known = self.known();
        Err(format!(
            "`{{{unknown}}}` is the placeholder of no parameter; {known}; `{{{{{unknown}}}}}` is the text itself"
        ))
    }

    fn known(&self) -> String {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        match names.is_empty() {
            true => "there are none".to_owned(),
            false => format!("the parameters are {}", names.join(", ")),
        }
    }
}

fn required(schema: &Map<String, Value>, names: &BTreeSet<String>) -> Result<BTreeSet<String>, String> {
    let wrong = || "its `required` must be a list of names".to_owned();
    let Some(listed) = schema.get("required") else { return Ok(BTreeSet::new()) };
    let listed = listed.as_array().ok_or_else(wrong)?;
    let required = listed.iter().map(|name| name.as_str().map(str::to_owned));
    let required: BTreeSet<String> = required.collect::<Option<_>>().ok_or_else(wrong)?;
    match required.difference(names).next() {
        Some(unknown) => Err(format!("`{unknown}` is `required`, but not in its `properties`")),
        None => Ok(required),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_without_parameters_is_rejected() {
        for (schema, why) in [
            ("{", "not JSON: "),
            ("[]", "not a JSON Schema of an object"),
            (r#"{"type":"string"}"#, "its `type` must be \"object\""),
            (r#"{"properties":[]}"#, "its `properties` must be an object"),
            (r#"{"required":"a"}"#, "its `required` must be a list of names"),
            (r#"{"required":[1]}"#, "its `required` must be a list of names"),
            (r#"{"required":["a"]}"#, "`a` is `required`, but not in its `properties`"),
        ] {
            let error = Parameters::parse(schema).unwrap_err();
            assert!(error.contains(why), "{schema}: {error}");
        }
        let all = Parameters::parse("{}").unwrap();
        assert_eq!(all.schema().get(), r#"{"properties":{},"type":"object"}"#);
        let ordered = r#"{"type":"object","properties":{"z":{},"a":{}}}"#;
        assert_eq!(Parameters::parse(ordered).unwrap().schema().get(), ordered);
    }
}
