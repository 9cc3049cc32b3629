//! `named`: named events with plain text; `done` is always the last event.

use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};
use turnkit_core::ports::{Detach, EventEncoder};
use turnkit_core::{
    ClientCaps, ErrorScope, EventKind, Frames, Message, PartId, RawJson, SessionKey, SessionName, TurnEvent,
    TurnSnapshot, TurnStatus,
};
use utoipa::ToSchema;

use super::extended::{Ending, Extended, Protocol};
use super::{Dialect, Endpoint, EndpointDocs, Head, StreamContext, TurnSubmission, schema_of};
use crate::error::ApiError;
use crate::json::{self, text};

pub(super) const DIALECT: Dialect =
    Dialect { name: "named", caps: CAPS, encoder, ids: false, shows_session_label: true, endpoints: &[ENDPOINT] };

const CAPS: ClientCaps = ClientCaps { interact: false, resume: true };

const ENDPOINT: Endpoint =
    Endpoint { path: "/chat", decode, whole: None, error_response: IntoResponse::into_response, docs: DOCS };

const DOCS: EndpointDocs = EndpointDocs {
    operation_id: "start_named",
    summary: "Chat with named events",
    description: "Continues the session with this id or name. An unknown text becomes the name of a new session.",
    schema: schema_of::<Body>,
    request: r#"{ "session_id": "lisbon", "message": "What is 6 x 7?" }"#,
    receipt: None,
    stream: "event: text\ndata: It is 42.\n\nevent: done\ndata: {\"session_id\":\"lisbon\"}\n\n",
};

fn encoder(context: &StreamContext) -> Box<dyn EventEncoder> {
    let session = context.session_label.clone();
    Box::new(Extended::new(context, Named { session, carriage_return: None, step_shown: false, failure_sent: false }))
}

/// A user's message.
#[derive(Deserialize, ToSchema)]
struct Body {
    /// The id or the name of a session. Without it, the turn starts a new session.
    #[serde(default, deserialize_with = "text::optional_session_name")]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 128)]
    session_id: Option<SessionName>,
    /// The user's message.
    #[serde(deserialize_with = "text::not_blank")]
    #[schema(min_length = 1)]
    message: String,
}

fn decode(_: &Head<'_>, body: &[u8]) -> Result<TurnSubmission, ApiError> {
    let Body { session_id, message } = json::read(body)?;
    let session = session_id.map_or(SessionKey::New, SessionKey::Name);
    Ok(TurnSubmission::new(session, Message::user(message)))
}

struct Named {
    session: String,
    /// The part whose text so far ends in a carriage return that is not written yet, because a line feed may follow.
    carriage_return: Option<PartId>,
    /// Whether the model has begun to respond in the running step.
    step_shown: bool,
    /// Whether the client was sent a failure that may be the reason why the turn ends.
    failure_sent: bool,
}

#[derive(Serialize)]
struct ToolStatus<'a> {
    tool: &'a str,
    status: &'static str,
}

#[derive(Serialize)]
struct Data<'a> {
    r#type: &'a str,
    payload: &'a RawJson,
}

#[derive(Serialize)]
struct Done<'a> {
    session_id: &'a str,
}

/// Failures have fixed sentences: messages of providers and tools may contain details that not every client may see.
#[derive(Serialize)]
struct Failure {
    code: &'static str,
    message: &'static str,
}

const LLM_ERROR: Failure = Failure { code: "llm_error", message: "the model did not answer" };
const STREAM_ERROR: Failure = Failure { code: "stream_error", message: "the answer broke off" };
const TOOL_ERROR: Failure = Failure { code: "tool_error", message: "a tool failed" };
const MAX_TOOL_ROUNDS: Failure = Failure { code: "max_tool_rounds", message: "the limit of tool rounds was reached" };
const INTERNAL: Failure = Failure { code: "internal", message: "the turn could not be finished" };
/// The protocol has no separate code for this failure.
const BUDGET_USED_UP: Failure = Failure { code: "internal", message: "the budget is used up" };

