//! The arguments of a call.

use serde::Deserialize;
use serde_json::{Map, Value};

/// The arguments of a call by their names. One that is null counts as absent.
#[derive(Debug, Clone, Deserialize)]
#[serde(transparent)]
pub(crate) struct Values(Map<String, Value>);

impl Values {
    /// The argument of this name.
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    /// The argument as text: a text as it is, everything else as JSON.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.get(name).map(|value| match value {
            Value::String(text) => text.clone(),
            value => value.to_string(),
        })
    }
}
