//! The tools whose definitions a request accepts.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use turnkit_core::ports::McpToolStatus;
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorCode};
use crate::hexadecimal::hexadecimal;

/// A tool to accept: with the definition that was looked at, or by its name alone, whatever its definition is now.
#[derive(Debug, ToSchema)]
#[schema(as = ChosenMcpTool)]
#[serde(untagged)]
pub(super) enum ChosenTool {
    Named(String),
    Seen(SeenTool),
}

/// The definition of a tool that was looked at.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = SeenMcpTool)]
#[serde(deny_unknown_fields)]
pub(super) struct SeenTool {
    /// The name that models know.
    name: String,
    /// The `fingerprint` of the definition, as the list shows it.
    fingerprint: String,
}

impl ChosenTool {
    /// Returns the tool among those that the server offers now.
    ///
    /// # Errors
    /// The server does not offer it, or its definition is no longer the one that was looked at.
    pub(super) fn among<'a>(&self, tools: &'a [McpToolStatus]) -> Result<&'a McpToolStatus, ApiError> {
        let offered = |name: &str| tools.iter().find(|tool| tool.name == name);
        match self {
            Self::Named(name) => offered(name).ok_or_else(|| {
                ApiError::field("tools", "the server does not offer one of them; GET /api/v1/mcp lists its tools")
            }),
            Self::Seen(seen) => offered(&seen.name).filter(|tool| seen.is_present(tool)).ok_or_else(|| {
                let why = "the server has changed a tool again, or removed it; GET /api/v1/mcp shows its tools";
                ApiError::new(ErrorCode::DefinitionChanged, why)
            }),
        }
    }
}

impl SeenTool {
    fn is_present(&self, tool: &McpToolStatus) -> bool {
        tool.fingerprint.is_some_and(|present| hexadecimal(&present) == self.fingerprint)
    }
}

impl<'de> Deserialize<'de> for ChosenTool {
    // A derived implementation would take a list in place of the object.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameOrObject;

        impl<'de> Visitor<'de> for NameOrObject {
            type Value = ChosenTool;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name, or an object with a name and a fingerprint")
            }

            fn visit_str<E>(self, name: &str) -> Result<ChosenTool, E> {
                Ok(ChosenTool::Named(name.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<ChosenTool, A::Error> {
                SeenTool::deserialize(MapAccessDeserializer::new(fields)).map(ChosenTool::Seen)
            }
        }

        deserializer.deserialize_any(NameOrObject)
    }
}
