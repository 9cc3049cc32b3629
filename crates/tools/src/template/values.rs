//! The arguments of a call.

use serde::Deserialize;
use serde_json::{Map, Value};

/// The arguments of a call by name. An optional argument that is null counts as absent.
#[derive(Debug, Clone, Deserialize)]
#[serde(transparent)]
pub(crate) struct Values(Map<String, Value>);

impl Values {
    /// Returns the names of the arguments.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Returns the argument with this name.
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    /// Returns an argument as text: a text unchanged, any other value as JSON.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.get(name).map(|value| match value {
            Value::String(text) => text.clone(),
            value => value.to_string(),
        })
    }

    /// Returns the arguments as JSON, except those for which `is_left_out` returns `true`.
    pub(crate) fn without(&self, is_left_out: impl Fn(&str) -> bool) -> Value {
        let kept = self.0.iter().filter(|(name, _)| !is_left_out(name));
        Value::Object(kept.map(|(name, value)| (name.clone(), value.clone())).collect())
    }
}
