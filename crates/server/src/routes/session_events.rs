//! The event stream of a session, across all its turns.

use axum::extract::State;
use axum::http::HeaderMap;
use serde::Deserialize;
use turnkit_core::{AccessScope, SessionId};
use utoipa::IntoParams;
use utoipa_axum::routes;

use super::extract::{Id, Query};
use super::resume::resume_cursor;
use super::scoped::ScopedRouter;
use super::sessions::read_turns;
use crate::app::App;
use crate::auth::Principal;
use crate::error::ApiError;
use crate::stream::{self, EventStream, SessionSource};

pub(crate) fn router() -> ScopedRouter {
    ScopedRouter::new().routes(AccessScope::Read, routes!(follow))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ResumeParams {
    /// The cursor of the last received event. The header `Last-Event-ID` takes precedence.
    after: Option<String>,
    /// `turns`: a `resync` shows the session's last turns in place of messages.
    view: Option<String>,
}

/// Follow a session
///
/// For pages with several tabs: all turns of the session, in order, as native events. The stream starts with a
/// `resync`, or exactly after the cursor, and continues as long as the session exists. `queue` events list the turns
/// that wait for the session; `pending` events list the decisions that turns wait for. Both have no cursor.
#[utoipa::path(
    get,
    path = "/api/v1/sessions/{id}/events",
    operation_id = "follow_session",
    tag = "sessions",
    params(
        ("id" = uuid::Uuid, Path, description = "The session."),
        ("last-event-id" = Option<String>, Header, description = "The cursor of the last event that the client received."),
        ResumeParams,
    ),
    responses((
        status = 200,
        description = "The events, sent as they occur.",
        content_type = "text/event-stream",
        body = String,
        example = json!("event: queue\ndata: {\"queue\":[]}\n\n"),
    )),
)]
async fn follow(
    State(app): State<App>,
    principal: Principal,
    Id(session): Id<SessionId>,
    Query(params): Query<ResumeParams>,
    headers: HeaderMap,
) -> Result<EventStream<SessionSource>, ApiError> {
    let seen = resume_cursor(&headers, params.after.as_deref())?;
    let shows_turns = shows_turns(params.view.as_deref())?;
    let feed = app.service.follow_session(&principal.scope, session, seen).await?;
    let read_turns = shows_turns.then(|| read_turns(&app, &principal.scope));
    Ok(stream::of_session(&app, &principal, feed, read_turns))
}

/// Reports whether snapshots show turns in place of messages.
fn shows_turns(view: Option<&str>) -> Result<bool, ApiError> {
    match view {
        None => Ok(false),
        Some("turns") => Ok(true),
        Some(_) => Err(ApiError::field("view", "must be `turns`")),
    }
}
