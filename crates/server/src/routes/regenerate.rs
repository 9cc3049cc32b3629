//! A new response to the message of an earlier turn.

use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use bytes::Bytes;
use serde::Deserialize;
use turnkit_core::{AccessScope, ClientCaps, TurnId, TurnRoute};
use turnkit_engine::RegenerateRequest;
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::extract::Id;
use super::scoped::ScopedRouter;
use crate::app::App;
use crate::auth::Principal;
use crate::dialect::native::route::RouteBody;
use crate::dialect::{Answer, Head, native};
use crate::error::ApiError;
use crate::json;
use crate::json::params::ParamsBody;
use crate::json::tool_use::ToolUseBody;
use crate::permitted_agent;
use crate::start::{AcceptedTurn, Start, answered, idempotency};
use crate::trace_parent::{ABOUT_TRACE_PARENT, caller_trace};

pub(crate) fn router() -> ScopedRouter {
    ScopedRouter::new().routes(AccessScope::Chat, routes!(regenerate))
}

/// Regenerate a response
///
/// Starts a sibling of this turn: it continues the same turn, with the same message. This turn is not changed, and the
/// new one becomes the head of the session. The body is optional. A client that accepts `text/event-stream` receives
/// the events of the turn as they happen.
#[utoipa::path(
    post,
    path = "/api/v1/turns/{id}/regenerate",
    operation_id = "regenerate_turn",
    tag = "turns",
    params(
        ("id" = uuid::Uuid, Path, description = "The turn, which must have ended."),
        ("idempotency-key" = Option<String>, Header, min_length = 1, max_length = 255,
            description = "Sent twice with one key, a request starts one turn."),
        ("traceparent" = Option<String>, Header, description = ABOUT_TRACE_PARENT),
    ),
    request_body(content = RegenerateBody, example = json!({ "route": { "model": "gpt-5.1" } })),
    responses(
        (
            status = 200,
            description = "The turn's events, sent as they occur.",
            content_type = "text/event-stream",
            body = String,
            example = json!(native::ENDPOINT.docs.stream),
        ),
        (
            status = 202,
            description = "The turn is accepted. This is the response unless the client accepts `text/event-stream`.",
            body = AcceptedTurn,
            example = json!({
                "turn_id": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a03", "session_id": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a02",
            }),
        ),
        (status = 403, description = "`forbidden`: the key or token lacks the scope chat, or a scope for the agent."),
        (status = 409, description = "`session_busy`: the turn has not ended, or the session runs another turn and its agent \
                                      refuses a second one."),
        (status = 410, description = "`stream_expired`: the request is a repeated one, and the events of its turn are no \
                                      longer stored."),
        (status = 422, description = "`invalid_request`: the message says which field is wrong, or that the turn has no \
                                      user message. `key_reused`: the idempotency key was used for another request."),
        (status = 429, description = "`queue_full`: too many turns wait for the session."),
    ),
)]
async fn regenerate(
    State(app): State<App>,
    principal: Principal,
    Id(turn): Id<TurnId>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, ApiError> {
    app.accepts_turns()?;
    let head = Head { headers: &headers, uri: &uri };
    let answer = if head.accepts("text/event-stream") { Answer::Stream } else { Answer::Whole };
    // All fields are optional, and so is the body.
    let RegenerateBody { agent, route, params, tools, mode, interact } =
        if body.is_empty() { RegenerateBody::default() } else { json::read(&body)? };
    let agent = permitted_agent::beside(&app, &principal, turn, agent).await?;
    // Requests for different turns must differ, even if their bodies are the same.
    let request = [turn.0.as_bytes(), &*body].concat();
    let again = RegenerateRequest {
        turn,
        agent,
        route: route.map(TurnRoute::from),
        params: params.map(ParamsBody::into_params).transpose()?.unwrap_or_default(),
        tools: tools.map(Into::into),
        mode,
        caps: ClientCaps { interact, ..native::DIALECT.caps },
        reach: principal.access.reach(),
        idempotency: idempotency(&headers, None, &request)?,
        trace: caller_trace(&headers),
    };
    let receipt = app.service.regenerate(&principal.scope, again).await?;
    let start = Start { dialect: &native::DIALECT, endpoint: &native::ENDPOINT, ext: false, head, body: &body };
    Ok(answered(&app, &principal, &start, receipt, answer).await)
}

/// The agent, the route, the settings and the tools of the new response.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct RegenerateBody {
    /// The agent that responds. Without it, the agent of the turn.
    agent: Option<String>,
    /// Constraints on the provider and model. An absent constraint is taken from the agent.
    #[schema(inline)]
    route: Option<RouteBody>,
    /// Settings of the model calls. An absent setting is taken from the session, or else from the agent.
    #[schema(inline)]
    params: Option<ParamsBody>,
    /// `none`: the new turn has no tools, and its model receives no earlier calls and results. `auto`: it has the tools
    /// of its agent. Without this field, the session's setting applies.
    #[schema(inline)]
    tools: Option<ToolUseBody>,
    /// The mode of the new turn, which must be one of the agent's. Without it, the session's mode applies.
    mode: Option<Box<str>>,
    /// Whether a person can answer questions. If so, calls that need approval wait; otherwise they are denied.
    #[serde(default)]
    interact: bool,
}
