//! `relay`: a stream that starts with a frame for the connection, followed by tokens. Each round of tools adds one
//! frame at its start and one frame with all of its results. The last frame contains the whole text.

use std::collections::BTreeMap;

use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};
use turnkit_core::ports::{Detach, EventEncoder};
use turnkit_core::{
    CallUid, ClientCaps, EventKind, Frames, Message, Part, PartId, PartKind, SessionKey, SessionName, TurnEvent,
    TurnId, TurnSnapshot, TurnStatus,
};
use utoipa::ToSchema;

use super::extended::{Ending, Extended, Protocol};
use super::{Dialect, Endpoint, EndpointDocs, Head, StreamContext, TurnSubmission, schema_of};
use crate::error::ApiError;
use crate::json::{self, text};

pub(super) const DIALECT: Dialect =
    Dialect { name: "relay", caps: CAPS, encoder, ids: false, shows_session_label: false, endpoints: &[ENDPOINT] };

const CAPS: ClientCaps = ClientCaps { interact: false, resume: true };

const ENDPOINT: Endpoint =
    Endpoint { path: "/chat/stream", decode, whole: None, error_response: IntoResponse::into_response, docs: DOCS };

const DOCS: EndpointDocs = EndpointDocs {
    operation_id: "start_relay",
    summary: "Chat with relayed tokens",
    description: "Continues the session with this id or name. An unknown text becomes the name of a new session.",
    schema: schema_of::<Body>,
    request: r#"{ "sessionId": "lisbon", "message": "What is 6 x 7?" }"#,
    receipt: None,
    stream: concat!(
        "event: connected\n",
        r#"data: {"type":"connected","requestId":"0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01"}"#,
        "\n\n",
    ),
};

fn encoder(context: &StreamContext) -> Box<dyn EventEncoder> {
    Box::new(Extended::new(context, Relay { request_id: context.turn, round: Round::default() }))
}

/// A user's message.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Body {
    /// The id or the name of a session.
    #[serde(deserialize_with = "text::session_name")]
    #[schema(value_type = String, min_length = 1, max_length = 128)]
    session_id: SessionName,
    /// The user's message.
    #[serde(deserialize_with = "text::not_blank")]
    #[schema(min_length = 1)]
    message: String,
}

fn decode(_: &Head<'_>, body: &[u8]) -> Result<TurnSubmission, ApiError> {
    let Body { session_id, message } = json::read(body)?;
    Ok(TurnSubmission::new(SessionKey::Name(session_id), Message::user(message)))
}

struct Relay {
    request_id: TurnId,
    round: Round,
}

/// The calls of a step, in the order in which the model made them.
#[derive(Default)]
struct Round {
    calls: BTreeMap<CallUid, Call>,
    /// Whether the calls were announced to the client.
    announced: bool,
}

struct Call {
    name: String,
    /// Whether the call succeeded, and its result.
    outcome: Option<(bool, String)>,
}

#[derive(Serialize)]
struct Frame<'a> {
    #[serde(flatten)]
    body: FrameBody<'a>,
    #[serde(rename = "requestId")]
    request_id: TurnId,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum FrameBody<'a> {
    Connected,
    Token {
        content: &'a str,
    },
    Status {
        message: &'a str,
        tools: Vec<Tool<'a>>,
    },
    ToolResult {
        tools: Vec<Tool<'a>>,
    },
    Error {
        code: &'a str,
        message: &'a str,
    },
    Done {
        #[serde(rename = "finalContent")]
        final_content: &'a str,
    },
}

#[derive(Serialize)]
struct Tool<'a> {
    id: CallUid,
    name: &'a str,
    #[serde(flatten)]
    result: Option<Outcome<'a>>,
}

#[derive(Serialize)]
struct Outcome<'a> {
    status: &'static str,
    content: &'a str,
}

impl Relay {
    fn write(&self, event: Option<&str>, body: FrameBody<'_>, out: &mut Frames) {
        out.json(event, &Frame { body, request_id: self.request_id });
    }

