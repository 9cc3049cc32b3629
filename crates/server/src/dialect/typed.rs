//! `typed`: the whole conversation in each request; unnamed frames whose JSON says by `type` what they are.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use turnkit_core::ports::{Detach, EventEncoder};
use turnkit_core::{ClientCaps, EventKind, Frames, Message, Part, PartId, Role, SessionKey, TurnEvent, TurnStatus};

use super::extended::{Ending, Extended, Protocol};
use super::{Dialect, Endpoint, EndpointDocs, Head, Reader, TurnSubmission};
use crate::error::{ApiError, Code};
use crate::json::{Field, Object};

pub(super) const DIALECT: Dialect =
    Dialect { name: "typed", caps: CAPS, encoder, ids: false, calls_session: false, endpoints: &[ENDPOINT] };

/// Its clients keep the conversation themselves: they have nothing to come back with.
const CAPS: ClientCaps = ClientCaps { interact: false, resume: false };

const ENDPOINT: Endpoint = Endpoint { path: "/api/chat/stream", decode, whole: None, refuse: refuse, docs: DOCS };

const DOCS: EndpointDocs = EndpointDocs {
    operation_id: "start_typed",
    summary: "Chat with typed frames",
    description: "The client keeps the conversation and sends all of it. The last message is the user's.",
    schema: r#"{
        "type": "object",
        "required": ["messages"],
        "properties": {
            "messages": {
                "type": "array",
                "minItems": 1,
                "items": {
                    "type": "object",
                    "required": ["role", "content"],
                    "properties": {
                        "role": { "type": "string", "enum": ["system", "user", "assistant"] },
                        "content": { "type": "string" }
                    }
                },
                "description": "All that was said, the user's new message last."
            }
        }
    }"#,
    request: r#"{ "messages": [{ "role": "user", "content": "What is 6 x 7?" }] }"#,
    receipt: None,
    stream: concat!(r#"data: {"type":"content","content":"It is 42."}"#, "\n\n", r#"data: {"type":"done"}"#, "\n\n"),
};

/// Its clients know no `422`: every request that is wrong is a bad one.
fn refuse(error: ApiError) -> Response {
    match error.code() {
        Code::InvalidRequest | Code::KeyReused => error.with_status(StatusCode::BAD_REQUEST).into_response(),
        _ => error.into_response(),
    }
}

fn encoder(reader: &Reader) -> Box<dyn EventEncoder> {
    Box::new(Extended::new(reader, Typed))
}

/// `{messages: [{role, content}…]}`.
fn decode(_: &Head<'_>, body: &[u8]) -> Result<TurnSubmission, ApiError> {
    let [messages] = Object::read(body, ["messages"])?.fields;
    let mut items = messages.items()?;
    let Some(last) = items.pop() else { return Err(messages.wrong("it is empty")) };
    let history = items.iter().map(said).collect::<Result<Vec<_>, _>>()?;
    let [role, content] = last.object(["role", "content"])?.fields;
    match read_role(&role)? {
        Role::User => Ok(TurnSubmission::new(SessionKey::Ephemeral(history), Message::user(content.message()?))),
        _ => Err(role.wrong("the last message must be the user's")),
    }
}

fn said(item: &Field<'_>) -> Result<Message, ApiError> {
    let [role, content] = item.object(["role", "content"])?.fields;
    Ok(Message::new(read_role(&role)?, vec![Part::text(content.sound_text()?)]))
}

fn read_role(role: &Field<'_>) -> Result<Role, ApiError> {
    match role.text()?.as_str() {
        "user" => Ok(Role::User),
        "assistant" => Ok(Role::Assistant),
        "system" => Ok(Role::System),
        _ => Err(role.wrong("it must be user, assistant or system")),
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
