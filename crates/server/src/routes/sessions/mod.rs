//! Routes of sessions.

mod compact;
mod context;
mod create;
mod edit;
mod export;
mod fields;
mod fork;
mod import;
mod list;
mod search;
mod turn_window;
mod turns;

use std::borrow::Cow;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde_json::{Value, json};
use turnkit_core::{AccessScope, SessionId, SessionSummary};
use utoipa_axum::routes;

use super::extract::Id;
use super::schema::SessionSchema;
use super::scoped::ScopedRouter;
use crate::app::App;
use crate::auth::Principal;
use crate::dialect::native::{SessionBody, UsageBody};
use crate::error::ApiError;
use crate::permitted_agent;

pub use context::{ContextBody, ContextCutBody, ContextItemBody, ContextMessageBody, ContextRequestBody, LeftOutBody};
pub use list::{ListedSessionBody, TurnMatchBody};

pub(crate) use import::uploads;
pub(super) use turns::read_turns;

type Session = SessionBody<'static>;

pub(crate) fn router() -> ScopedRouter {
    ScopedRouter::new()
        .routes(AccessScope::Read, routes!(list::list))
        .routes(AccessScope::Chat, routes!(create::create))
        .routes(AccessScope::Read, routes!(show))
        .routes(AccessScope::Chat, routes!(edit::edit, delete))
        .routes(AccessScope::Chat, routes!(fork::fork))
        .routes(AccessScope::Read, routes!(turns::turns))
        .routes(AccessScope::Read, routes!(search::search))
        .routes(AccessScope::Read, routes!(context::context))
        .routes(AccessScope::Read, routes!(export::export))
        .routes(AccessScope::Chat, routes!(compact::compact))
}

/// Show a session
#[utoipa::path(
    get,
    path = "/api/v1/sessions/{id}",
    operation_id = "show_session",
    tag = "sessions",
    params(("id" = uuid::Uuid, Path, description = "The session.")),
    responses((status = 200, description = "The session.", body = SessionSchema, example = json!(shown()))),
)]
async fn show(
    State(app): State<App>,
    principal: Principal,
    Id(session): Id<SessionId>,
) -> Result<Json<Session>, ApiError> {
    Ok(Json(app.store.summary(&principal.scope, session).await?.into()))
}

/// Delete a session
///
/// Deletes the session with all its data. Running and waiting turns are cancelled first.
#[utoipa::path(
    delete,
    path = "/api/v1/sessions/{id}",
    operation_id = "delete_session",
    tag = "sessions",
    params(("id" = uuid::Uuid, Path, description = "The session.")),
    responses(
        (status = 204, description = "The session was deleted."),
        (status = 403, description = "`forbidden`: the key or token lacks the scope chat, or a scope for the agent of a \
                                      turn that has not ended."),
    ),
)]
async fn delete(
    State(app): State<App>,
    principal: Principal,
    Id(session): Id<SessionId>,
) -> Result<StatusCode, ApiError> {
    permitted_agent::check_stop_all(&app, &principal, session).await?;
    app.service.delete_session(&principal.scope, session).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Keeps every field of the summary.
impl From<SessionSummary> for SessionBody<'static> {
    fn from(session: SessionSummary) -> Self {
        Self {
            id: session.id,
            name: session.name.map(Cow::Owned),
            agent: Cow::Owned(session.agent.into()),
            title: Cow::Owned(session.title.into()),
            turns: session.turns,
            created_at: session.created_at,
            last_active: session.last_active,
            pinned: session.pinned,
            archived: session.archived,
            usage: UsageBody::of(&session.usage),
            cost: session.usage.cost,
            metadata: Cow::Owned(session.metadata),
            head: session.head,
            prompt: session.prompt.map(|prompt| Cow::Owned(prompt.into())),
            params: Cow::Owned(session.params),
            tools: session.tools,
            mode: session.mode.map(|mode| Cow::Owned(mode.into())),
        }
    }
}

/// Returns an example of a session for the OpenAPI document.
fn shown() -> Value {
    json!({
        "id": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a02",
        "name": "trip",
        "agent": "assistant",
        "title": "A week in Lisbon",
        "turns": 1,
        "created_at": "2026-01-01T12:00:00.000Z",
        "last_active": "2026-01-01T12:00:04.000Z",
        "pinned": false,
        "archived": false,
        "usage": { "fresh": 12, "cache_read": 0, "cache_write": 0, "output": 5, "reasoning": 0, "unmetered_calls": 0 },
        "cost": { "nano_usd": 13_000, "unpriced_calls": 0 },
        "metadata": {},
        "head": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01",
    })
}
