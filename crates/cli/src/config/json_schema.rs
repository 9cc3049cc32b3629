//! The JSON Schema of the configuration, for editors that complete and check it.

use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use serde_json::Value;

use super::Config;

/// Returns the schema as JSON that ends with one line break.
pub(crate) fn json_schema() -> String {
    let settings = SchemaSettings::draft07().with(|settings| settings.inline_subschemas = true);
    let settings = settings.with_transform(RecursiveTransform(without_null)).with_transform(RecursiveTransform(plain));
    let schema = settings.into_generator().into_root_schema_for::<Config>();
    format!("{:#}\n", schema.as_value())
}

/// Removes `null` from the schema. TOML has no null: an optional key is simply absent.
fn without_null(schema: &mut Schema) {
    match schema.get_mut("default") {
        Some(Value::Null) => drop(schema.remove("default")),
        Some(Value::Object(fields)) => fields.retain(|_, value| !value.is_null()),
        _ => {}
    }
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|word| word != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
    let Some(Value::Array(options)) = schema.get_mut("anyOf") else { return };
    options.retain(|option| option.get("type").is_none_or(|word| word != "null"));
    if let [only] = options.as_mut_slice()
        && let Value::Object(inner) = only.take()
    {
        schema.remove("anyOf");
        let outer = schema.ensure_object();
        for (key, value) in inner {
            outer.entry(key).or_insert(value);
        }
    }
}

/// Removes the names of Rust's number types and the line breaks of wrapped comments, which mean nothing to an editor.
fn plain(schema: &mut Schema) {
    if schema.get("format").is_some_and(|format| format.as_str().is_some_and(|name| name.starts_with("uint"))) {
        schema.remove("format");
    }
    if let Some(Value::String(text)) = schema.get_mut("description") {
        *text = text.replace('\n', " ");
    }
}
