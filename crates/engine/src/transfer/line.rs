//! The lines of an exported session.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use turnkit_core::{
    BlobId, Mark, Part, Role, SamplingParams, SessionId, SessionName, Timestamp, ToolUse, TraceId, TurnId, TurnKind,
    TurnStatus,
};

/// The version of the format that is written and read.
pub(super) const VERSION: u32 = 1;

/// A line. Its JSON form has a `type` field.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Line {
    Session(SessionLine),
    Turn(TurnLine),
    Message(MessageLine),
    File(FileLine),
    Content(ContentLine),
    End(EndLine),
}

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SessionLine {
    pub(super) version: u32,
    pub(super) id: SessionId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<SessionName>,
    pub(super) agent: Box<str>,
    pub(super) title: Box<str>,
    #[serde(default)]
    pub(super) metadata: Map<String, Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) prompt: Option<Box<str>>,
    #[serde(default, skip_serializing_if = "SamplingParams::is_empty")]
    pub(super) params: SamplingParams,
    #[serde(default, skip_serializing_if = "ToolUse::is_auto")]
    pub(super) tools: ToolUse,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) mode: Option<Box<str>>,
    /// The turn that the next turn continues.
    #[serde(default)]
    pub(super) head: Option<TurnId>,
    pub(super) created_at: Timestamp,
}

/// A turn that has ended.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct TurnLine {
    pub(super) id: TurnId,
    /// The turn that this turn continues.
    #[serde(default)]
    pub(super) after: Option<TurnId>,
    pub(super) agent: Box<str>,
    pub(super) state: TurnStatus,
    pub(super) accepted_at: Timestamp,
    pub(super) ended_at: Timestamp,
    /// The trace of the caller that started the turn, if the caller sent one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) trace: Option<TraceId>,
    /// Its purpose.
    #[serde(default, skip_serializing_if = "TurnKind::is_message")]
    pub(super) kind: TurnKind,
}

/// A message of the preceding turn line, without opaque data of vendors.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct MessageLine {
    pub(super) turn: TurnId,
    pub(super) role: Role,
    pub(super) parts: Vec<Part>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) mark: Option<Mark>,
}

/// An uploaded file, whose content follows.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct FileLine {
    pub(super) id: BlobId,
    pub(super) name: Box<str>,
    pub(super) media_type: Box<str>,
    pub(super) bytes: u64,
}

/// A piece of the content of the preceding file line.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ContentLine {
    pub(super) file: BlobId,
    pub(super) base64: String,
}

impl ContentLine {
    pub(super) fn new(file: BlobId, piece: &[u8]) -> Self {
        Self { file, base64: STANDARD.encode(piece) }
    }

    /// Returns the decoded bytes, or `None` if the encoding is invalid.
    pub(super) fn piece(&self) -> Option<Vec<u8>> {
        STANDARD.decode(&self.base64).ok()
    }
}

/// The last line.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct EndLine {
    /// The number of lines before this one.
    pub(super) lines: u64,
}

/// The maximum length of a session line, in bytes. Parsed metadata takes many times the memory of its text.
const SESSION_BYTES: usize = 2 * 1024 * 1024;

/// Implemented by hand, because a part contains raw JSON, which a derived implementation with a `type` tag cannot read.
impl<'de> Deserialize<'de> for Line {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Head {
            r#type: Kind,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "snake_case")]
        enum Kind {
            Session,
            Turn,
            Message,
            File,
            Content,
            End,
        }
        fn read<T: DeserializeOwned, E: serde::de::Error>(raw: &str) -> Result<T, E> {
            serde_json::from_str(raw).map_err(E::custom)
        }

        let raw = <&serde_json::value::RawValue>::deserialize(deserializer)?.get();
        let Head { r#type } = read(raw)?;
        Ok(match r#type {
            Kind::Session if raw.len() > SESSION_BYTES => return Err(serde::de::Error::custom("too long")),
            Kind::Session => Self::Session(read(raw)?),
            Kind::Turn => Self::Turn(read(raw)?),
            Kind::Message => Self::Message(read(raw)?),
            Kind::File => Self::File(read(raw)?),
            Kind::Content => Self::Content(read(raw)?),
            Kind::End => Self::End(read(raw)?),
        })
    }
}
