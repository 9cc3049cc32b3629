//! Grants: approvals of one call that also allow later calls.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{GrantId, IdError, SessionId, Subject, Timestamp, ToolPin};

/// The right of a tool's calls to run without another approval, as long as the tool's argument schema and behaviour
/// stay the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// The id of the grant.
    pub id: GrantId,
    /// The name of the tool.
    pub tool: String,
    /// The schema and behaviour of the tool at the time of the approval. The grant is void if they change.
    pub schema: SchemaHash,
    /// The calls of the tool that the grant covers.
    #[serde(rename = "reach")]
    pub coverage: GrantCoverage,
    /// Whether the grant also holds after the model was sent untrusted text. Set if the approval was requested because
    /// of such text.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub untrusted: bool,
    /// When the grant was given.
    pub created_at: Timestamp,
}

/// The calls of a tool that a grant covers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GrantCoverage {
    /// All calls in this session.
    Session(SessionId),
    /// Calls with exactly this subject, in all sessions of the user.
    Subject(Subject),
}

/// The scope of an approval beyond the approved call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GrantScope {
    /// All calls of the tool in the session.
    Session,
    /// Calls of the tool with the same subject, in all sessions of the user.
    Always,
}

/// What an approval of a call can grant, as of the time of the approval request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grantable {
    /// The tool's schema and, if settings define it, the tool's behaviour.
    pub schema: SchemaHash,
    /// The subject of an `always` grant: what the call touches, and any further effect.
    pub subject: Subject,
    /// Whether the approval is requested because the model was sent untrusted text.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub untrusted: bool,
    /// The definition that an approval accepts, if the approval is requested because the tool has changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed: Option<Box<ToolPin>>,
}

/// SHA-256 of a tool's argument schema and of its [fingerprint](crate::ToolDefinition::fingerprint), if it has one. Its
/// text form is 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SchemaHash(pub [u8; 32]);

impl Grantable {
    /// Creates the grant for an approval of `tool` with this coverage.
    pub fn grant(self, id: GrantId, tool: &str, coverage: GrantCoverage, created_at: Timestamp) -> Grant {
        let Self { schema, untrusted, .. } = self;
        Grant { id, tool: tool.to_owned(), schema, coverage, untrusted, created_at }
    }
}

impl Grant {
    /// Reports whether both grants cover the same calls of the same tool.
    pub fn has_same_coverage(&self, other: &Self) -> bool {
        self.tool == other.tool && self.schema == other.schema && self.coverage == other.coverage
    }
}

impl fmt::Display for SchemaHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for SchemaHash {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let error = || IdError { what: "schema hash", reason: "expected 64 lower-case hexadecimal digits" };
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if text.len() != 64 || !text.bytes().all(is_digit) {
            return Err(error());
        }
        let mut hash = [0; 32];
        for (byte, digits) in hash.iter_mut().zip(text.as_bytes().chunks(2)) {
            let digits = std::str::from_utf8(digits).map_err(|_| error())?;
            *byte = u8::from_str_radix(digits, 16).map_err(|_| error())?;
        }
        Ok(Self(hash))
    }
}

impl Serialize for SchemaHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for SchemaHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
