//! Parameters of tools that have no effect.

use serde_json::Value;
use turnkit_tools::{InvalidTemplate, Parameters};

/// Checks that a placeholder names each parameter. `is_valid` reports whether the tool is valid with the given
/// parameters: a tool that uses a parameter is invalid without it.
pub(super) fn check(
    parameters: &Parameters,
    remedy: &str,
    is_valid: impl Fn(&Parameters) -> bool,
) -> Result<(), InvalidTemplate> {
    let Ok(schema) = serde_json::from_str::<Value>(parameters.schema().get()) else { return Ok(()) };
    let properties = schema.get("properties").and_then(Value::as_object);
    let mut names = properties.into_iter().flat_map(|properties| properties.keys());
    let is_unused = |name: &&String| without(&schema, name).is_some_and(|fewer| is_valid(&fewer));
    match names.find(is_unused) {
        Some(name) => Err(InvalidTemplate {
            key: format!("parameters.properties.{name}"),
            reason: format!("its argument would have no effect: {remedy}, or leave the parameter out"),
        }),
        None => Ok(()),
    }
}

/// Returns the parameters without one of them.
fn without(schema: &Value, name: &str) -> Option<Parameters> {
    let mut schema = schema.clone();
    schema.get_mut("properties")?.as_object_mut()?.remove(name);
    if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|listed| listed != name);
    }
    Parameters::parse(&schema.to_string()).ok()
}
