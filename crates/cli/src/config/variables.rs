//! `TURNKIT_` variables that have no effect.

use serde_json::Value;

use super::environment::{PREFIX, VARIABLES};
use super::json_schema::json_schema;
use super::nearest::nearest;
use super::schema::Environment;
use super::source::Source;

/// Returns a notice for each `TURNKIT_` variable that has no effect.
pub(super) fn meaningless(source: &Source, environment: &Environment) -> Vec<String> {
    // Kubernetes sets some variables for every service that is called turnkit.
    let of_kubernetes = |name: &str| {
        environment.contains_key("TURNKIT_SERVICE_HOST")
            && ["SERVICE_", "PORT"].iter().any(|rest| name.strip_prefix(PREFIX).is_some_and(|of| of.starts_with(rest)))
    };
    let text = source.file().map_or("", |(_, text)| text);
    let is_used = |name: &str| {
        name.contains("__")
            || VARIABLES.contains(&name)
            || text.contains(&format!("${{{name}}}"))
            || of_kubernetes(name)
    };
    let names = environment.keys().map(String::as_str);
    names.filter(|name| name.starts_with(PREFIX) && !is_used(name)).map(notice).collect()
}

fn notice(name: &str) -> String {
    let after_prefix = |name: &str| name.strip_prefix(PREFIX).unwrap_or(name).to_owned();
    let known: Vec<String> = VARIABLES.into_iter().map(after_prefix).chain(keys()).collect();
    let hint = match nearest(&after_prefix(name), known.iter().map(String::as_str)) {
        Some(near) => format!("did you mean {PREFIX}{near}?"),
        None => format!("a key of the configuration is {PREFIX}SECTION__KEY"),
    };
    format!("the environment variable {name} has no effect; {hint}")
}

/// Returns the names of the variables that set a key, without their prefix.
fn keys() -> Vec<String> {
    let mut names = Vec::new();
    if let Ok(schema) = serde_json::from_str(&json_schema()) {
        collect(&schema, "", &mut names);
    }
    names
}

fn collect(schema: &Value, path: &str, names: &mut Vec<String>) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
    for (key, schema) in properties {
        let name = format!("{path}{}", key.to_uppercase());
        collect(schema, &format!("{name}__"), names);
        names.push(name);
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn notices(text: &str, variables: &[(&str, &str)]) -> Vec<String> {
        let environment = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let source = Source::new(Some((PathBuf::from("turnkit.toml"), text.to_owned())), &environment);
        meaningless(&source, &environment)
    }

    #[test]
    fn a_variable_without_effect_is_named_with_the_nearest_and_without_its_value() {
        for (name, hint) in [
            ("TURNKIT_MODELS", "did you mean TURNKIT_MODEL?"),
            ("TURNKIT_APIKEY", "did you mean TURNKIT_API_KEY?"),
            ("TURNKIT_SERVER_LISTEN", "did you mean TURNKIT_SERVER__LISTEN?"),
            ("TURNKIT_BUDGETS_TURN_TOKENS", "did you mean TURNKIT_BUDGETS__TURN__TOKENS?"),
            ("TURNKIT_", "a key of the configuration is TURNKIT_SECTION__KEY"),
            ("TURNKIT_ZZZ", "a key of the configuration is TURNKIT_SECTION__KEY"),
        ] {
            let message = format!("the environment variable {name} has no effect; {hint}");
            assert_eq!(notices("", &[(name, "hidden")]), [message]);
        }
    }

    #[test]
    fn the_guide_lists_the_variables_with_an_effect() {
        let guide = include_str!("../../../../docs/start.md");
        for name in VARIABLES {
            assert!(guide.contains(&format!("\n| `{name}` |")), "{name}");
        }
    }

    #[test]
    fn variables_with_an_effect_and_those_of_kubernetes_are_not_named() {
        let used = "[[providers]]\nid = \"a\"\napi_key = \"${TURNKIT_TOKEN}\"";
        for (text, variables) in [
            ("", &[("TURNKIT_MODEL", "m"), ("TURNKIT_RECORD", "r"), ("TURNKIT_API_KEY", "k")][..]),
            ("", &[("TURNKIT_SERVER__LISTEN", "127.0.0.1:1"), ("OTHER", "x")]),
            (used, &[("TURNKIT_TOKEN", "k")]),
            (
                "",
                &[
                    ("TURNKIT_SERVICE_HOST", "10.0.0.1"),
                    ("TURNKIT_PORT", "tcp://10.0.0.1:1"),
                    ("TURNKIT_PORT_1_TCP", "x"),
                ],
            ),
        ] {
            assert_eq!(notices(text, variables), [] as [String; 0], "{variables:?}");
        }
        assert_eq!(notices("", &[("TURNKIT_PORT", "9000")]).len(), 1);
    }
}
