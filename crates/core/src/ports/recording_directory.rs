//! The recorded exchanges of turns with providers, and their replay.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::BoxFuture;
use crate::{AnsweringModel, Scope, Timestamp, TurnId};

/// A turn of which exchanges are recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedTurn {
    /// The turn.
    pub turn: TurnId,
    /// The number of its exchanges.
    pub exchanges: usize,
    /// The models that were asked, each once, in the order in which they first were.
    pub models: Vec<AnsweringModel>,
    /// When the first exchange began, if its file has a time.
    pub began_at: Option<Timestamp>,
}

/// A part of the recorded turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordedTurnPage {
    /// Only this turn.
    pub turn: Option<TurnId>,
    /// Only turns that are older than this one.
    pub before: Option<TurnId>,
    /// The largest number of turns.
    pub limit: usize,
}

impl RecordedTurnPage {
    /// Reports whether a turn meets the conditions.
    pub fn accepts(&self, turn: TurnId) -> bool {
        self.turn.is_none_or(|only| turn == only) && self.before.is_none_or(|before| turn < before)
    }
}

/// One request to a provider and its outcome. Credentials are masked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedExchange {
    /// The place among the exchanges of the turn, from 1.
    pub number: usize,
    /// The step of the turn, from 1.
    pub step: u16,
    /// The attempt at the step, from 1.
    pub attempt: u16,
    /// The provider and the requested model.
    pub model: AnsweringModel,
    /// The wire, as in the configuration's `api`.
    pub api: &'static str,
    /// The address.
    pub url: String,
    /// When the request was sent, if its file has a time.
    pub began_at: Option<Timestamp>,
    /// When the exchange ended, if its file has a time.
    pub ended_at: Option<Timestamp>,
    /// The status of the response, if there was one.
    pub status: Option<u16>,
    /// Selected headers of the response.
    pub headers: BTreeMap<String, String>,
    /// How the exchange ended.
    pub ended: ExchangeEnd,
    /// The number of masked bytes.
    pub masked: u64,
    /// The body of the request.
    pub request: RecordedText,
    /// The body of the response, if there was one.
    pub response: Option<RecordedText>,
}

/// How an exchange ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExchangeEnd {
    /// The response is complete.
    Complete,
    /// This side closed the connection.
    Aborted,
    /// The connection failed or timed out.
    Failed {
        /// The code of the failure.
        code: String,
        /// The message, for people.
        message: String,
    },
}

/// A body as text. Bytes that are not UTF-8 are replaced.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RecordedText {
    /// The text, or its beginning.
    pub text: String,
    /// The size of the whole body, in bytes.
    pub bytes: u64,
    /// Whether the body is longer than the text.
    pub is_cut: bool,
}

/// A part of the exchanges of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExchangePage {
    /// The number of exchanges to skip.
    pub skip: usize,
    /// The largest number of exchanges.
    pub limit: usize,
    /// The size at which a body is cut, in bytes.
    pub body_bytes: u64,
}

/// The exchanges of a page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExchangeList {
    /// The exchanges, in the order in which they were made.
    pub exchanges: Vec<RecordedExchange>,
    /// The names of recorded exchanges that cannot be read.
    pub unreadable: Vec<String>,
    /// The number of exchanges of the turn.
    pub total: usize,
}

/// The comparison of a stored turn with its replay.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReplayReport {
    /// The number of stored events.
    pub stored_events: usize,
    /// The number of replayed events.
    pub replayed_events: usize,
    /// The first difference between the two turns.
    pub difference: Option<ReplayDifference>,
    /// The steps and attempts without a recording.
    pub missing: Vec<(u16, u16)>,
    /// The steps and attempts whose request differs from the recorded one, with the place as a JSON pointer. The empty
    /// pointer means the whole request.
    pub requests: Vec<((u16, u16), String)>,
}

impl ReplayReport {
    /// Reports whether the replay is equal to the stored turn. Requests may differ.
    pub fn is_same(&self) -> bool {
        self.difference.is_none() && self.missing.is_empty()
    }
}

/// The first difference between a stored turn and its replay.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReplayDifference {
    /// The number of the event, if events differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<u32>,
    /// The index of the message in its turn, from 0, if only a message differs: some of its content is in no event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<usize>,
    /// The kind of the stored event, or else of the replayed one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    /// The location in the event or message, as a JSON pointer.
    pub at: String,
    /// The value in the stored turn; `None` if the turn has ended there, or has no such value.
    pub stored: Option<Value>,
    /// The value in the replay; `None` likewise.
    pub replayed: Option<Value>,
}

/// The reason why recordings cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordingError {
    /// The recordings cannot be read.
    #[error("the recordings cannot be read: {0}")]
    Unreadable(String),
    /// The turn cannot be replayed.
    #[error("{0}")]
    NotReplayable(String),
}

/// Lists the recordings of a process, and replays turns from them.
pub trait RecordingDirectory: Send + Sync {
    /// Returns a page of the recorded turns, the newest first.
    ///
    /// # Errors
    /// The recordings cannot be read.
    fn recorded_turns(&self, page: RecordedTurnPage) -> BoxFuture<'_, Result<Vec<RecordedTurn>, RecordingError>>;

    /// Returns exchanges of a turn. A turn without a recording has none.
    ///
    /// # Errors
    /// The recordings cannot be read.
    fn exchanges(&self, turn: TurnId, page: ExchangePage) -> BoxFuture<'_, Result<ExchangeList, RecordingError>>;

    /// Replays a turn of this owner offline, with its recorded answers, and compares the result with the stored turn.
    /// Nothing is written.
    ///
    /// # Errors
    /// The recordings cannot be read, or the turn cannot be replayed.
    fn replay<'a>(&'a self, scope: &'a Scope, turn: TurnId) -> BoxFuture<'a, Result<ReplayReport, RecordingError>>;
}