    /// Announces the calls of the round, before the first of them starts or is rejected.
    fn announce(&mut self, out: &mut Frames) {
        if !self.round.announced {
            self.round.announced = true;
            let tools = self.round.calls.iter().map(|(id, call)| Tool { id: *id, name: &call.name, result: None });
            self.write(Some("tool_use"), FrameBody::Status { message: "Using tools...", tools: tools.collect() }, out);
        }
    }

    fn finish(&mut self, uid: CallUid, outcome: (bool, &str), out: &mut Frames) {
        if let Some(call) = self.round.calls.get_mut(&uid) {
            call.outcome = Some((outcome.0, outcome.1.to_owned()));
        }
        if let Some(tools) = self.round.results() {
            self.write(None, FrameBody::ToolResult { tools }, out);
        }
    }
}

impl Protocol for Relay {
    fn text(&mut self, _: PartId, text: &str, out: &mut Frames) {
        self.write(None, FrameBody::Token { content: text }, out);
    }

    fn event(&mut self, event: &TurnEvent, out: &mut Frames) {
        match &event.kind {
            EventKind::TurnStarted { .. } => self.write(Some("connected"), FrameBody::Connected, out),
            EventKind::StepStarted { .. } => self.round = Round::default(),
            EventKind::PartEnded { part: Part::ToolCall(call), .. } => {
                self.round.add(call.uid, &call.name);
            }
            EventKind::ToolStarted { uid, name, .. } => {
                self.round.add(*uid, name);
                self.announce(out);
            }
            EventKind::ToolFinished { uid, name, ok, content, .. } => {
                self.round.add(*uid, name);
                self.announce(out);
                self.finish(*uid, (*ok, content), out);
            }
            _ => {}
        }
    }

    fn end(&mut self, ending: &Ending<'_>, out: &mut Frames) {
        match ending.status {
            TurnStatus::Completed => self.write(Some("done"), FrameBody::Done { final_content: ending.text }, out),
            _ => self.write(Some("error"), FrameBody::Error { code: ending.code, message: ending.message }, out),
        }
    }

    fn detach(&mut self, why: Detach, out: &mut Frames) {
        let code = match why {
            Detach::Stopping => "stopping",
            Detach::Retracted => "retracted",
            Detach::Lost => "lost",
            Detach::Failed => "storage_failed",
            Detach::Revoked => "key_revoked",
            Detach::Deleted => "session_deleted",
        };
        self.write(Some("error"), FrameBody::Error { code, message: why.as_str() }, out);
    }

    fn continue_after(&mut self, turn: &TurnSnapshot) {
        self.round = Round::from_snapshot(turn);
    }
}

impl Round {
    /// Returns the current round of a turn.
    fn from_snapshot(turn: &TurnSnapshot) -> Self {
        let mut round = Self::default();
        let Some(step) = turn.view.parts.last().map(|part| part.id.step) else { return round };
        let parts = turn.view.parts.iter().filter(|part| part.id.step == step && part.kind == PartKind::ToolCall);
        for (ordinal, part) in (0..).zip(parts) {
            round.add(CallUid { turn: turn.id, step, ordinal }, part.name.as_deref().unwrap_or_default());
        }
        for tool in turn.view.tools.iter().filter(|tool| tool.uid.step == step) {
            round.announced = true;
            if let Some(call) = round.calls.get_mut(&tool.uid) {
                call.outcome = tool.outcome.as_ref().map(|(ok, content, _)| (*ok, content.clone()));
            }
        }
        // Once all calls have ended, the turn may be in its next step without any output of it yet.
        if round.results().is_some() { Self::default() } else { round }
    }

    fn add(&mut self, uid: CallUid, name: &str) {
        self.calls.entry(uid).or_insert_with(|| Call { name: name.to_owned(), outcome: None });
    }

    /// Returns the results of all calls, once the last of them has ended.
    fn results(&self) -> Option<Vec<Tool<'_>>> {
        let mut results = Vec::with_capacity(self.calls.len());
        for (id, call) in &self.calls {
            let (ok, content) = call.outcome.as_ref()?;
            let result = Outcome { status: if *ok { "completed" } else { "failed" }, content };
            results.push(Tool { id: *id, name: &call.name, result: Some(result) });
        }
        Some(results)
    }
}
