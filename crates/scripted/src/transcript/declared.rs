//! Checks the tools that a request declares.

use serde_json::Value;

use super::{Checker, Problem, is_legal_name};

/// Checks the tools. Each is given by the values of its name and its schema in the request.
pub(super) fn check_tools<'a>(checker: &mut Checker, tools: impl IntoIterator<Item = (&'a Value, &'a Value)>) {
    let shape = |why: &str| Problem::Shape(why.to_owned());
    let mut names: Vec<&str> = Vec::new();
    for (name, schema) in tools {
        let name = name.as_str().unwrap_or_default();
        if !is_legal_name(name) {
            checker.violation(0, Problem::IllegalName(name.to_owned()));
        }
        if names.contains(&name) {
            checker.violation(0, shape("two tools with one name"));
        }
        if schema["type"] != "object" {
            checker.violation(0, shape("the arguments of a tool are not an object"));
        }
        names.push(name);
    }
}

/// Returns the items of a list, or no items if `value` is not a list.
pub(super) fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}
