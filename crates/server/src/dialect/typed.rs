//! `typed`: each request contains the whole conversation. Frames are unnamed; the `type` field of their JSON names
//! their kind.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use turnkit_core::ports::{Detach, EventEncoder};
use turnkit_core::{ClientCaps, EventKind, Frames, Message, Part, PartId, Role, SessionKey, TurnEvent, TurnStatus};
use utoipa::ToSchema;

use super::extended::{Ending, Extended, Protocol};
use super::{Dialect, Endpoint, EndpointDocs, Head, StreamContext, TurnSubmission, schema_of};
use crate::error::{ApiError, ErrorCode};
use crate::json::{self, text};

pub(super) const DIALECT: Dialect =
    Dialect { name: "typed", caps: CAPS, encoder, ids: false, shows_session_label: false, endpoints: &[ENDPOINT] };

/// Clients keep the conversation themselves, so they have no cursor with which to resume.
const CAPS: ClientCaps = ClientCaps { interact: false, resume: false };

const ENDPOINT: Endpoint = Endpoint { path: "/api/chat/stream", decode, whole: None, error_response, docs: DOCS };

const DOCS: EndpointDocs = EndpointDocs {
    operation_id: "start_typed",
    summary: "Chat with typed frames",
    description: "The client keeps the conversation and sends all of it. The last message is the user's.",
    schema: schema_of::<Body>,
    request: r#"{ "messages": [{ "role": "user", "content": "What is 6 x 7?" }] }"#,
    receipt: None,
    stream: concat!(r#"data: {"type":"content","content":"It is 42."}"#, "\n\n", r#"data: {"type":"done"}"#, "\n\n"),
};

/// Writes an error response. Clients do not know status `422`, so every invalid request is answered with `400`.
fn error_response(error: ApiError) -> Response {
    match error.code() {
        ErrorCode::InvalidRequest | ErrorCode::KeyReused => error.with_status(StatusCode::BAD_REQUEST).into_response(),
        _ => error.into_response(),
    }
}

fn encoder(context: &StreamContext) -> Box<dyn EventEncoder> {
    Box::new(Extended::new(context, Typed))
}

/// A conversation.
#[derive(Deserialize, ToSchema)]
struct Body {
    /// All messages of the conversation; the last one is the user's new message.
    #[schema(min_items = 1, inline)]
    messages: Vec<TypedMessage>,
}

#[derive(Deserialize, ToSchema)]
struct TypedMessage {
    #[schema(inline)]
    role: Author,
    #[serde(deserialize_with = "text::without_nul")]
    content: String,
}

#[derive(Clone, Copy, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Author {
    User,
    Assistant,
    System,
}

fn decode(_: &Head<'_>, body: &[u8]) -> Result<TurnSubmission, ApiError> {
    let Body { mut messages } = json::read(body)?;
    let Some(last) = messages.pop() else { return Err(ApiError::field("messages", "must not be empty")) };
    let wrong = |field, why| Err(ApiError::field(&format!("messages[{}].{field}", messages.len()), why));
    if last.role != Author::User {
        return wrong("role", "the last message must be the user's");
    }
    if last.content.trim().is_empty() {
        return wrong("content", "must not be empty");
    }
    let history = messages.into_iter().map(Message::from).collect();
    Ok(TurnSubmission::new(SessionKey::Ephemeral(history), Message::from(last)))
}

impl From<TypedMessage> for Message {
    fn from(TypedMessage { role, content }: TypedMessage) -> Self {
        let role = match role {
            Author::User => Role::User,
            Author::Assistant => Role::Assistant,
            Author::System => Role::System,
        };
        Self::new(role, vec![Part::text(content)])
    }
}

struct Typed;

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Frame<'a> {
    Content { content: &'a str },
    ToolCall { name: &'a str },
    Error { message: &'a str },
    Done,
}

impl Protocol for Typed {
    fn text(&mut self, _: PartId, text: &str, out: &mut Frames) {
        out.json(None, &Frame::Content { content: text });
    }

    fn event(&mut self, event: &TurnEvent, out: &mut Frames) {
        if let EventKind::PartEnded { part: Part::ToolCall(call), .. } = &event.kind {
            out.json(None, &Frame::ToolCall { name: &call.name });
        }
    }

    fn end(&mut self, ending: &Ending<'_>, out: &mut Frames) {
        match ending.status {
            TurnStatus::Completed => out.json(None, &Frame::Done),
            _ => out.json(None, &Frame::Error { message: ending.message }),
        }
    }

    fn detach(&mut self, why: Detach, out: &mut Frames) {
        out.json(None, &Frame::Error { message: why.as_str() });
    }
}
