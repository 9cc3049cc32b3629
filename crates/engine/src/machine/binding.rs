//! The binding of an approval to a call.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use turnkit_core::{Arguments, SchemaHash, ToolDefinition};

/// SHA-256 of what a person approves: the tool's name, the JSON Schema of its arguments, the arguments, and the tool's
/// fingerprint if it has one. An approval is valid only while this hash stays the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Binding(pub(crate) [u8; 32]);

impl Binding {
    /// Returns the binding of a call. Arguments are hashed as the model wrote them, because the transcript keeps them
    /// so.
    pub(crate) fn new(tool: &ToolDefinition, arguments: &Arguments) -> Self {
        let mut hash = Sha256::new();
        for field in [&tool.name, &canonical_schema(tool), &arguments.0] {
            // Lengths keep a field from running into the next one.
            hash.update((field.len() as u64).to_be_bytes());
            hash.update(field);
        }
        if let Some(fingerprint) = tool.fingerprint {
            hash.update(fingerprint);
        }
        Self(hash.finalize().into())
    }
}

/// Returns the hash of a tool's schema and fingerprint. A grant is bound to it, and to the name of the tool.
pub(crate) fn hash_of_schema(tool: &ToolDefinition) -> SchemaHash {
    let mut hash = Sha256::new_with_prefix(canonical_schema(tool));
    if let Some(fingerprint) = tool.fingerprint {
        hash.update(fingerprint);
    }
    SchemaHash(hash.finalize().into())
}

/// Returns the JSON Schema of a tool's arguments. Schemas that differ only in the order of keys or in white space have
/// the same result.
fn canonical_schema(tool: &ToolDefinition) -> String {
    let schema = tool.parameters.get();
    // A `Value` keeps its keys in order.
    serde_json::from_str::<Value>(schema).map_or_else(|_| schema.to_owned(), |value| value.to_string())
}

impl Serialize for Binding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD_NO_PAD.encode(self.0))
    }
}

impl<'de> Deserialize<'de> for Binding {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = STANDARD_NO_PAD.decode(String::deserialize(deserializer)?).map_err(serde::de::Error::custom)?;
        let bytes = bytes.try_into().map_err(|_| serde::de::Error::custom("a binding has 32 bytes"))?;
        Ok(Self(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hashes(tool: &ToolDefinition) -> (Binding, SchemaHash) {
        (Binding::new(tool, &Arguments("{}".to_owned())), hash_of_schema(tool))
    }

    #[test]
    fn an_approval_and_a_grant_are_bound_to_the_settings_of_a_tool() {
        let tool = ToolDefinition::new("pay", "", r#"{"type": "object"}"#).unwrap();
        let does = |what: [u8; 32]| hashes(&ToolDefinition { fingerprint: Some(what), ..tool.clone() });
        let all = [hashes(&tool), does([0; 32]), does([1; 32])];
        assert_eq!(does([1; 32]), all[2]);
        for (one, other) in [(0, 1), (0, 2), (1, 2)] {
            assert_ne!(all[one].0, all[other].0);
            assert_ne!(all[one].1, all[other].1);
        }
    }

    /// Waits and grants that are stored stay valid.
    #[test]
    fn the_hashes_of_a_tool_without_a_fingerprint_stay_what_they_were() {
        let tool = ToolDefinition::new("pay", "", r#"{"type": "object"}"#).unwrap();
        let (Binding(binding), schema) = hashes(&tool);
        let mut hash = Sha256::new();
        for field in ["pay", r#"{"type":"object"}"#, "{}"] {
            hash.update((field.len() as u64).to_be_bytes());
            hash.update(field);
        }
        assert_eq!(binding, <[u8; 32]>::from(hash.finalize()));
        assert_eq!(schema.0, <[u8; 32]>::from(Sha256::digest(r#"{"type":"object"}"#)));
    }
}
