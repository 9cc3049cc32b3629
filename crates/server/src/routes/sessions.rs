//! Conversations.

use std::borrow::Cow;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use bytes::Bytes;
use serde_json::{Map, Value, json};
use turnkit_core::ports::{Fork, NewSession, SessionEdit, SessionPage, SessionSummary};
use turnkit_core::{SessionId, SessionName, TurnId};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{Id, Query};
use super::list::{Limit, List, Page};
use super::schema::SessionSchema;
use crate::app::App;
use crate::auth::Principal;
use crate::dialect::native::{SessionJson, UsageJson};
use crate::error::{ApiError, Code};
use crate::json::{Field, Object};

/// The longest title, in characters.
const TITLE_CHARS: usize = 200;
/// The longest metadata, in bytes of JSON. Every list of sessions shows them.
const METADATA_BYTES: usize = 16 * 1024;

type Session = SessionJson<'static>;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list, create)).routes(routes!(show, edit, delete)).routes(routes!(fork))
}

/// Everything of the summary is kept.
impl From<SessionSummary> for SessionJson<'static> {
    fn from(session: SessionSummary) -> Self {
        Self {
            id: session.id,
            name: session.name.map(Cow::Owned),
            agent: Cow::Owned(session.agent.into()),
            title: Cow::Owned(session.title.into()),
            turns: session.turns,
            created_at: session.created_at,
            last_active: session.last_active,
            usage: UsageJson::of(&session.usage),
            cost: session.usage.cost,
            metadata: Cow::Owned(session.metadata),
        }
    }
}

/// A session to be made.
#[derive(Debug, ToSchema)]
#[serde(deny_unknown_fields)]
struct Creation {
    /// What the client calls it; no other session of the same owner has this name.
    #[schema(value_type = Option<String>, max_length = 128)]
    name: Option<SessionName>,
    /// Who answers in it; without it, the first agent there is.
    agent: Option<String>,
    /// What it is about.
    #[schema(value_type = Option<String>, max_length = 200)]
    title: Option<Box<str>>,
    /// What tools and clients remember, by key; at most 16 KiB.
    metadata: Option<Map<String, Value>>,
}

impl Creation {
    fn read(body: &[u8]) -> Result<Self, ApiError> {
        let [called, agent, about, metadata] = Object::read(body, ["name", "agent", "title", "metadata"])?.only()?;
        Ok(Self {
            name: name(&called)?,
            agent: agent.optional_text()?,
            title: title(&about)?,
            metadata: metadata.optional_map(METADATA_BYTES)?,
        })
    }
}

/// What to change. What is left out stays as it is.
#[derive(Debug, ToSchema)]
#[serde(deny_unknown_fields)]
struct Edit {
    /// What it is about.
    #[schema(value_type = Option<String>, max_length = 200)]
    title: Option<Box<str>>,
    /// What the client calls it; `null` takes the name away.
    #[schema(value_type = Option<String>, max_length = 128)]
    name: Option<Option<SessionName>>,
    /// All the metadata, in place of what there was; at most 16 KiB.
    metadata: Option<Map<String, Value>>,
}

impl Edit {
    fn read(body: &[u8]) -> Result<Self, ApiError> {
        let [about, called, metadata] = Object::read(body, ["title", "name", "metadata"])?.only()?;
        Ok(Self {
            title: title(&about)?,
            name: called.is_there().then(|| name(&called)).transpose()?,
            metadata: metadata.optional_map(METADATA_BYTES)?,
        })
    }
}

/// A session to be made of what was said in another one.
#[derive(Debug, ToSchema)]
#[serde(deny_unknown_fields)]
struct Forking {
    /// The last turn to take over; without it, all turns that are over.
    #[schema(value_type = Option<uuid::Uuid>)]
    after: Option<TurnId>,
    /// What the new one is about; without it, what the other one is.
    #[schema(value_type = Option<String>, max_length = 200)]
    title: Option<Box<str>>,
}

impl Forking {
    /// Everything may be left out, and so may the body.
    fn read(body: &[u8]) -> Result<Self, ApiError> {
        let body = if body.is_empty() { b"{}" } else { body };
        let [after, about] = Object::read(body, ["after", "title"])?.only()?;
        let after = after.optional_text()?.map(|turn| turn.parse().map_err(|_| ApiError::not_found()));
        Ok(Self { after: after.transpose()?, title: title(&about)? })
    }
}

/// List sessions
///
/// The last used first. Those of one turn alone, of protocols whose clients keep the history themselves, are left out.
#[utoipa::path(
    get,
    path = "/api/v1/sessions",
    operation_id = "list_sessions",
    tag = "sessions",
    params(Page),
    responses(
        (status = 200, description = "A part of the list.", body = List<SessionSchema>, example = json!({
            "data": [shown()], "next": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a02",
        })),
        (status = 404, description = "`not_found`: the cursor is of no such list."),
    ),
)]
async fn list(
    State(app): State<App>,
    principal: Principal,
    Query(page): Query<Page>,
) -> Result<Json<List<Session>>, ApiError> {
    let limit = Limit::read(page.limit.as_deref())?;
    let after = page.cursor.map(|id| id.parse().map_err(|_| ApiError::not_found())).transpose()?;
    let page = SessionPage { limit: limit.rows(), after };
    let sessions = app.sessions.list(&principal.scope, page).await?;
    Ok(Json(limit.list(sessions, |session| session.id.to_string())))
}