impl Named {
    /// Writes text with every line ending as a line feed, even if a line ending is split between deltas.
    fn write_text(&mut self, part: PartId, text: &str, out: &mut Frames) {
        let mut lines = String::with_capacity(text.len() + 1);
        let mut rest = text;
        if let Some(before) = self.carriage_return.take() {
            lines.push('\n');
            rest = if before == part { rest.strip_prefix('\n').unwrap_or(rest) } else { rest };
        }
        if let Some(before) = rest.strip_suffix('\r') {
            self.carriage_return = Some(part);
            rest = before;
        }
        while let Some((line, after)) = rest.split_once('\r') {
            lines.push_str(line);
            lines.push('\n');
            rest = after.strip_prefix('\n').unwrap_or(after);
        }
        lines.push_str(rest);
        if !lines.is_empty() {
            out.text(Some("text"), &lines);
        }
    }

    /// Writes the line feed for a pending carriage return, after which no more text of its part follows.
    fn write_pending(&mut self, out: &mut Frames) {
        if self.carriage_return.take().is_some() {
            out.text(Some("text"), "\n");
        }
    }

    fn fail(&mut self, failure: &Failure, out: &mut Frames) {
        self.failure_sent = true;
        out.json(Some("error"), failure);
    }

    fn done(&self, out: &mut Frames) {
        out.json(Some("done"), &Done { session_id: &self.session });
    }

    fn failure_of(&self, code: &str, scope: ErrorScope) -> Failure {
        match scope {
            ErrorScope::Provider if self.step_shown => STREAM_ERROR,
            ErrorScope::Provider => LLM_ERROR,
            ErrorScope::Tool => TOOL_ERROR,
            ErrorScope::Turn => match code {
                "max_tool_rounds" => MAX_TOOL_ROUNDS,
                "budget_used_up" => BUDGET_USED_UP,
                _ => INTERNAL,
            },
        }
    }
}

impl Protocol for Named {
    fn text(&mut self, part: PartId, text: &str, out: &mut Frames) {
        if self.carriage_return.is_some() || text.as_bytes().contains(&b'\r') {
            self.write_text(part, text, out);
        } else {
            out.text(Some("text"), text);
        }
    }

    fn event(&mut self, event: &TurnEvent, out: &mut Frames) {
        match &event.kind {
            EventKind::StepStarted { .. } => (self.step_shown, self.failure_sent) = (true, false),
            EventKind::PartEnded { id, .. } if self.carriage_return == Some(*id) => self.write_pending(out),
            EventKind::ToolStarted { name, .. } => {
                out.json(Some("tool_status"), &ToolStatus { tool: name, status: "calling" });
            }
            EventKind::Data { kind, payload, .. } => out.json(Some("data"), &Data { r#type: kind, payload }),
            EventKind::ToolFinished { name, ok, .. } => {
                self.step_shown = false; // further model output belongs to another step
                let status = if *ok { "done" } else { "error" };
                out.json(Some("tool_status"), &ToolStatus { tool: name, status });
                if !ok {
                    out.json(Some("error"), &TOOL_ERROR);
                }
            }
            EventKind::Error { code, scope, .. } => self.fail(&self.failure_of(code, *scope), out),
            _ => {}
        }
    }

    fn write_error(&mut self, ending: &Ending<'_>, out: &mut Frames) {
        self.write_pending(out);
        match ending.status {
            TurnStatus::Limit if !self.failure_sent => self.fail(&MAX_TOOL_ROUNDS, out),
            TurnStatus::Failed | TurnStatus::Expired if !self.failure_sent => self.fail(&INTERNAL, out),
            _ => {}
        }
    }

    fn end(&mut self, _: &Ending<'_>, out: &mut Frames) {
        self.done(out);
    }

    fn detach(&mut self, why: Detach, out: &mut Frames) {
        let failure = match why {
            Detach::Retracted | Detach::Lost | Detach::Revoked | Detach::Deleted => STREAM_ERROR,
            Detach::Stopping | Detach::Failed => INTERNAL,
        };
        out.json(Some("error"), &Failure { message: why.as_str(), ..failure });
        self.done(out);
    }

    fn reset_attempt(&mut self) {
        self.carriage_return = None;
        self.step_shown = false;
    }

    fn continue_after(&mut self, turn: &TurnSnapshot) {
        self.carriage_return = None;
        self.failure_sent = !turn.view.remarks.is_empty();
        let step = turn.view.parts.last().map(|part| part.id.step);
        let over = turn.view.tools.iter().any(|tool| Some(tool.uid.step) == step && tool.outcome.is_some());
        self.step_shown = step.is_some() && !over;
    }
}
