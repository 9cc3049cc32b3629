//! The request that the next model call of a session would send.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use turnkit_core::{ChatRequest, Mark, Message, Part, Role, SessionId};
use turnkit_engine::{ContextReport, ReportedItem};
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::Principal;
use crate::error::ApiError;
use crate::hexadecimal::hexadecimal;
use crate::routes::extract::Id;
use crate::routes::schema::{MarkSchema, PartSchema, RoleSchema};

/// Show the next request of a session
///
/// The request of a model call in this session in its current state, before the next message, with the tokens of each
/// piece. The token counts are estimates: one for about four letters of a word, one or two for each number or
/// punctuation mark, and one for a character of Chinese or Japanese. The total uses the provider's own count as far as
/// there is one.
#[utoipa::path(
    get,
    path = "/api/v1/sessions/{id}/context",
    operation_id = "show_context",
    tag = "sessions",
    params(("id" = uuid::Uuid, Path, description = "The session.")),
    responses((status = 200, description = "The context.", body = ContextBody, example = json!({
        "agent": "assistant",
        "items": [
            { "category": "system", "source": "agent", "tokens": 8 },
            { "category": "tool", "source": "calculator", "tokens": 61 },
            { "category": "history", "source": "messages", "tokens": 14 },
            { "category": "reserve", "source": "answer", "tokens": 4096 },
        ],
        "left_out": [],
        "used": 4179,
        "limit": 400_000,
        "prefix": "8f434346648f6b96df89dda901c5176b",
        "request": {
            "model": "gpt-5-mini",
            "instructions": "You are a helpful assistant.",
            "messages": [{ "role": "user", "parts": [{ "type": "text", "text": "What is 6 x 7?" }] }],
            "tools": ["calculator"],
            "params": { "temperature": 0.2 },
        },
    }))),
)]
pub(super) async fn context(
    State(app): State<App>,
    principal: Principal,
    Id(session): Id<SessionId>,
) -> Result<Json<ContextBody>, ApiError> {
    Ok(Json(app.service.context(&principal.scope, session).await?.into()))
}

/// The request that the next model call of a session would send, with the size of each piece.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ContextBody {
    /// The agent that would respond.
    pub agent: String,
    /// The pieces of the request, in the order in which they are sent.
    pub items: Vec<ContextItemBody>,
    /// The sources of instructions that failed.
    pub left_out: Vec<LeftOutBody>,
    /// The tokens of the request and of the reserve for its response. If the request begins with the last one, this is
    /// the provider's count of the last request plus an estimate of the rest.
    pub used: u64,
    /// The context window of the smallest model that may respond, in tokens, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// The hash of instructions and tools. While it stays the same, a provider's cache can serve them.
    pub prefix: String,
    /// The request.
    pub request: ContextRequestBody,
}

/// A piece of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ContextItemBody {
    /// For instructions: `constraints`, `system`, `bootstrap`, `memory`, `knowledge`, `skills`, `tools` or `status`.
    /// Otherwise `tool`, `history` or `reserve`, which is the reserve for the response.
    pub category: String,
    /// The origin of the piece.
    pub source: String,
    /// The estimated tokens: 0 if the piece was left out.
    pub tokens: u64,
    /// Whether the text is untrusted, because the operator did not write it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub untrusted: bool,
    /// How the piece was shortened, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<ContextCutBody>,
}

/// How an item was shortened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ContextCutBody {
    /// The estimated tokens of the whole item.
    pub from: u64,
    /// `cap`: the item exceeds its own limit. `budget`: its category exceeds its budget, and the item was left out.
    /// `room`: the request would be too large with the item, so it was left out.
    #[serde(rename = "why")]
    pub reason: String,
}

/// A source of instructions that failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LeftOutBody {
    /// The source.
    pub source: String,
    /// The reason.
    #[serde(rename = "why")]
    pub reason: String,
}

/// The request of a model call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ContextRequestBody {
    /// The model. If absent, the provider's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The instructions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    /// The messages, oldest first.
    pub messages: Vec<ContextMessageBody>,
    /// The names of the tools.
    pub tools: Vec<String>,
    /// The settings of the call. The provider decides absent ones.
    #[schema(value_type = Object)]
    pub params: Value,
}

/// A message of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ContextMessageBody {
    /// The author of the message.
    #[schema(value_type = RoleSchema)]
    pub role: Role,
    /// The parts, in the order of the message.
    #[schema(value_type = Vec<PartSchema>)]
    pub parts: Vec<Part>,
    /// The kind of a message that is not an ordinary one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<MarkSchema>)]
    pub mark: Option<Mark>,
}

impl From<ContextReport> for ContextBody {
    fn from(report: ContextReport) -> Self {
        let ContextReport { agent, items, left_out, used, limit, request } = report;
        let left_out = left_out.into_iter().map(|(source, reason)| LeftOutBody { source: source.into(), reason });
        Self {
            agent,
            items: items.into_iter().map(ContextItemBody::from).collect(),
            left_out: left_out.collect(),
            used,
            limit,
            prefix: prefix(&request),
            request: request.into(),
        }
    }
}

impl From<ReportedItem> for ContextItemBody {
    fn from(item: ReportedItem) -> Self {
        let cut = item.cut.map(|cut| ContextCutBody { from: cut.from, reason: cut.reason.to_owned() });
        let ReportedItem { category, source, tokens, untrusted, .. } = item;
        Self { category: category.to_owned(), source: source.into(), tokens, untrusted, cut }
    }
}

/// Removes the opaque data of vendors.
impl From<ChatRequest> for ContextRequestBody {
    fn from(request: ChatRequest) -> Self {
        let message = |message: &Message| ContextMessageBody {
            role: message.role,
            parts: message.parts.iter().cloned().map(Part::without_opaque).collect(),
            mark: message.mark,
        };
        // Models do not receive notices, such as the one at the start of a turn of the service.
        let sent = request.history.iter().map(|entry| entry.message()).filter(|message| !message.is_notices_only());
        // Serialized through text, which has no more digits than each number needs.
        let params = serde_json::to_string(&request.params).and_then(|params| serde_json::from_str(&params));
        let mut params: Value = params.unwrap_or_default();
        if let Value::Object(params) = &mut params {
            params.retain(|_, value| !value.is_null() && value.as_array().is_none_or(|texts| !texts.is_empty()));
        }
        Self {
            model: request.model.map(|model| (*model.0).to_owned()),
            instructions: request.instructions.map(|instructions| (*instructions).to_owned()),
            messages: sent.map(message).collect(),
            tools: request.tools.iter().map(|tool| tool.name.clone()).collect(),
            params,
        }
    }
}

/// Returns the first half of the hash of instructions and tools, the common prefix of all requests of the session.
fn prefix(request: &ChatRequest) -> String {
    let hash = Sha256::digest(json!([request.instructions, request.tools]).to_string());
    hexadecimal(&hash[..16])
}
