//! Grants: what a person allows later calls by approving one.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{GrantId, IdError, SessionId, Subject, Timestamp};

/// Calls of a tool that run without another approval, as long as the tool takes the same arguments and does the
/// same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// Its id.
    pub id: GrantId,
    /// The tool.
    pub tool: String,
    /// What the tool took and did when it was approved. The grant does not count for another one.
    pub schema: SchemaHash,
    /// Which calls of the tool it is about.
    pub reach: GrantReach,
    /// Whether it also counts once the model was sent text from outside: the person was asked because of such text.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub untrusted: bool,
    /// When it was given.
    pub created_at: Timestamp,
}

/// Which calls of a tool a grant is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GrantReach {
    /// All calls in this session.
    Session(SessionId),
    /// Calls that are about exactly this, in all sessions of the user.
    Subject(Subject),
}

/// How far an approval reaches beyond the call that it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GrantScope {
    /// To all calls of the tool in the session.
    Session,
    /// To calls of the tool that touch and do the same, in all sessions of the user.
    Always,
}

/// What an approval of a call can grant, as it was when the person was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grantable {
    /// What the tool takes, and what it does if settings say that.
    pub schema: SchemaHash,
    /// What a grant for always is about: what the call touches, and what else it does.
    pub subject: Subject,
    /// Whether the person is asked because the model was sent text from outside.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub untrusted: bool,
}

/// SHA-256 of the JSON Schema of a tool's arguments and of its [fingerprint](crate::ToolDefinition::fingerprint), if it has
/// one. Its text form is 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SchemaHash(pub [u8; 32]);

impl Grantable {
    /// Returns the grant of an approval of `tool` that reaches this far.
    pub fn grant(self, id: GrantId, tool: &str, reach: GrantReach, created_at: Timestamp) -> Grant {
        let Self { schema, untrusted, .. } = self;
        Grant { id, tool: tool.to_owned(), schema, reach, untrusted, created_at }
    }
}

impl Grant {
    /// Reports whether both are about the same calls of the same tool.
    pub fn is_about_the_same(&self, other: &Self) -> bool {
        self.tool == other.tool && self.schema == other.schema && self.reach == other.reach
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
        let error = || IdError { what: "schema hash", why: "expected 64 lower-case hexadecimal digits" };
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
