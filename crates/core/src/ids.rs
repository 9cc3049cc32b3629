//! Names of things. Ids are made by an [`IdSource`](crate::ports::IdSource), never from a hidden clock or random source.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use compact_str::ToCompactString;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;
use uuid::fmt::Hyphenated;

/// Why a text is not an id or a name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a valid {what}: {why}")]
pub struct IdError {
    /// The kind of id that was expected.
    pub what: &'static str,
    /// What is wrong with the text.
    pub why: &'static str,
}

macro_rules! uuid_id {
    ($(#[$doc:meta])* $name:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema)]
        #[serde(transparent)]
        #[schemars(inline)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.hyphenated().fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                Uuid::parse_str(text).map(Self).map_err(|_| IdError { what: $what, why: "expected a UUID" })
            }
        }
    };
}

uuid_id! {
    /// Our id of a conversation.
    SessionId, "session id"
}
uuid_id! {
    /// Our id of one turn: one user input up to one terminal event.
    TurnId, "turn id"
}

uuid_id! {
    /// The id of an uploaded file.
    BlobId, "file id"
}

uuid_id! {
    /// The id of a grant.
    GrantId, "grant id"
}

uuid_id! {
    /// The public id of a key by which a client of the server is known.
    KeyId, "key id"
}

/// Identity of one tool call. It is derived from its place in the turn, because the ids providers give repeat.
///
/// Its text form is the idempotency key a tool receives, the same on every attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallUid {
    /// The turn that asked for the call.
    pub turn: TurnId,
    /// The step of the turn, from 1.
    pub step: u16,
    /// The place of the call among the calls of its step, from 0.
    pub ordinal: u16,
}

impl CallUid {
    /// The text form. A turn writes it many times, so it is put together without a formatter.
    fn text(self) -> String {
        let mut text = String::with_capacity(Hyphenated::LENGTH + ".65535.65535".len());
        text.push_str(self.turn.0.hyphenated().encode_lower(&mut Uuid::encode_buffer()));
        for number in [self.step, self.ordinal] {
            text.push('.');
            text.push_str(&number.to_compact_string());
        }
        text
    }
}

impl fmt::Display for CallUid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl FromStr for CallUid {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let error = || IdError { what: "call id", why: "expected turn.step.ordinal" };
        let mut words = text.split('.');
        let (Some(turn), Some(step), Some(ordinal), None) = (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(error());
        };
        let number = |word: &str| {
            let digits = word.bytes().all(|byte| byte.is_ascii_digit());
            word.parse().ok().filter(|_| digits).ok_or_else(error)
        };
        Ok(Self { turn: turn.parse()?, step: number(step)?, ordinal: number(ordinal)? })
    }
}

impl Serialize for CallUid {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text())
    }
}

impl<'de> Deserialize<'de> for CallUid {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// What a client calls its session: at most 128 bytes, no control characters, unique per [`Scope`](crate::Scope).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SessionName(Box<str>);

impl SessionName {
    /// The longest name, in bytes.
    pub const MAX_BYTES: usize = 128;

    /// The name as the client wrote it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for SessionName {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let why = if text.is_empty() {
            "it is empty"
        } else if text.len() > Self::MAX_BYTES {
            "it is longer than 128 bytes"
        } else if text.chars().any(char::is_control) {
            "it holds a control character"
        } else {
            return Ok(Self(text.into()));
        };
        Err(IdError { what: "session name", why })
    }
}

impl TryFrom<String> for SessionName {
    type Error = IdError;

    fn try_from(text: String) -> Result<Self, IdError> {
        text.parse()
    }
}

impl From<SessionName> for String {
    fn from(name: SessionName) -> Self {
        name.0.into()
    }
}

impl fmt::Display for SessionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Which ownership of a turn is meant: it grows by one each time the turn is claimed, and a write carrying an older one
/// is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fence(pub u32);

impl Fence {
    /// The fence of the owner after this one.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// Name of a process that executes turns, fresh at each start. Cloning it is cheap: every claim carries one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WorkerId(pub Arc<str>);