/// Make a session
///
/// A turn makes its session by itself; this is for one that is to have a name, a title or metadata before that.
#[utoipa::path(
    post,
    path = "/api/v1/sessions",
    operation_id = "create_session",
    tag = "sessions",
    request_body(content = Creation, example = json!({ "name": "trip", "title": "A week in Lisbon" })),
    responses(
        (status = 201, description = "The session.", body = SessionSchema, example = json!(shown())),
        (status = 404, description = "`not_found`: there is no such agent."),
    ),
)]
async fn create(
    State(app): State<App>,
    principal: Principal,
    body: Bytes,
) -> Result<(StatusCode, Json<Session>), ApiError> {
    let creation = Creation::read(&body)?;
    let at = app.clock.now();
    let session = NewSession {
        id: app.ids.session(at),
        name: creation.name,
        agent: agent(&app, creation.agent)?.into(),
        title: creation.title.unwrap_or_default(),
        metadata: creation.metadata.unwrap_or_default(),
        at,
    };
    let session = app.sessions.create(&principal.scope, session).await?;
    Ok((StatusCode::CREATED, Json(session.into())))
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
    Ok(Json(app.sessions.summary(&principal.scope, session).await?.into()))
}

/// Change a session
#[utoipa::path(
    patch,
    path = "/api/v1/sessions/{id}",
    operation_id = "edit_session",
    tag = "sessions",
    params(("id" = uuid::Uuid, Path, description = "The session.")),
    request_body(content = Edit, example = json!({ "title": "Ten days in Lisbon", "name": null })),
    responses((status = 200, description = "The session as it is now.", body = SessionSchema, example = json!(shown()))),
)]
async fn edit(
    State(app): State<App>,
    principal: Principal,
    Id(session): Id<SessionId>,
    body: Bytes,
) -> Result<Json<Session>, ApiError> {
    let Edit { title, name, metadata } = Edit::read(&body)?;
    let session = app.sessions.edit(&principal.scope, session, SessionEdit { title, name, metadata }).await?;
    Ok(Json(session.into()))
}

/// Delete a session
///
/// With all that belongs to it. Turns that run or wait are cancelled first.
#[utoipa::path(
    delete,
    path = "/api/v1/sessions/{id}",
    operation_id = "delete_session",
    tag = "sessions",
    params(("id" = uuid::Uuid, Path, description = "The session.")),
    responses((status = 204, description = "It is gone.")),
)]
async fn delete(
    State(app): State<App>,
    principal: Principal,
    Id(session): Id<SessionId>,
) -> Result<StatusCode, ApiError> {
    app.service.delete_session(&principal.scope, session).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Fork a session
///
/// Makes a new session that begins with what was said in this one, up to and with a turn that is over. The body may be
/// left out.
#[utoipa::path(
    post,
    path = "/api/v1/sessions/{id}/fork",
    operation_id = "fork_session",
    tag = "sessions",
    params(("id" = uuid::Uuid, Path, description = "The session.")),
    request_body(content = Forking, example = json!({ "after": "01989bd8-0f6e-7b7c-a0f3-8f0d4a4a4f10" })),
    responses(
        (status = 201, description = "The new session.", body = SessionSchema, example = json!(shown())),
        (status = 409, description = "`session_busy`: the turn is not over."),
    ),
)]
async fn fork(
    State(app): State<App>,
    principal: Principal,
    Id(session): Id<SessionId>,
    body: Bytes,
) -> Result<(StatusCode, Json<Session>), ApiError> {
    let Forking { after, title } = Forking::read(&body)?;
    let at = app.clock.now();
    let fork = Fork { from: session, after, new: app.ids.session(at), turn: app.ids.turn(at), title, at };
    let session = app.sessions.fork(&principal.scope, fork).await?;
    Ok((StatusCode::CREATED, Json(session.into())))
}

/// A session, for the document.
fn shown() -> Value {
    json!({
        "id": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a02",
        "name": "trip",
        "agent": "assistant",
        "title": "A week in Lisbon",
        "turns": 1,
        "created_at": "2026-01-01T12:00:00.000Z",
        "last_active": "2026-01-01T12:00:04.000Z",
        "usage": { "fresh": 12, "cache_read": 0, "cache_write": 0, "output": 5, "reasoning": 0, "unmetered_calls": 0 },
        "cost": { "nano_usd": 13_000, "unpriced_calls": 0 },
        "metadata": {},
    })
}

fn agent(app: &App, wanted: Option<String>) -> Result<String, ApiError> {
    let agents = &app.settings.agents;
    let known = match &wanted {
        Some(name) => agents.iter().find(|agent| *agent == name),
        None => agents.first(),
    };
    known.cloned().ok_or_else(|| ApiError::new(Code::NotFound, "agent not found"))
}

fn name(field: &Field<'_>) -> Result<Option<SessionName>, ApiError> {
    let name = field.optional_text()?.map(|text| text.parse());
    name.transpose().map_err(|error: turnkit_core::IdError| field.wrong(error.why))
}

fn title(field: &Field<'_>) -> Result<Option<Box<str>>, ApiError> {
    let Some(text) = field.optional_text()? else { return Ok(None) };
    if text.chars().count() > TITLE_CHARS {
        return Err(field.wrong(format_args!("it is longer than {TITLE_CHARS} characters")));
    }
    if text.chars().any(char::is_control) {
        return Err(field.wrong("it holds a control character"));
    }
    Ok(Some(text.into()))
}
