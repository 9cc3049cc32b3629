//! Recordings in responses.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};
use turnkit_core::ports::{ExchangeEnd, RecordedExchange, RecordedText, RecordedTurn};
use turnkit_core::{Timestamp, TurnId, TurnRecord, TurnState};
use utoipa::ToSchema;

use crate::routes::AnsweringModelBody;
use crate::routes::list::List;

/// A turn of which exchanges are recorded.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct RecordingBody {
    /// The turn.
    #[schema(value_type = uuid::Uuid)]
    pub(super) turn_id: TurnId,
    /// The number of exchanges.
    exchanges: usize,
    /// The models that were asked, each once.
    models: Vec<AnsweringModelBody>,
    /// When the first exchange began, as far as its file has a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    began_at: Option<Timestamp>,
    /// The title of the session. Absent for a turn of another user.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// The state of the turn. Absent for a turn of another user.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    state: Option<TurnState>,
    /// The agent. Absent for a turn of another user.
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<String>,
}

impl RecordingBody {
    /// Describes a recording. `stored` is its turn with the title of the session, as far as the caller may see it.
    pub(super) fn new(recorded: RecordedTurn, stored: Option<(TurnRecord, String)>) -> Self {
        let RecordedTurn { turn, exchanges, models, began_at } = recorded;
        let (record, title) = stored.unzip();
        let (state, agent) = record.map(|record| (record.state, String::from(record.agent))).unzip();
        let models = models.into_iter().map(AnsweringModelBody::from).collect();
        Self { turn_id: turn, exchanges, models, began_at, title, state, agent }
    }
}

/// A page of the exchanges of a turn.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ExchangesBody {
    /// The turn.
    #[schema(value_type = uuid::Uuid)]
    turn_id: TurnId,
    /// The title of the session. Absent for a turn of another user.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// The state of the turn. Absent for a turn of another user.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    state: Option<TurnState>,
    /// The exchanges of the page.
    data: Vec<ExchangeBody>,
    /// The `cursor` of the next page, if there is one.
    #[schema(required)]
    next: Option<String>,
    /// The names of recorded exchanges of this page that cannot be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    unreadable: Vec<String>,
}

impl ExchangesBody {
    pub(super) fn new(turn: TurnId, stored: Option<(TurnRecord, String)>, list: List<ExchangeBody>) -> Self {
        let (record, title) = stored.unzip();
        let List { data, next, unreadable } = list;
        Self { turn_id: turn, title, state: record.map(|record| record.state), data, next, unreadable }
    }
}

/// A request to a provider and its outcome.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ExchangeBody {
    /// The place among the exchanges of the turn, from 1.
    number: usize,
    /// The step of the turn, from 1.
    step: u16,
    /// The attempt at the step, from 1.
    attempt: u16,
    /// The provider.
    provider: String,
    /// The requested model.
    model: String,
    /// The wire, as in the configuration's `api`.
    api: String,
    /// The address, without the values of a query.
    url: String,
    /// When the request was sent, as far as its file has a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    began_at: Option<Timestamp>,
    /// When the exchange ended, as far as its file has a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    ended_at: Option<Timestamp>,
    /// The status of the response. Absent if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    /// The headers of the response that describe it.
    headers: BTreeMap<String, String>,
    /// `whole`, `dropped` if this side closed the connection, or `failed`.
    ended: String,
    /// Why the exchange failed, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<ExchangeFailureBody>,
    /// The number of masked bytes, which belong to credentials.
    masked: u64,
    /// The body of the request.
    request: RecordedTextBody,
    /// The body of the response, as received so far. Absent if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    response: Option<RecordedTextBody>,
}

/// Why an exchange failed.
#[derive(Debug, Serialize, ToSchema)]
struct ExchangeFailureBody {
    /// The code of the failure.
    code: String,
    /// The message, for people.
    message: String,
}

/// A recorded body as text.
#[derive(Debug, Serialize, ToSchema)]
struct RecordedTextBody {
    /// The text, or its beginning.
    text: String,
    /// The size of the whole body, in bytes.
    bytes: u64,
    /// Whether the body is longer than `text`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    more: bool,
}

impl ExchangeBody {
    /// Returns an example for the OpenAPI document.
    pub(super) fn example() -> Value {
        json!({
            "number": 1,
            "step": 1,
            "attempt": 1,
            "provider": "main",
            "model": "small",
            "api": "openai-chat",
            "url": "https://llm.example/v1/chat/completions",
            "began_at": "2026-01-01T12:00:00.000Z",
            "ended_at": "2026-01-01T12:00:01.500Z",
            "status": 200,
            "headers": { "content-type": "text/event-stream" },
            "ended": "whole",
            "masked": 0,
            "request": { "text": "{\"model\":\"small\"}", "bytes": 17 },
            "response": { "text": "data: [DONE]\n\n", "bytes": 14 },
        })
    }
}

impl From<RecordedExchange> for ExchangeBody {
    fn from(exchange: RecordedExchange) -> Self {
        let (ended, failure) = match exchange.ended {
            ExchangeEnd::Complete => ("whole", None),
            ExchangeEnd::Aborted => ("dropped", None),
            ExchangeEnd::Failed { code, message } => ("failed", Some(ExchangeFailureBody { code, message })),
        };
        let AnsweringModelBody { provider, model } = exchange.model.into();
        Self {
            number: exchange.number,
            step: exchange.step,
            attempt: exchange.attempt,
            provider,
            model,
            api: exchange.api.to_owned(),
            url: exchange.url,
            began_at: exchange.began_at,
            ended_at: exchange.ended_at,
            status: exchange.status,
            headers: exchange.headers,
            ended: ended.to_owned(),
            failure,
            masked: exchange.masked,
            request: exchange.request.into(),
            response: exchange.response.map(RecordedTextBody::from),
        }
    }
}

impl From<RecordedText> for RecordedTextBody {
    fn from(RecordedText { text, bytes, is_cut }: RecordedText) -> Self {
        Self { text, bytes, more: is_cut }
    }
}
