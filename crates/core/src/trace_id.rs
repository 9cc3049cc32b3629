//! Trace ids.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uuid::Uuid;

use crate::{IdError, TurnId};

/// The id of a trace, as defined by W3C Trace Context: 16 bytes that are not all zero, written as 32 lower-case
/// hexadecimal digits. A turn belongs to the trace of its caller or, without one, to a separate trace with the id of
/// the turn.
///
/// ```
/// use turnkit_core::{TraceId, TurnId};
///
/// let turn: TurnId = "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01".parse().unwrap();
/// assert_eq!(TraceId::of(turn).to_string(), "0199a1f05d1c7cc09d8e2f8f4c1b7a01");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TraceId(Uuid);

impl TraceId {
    /// Returns the trace id of a turn whose caller sent none.
    pub fn of(turn: TurnId) -> Self {
        Self(turn.0)
    }

    /// Creates an id from these bytes. Returns `None` if all of them are zero.
    pub fn from_bytes(bytes: [u8; 16]) -> Option<Self> {
        Some(Self(Uuid::from_bytes(bytes))).filter(|trace| !trace.0.is_nil())
    }

    /// Returns the bytes of the id.
    pub fn as_bytes(&self) -> &[u8; 16] {
        self.0.as_bytes()
    }
}

impl fmt::Display for TraceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerHex::fmt(self.0.as_simple(), f)
    }
}

impl FromStr for TraceId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        let digits = Some(text).filter(|text| text.len() == 32 && text.bytes().all(is_digit));
        let id = digits.and_then(|digits| Uuid::try_parse(digits).ok());
        let wrong =
            IdError { what: "trace id", reason: "expected 32 lower-case hexadecimal digits that are not all 0" };
        id.and_then(|id| Self::from_bytes(id.into_bytes())).ok_or(wrong)
    }
}

impl Serialize for TraceId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.as_simple().encode_lower(&mut Uuid::encode_buffer()))
    }
}

impl<'de> Deserialize<'de> for TraceId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
