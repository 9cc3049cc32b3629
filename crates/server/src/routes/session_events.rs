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
    let feed = app.service.follow_session(&principal.scope, session, seen).await?;
    Ok(stream::of_session(&app, &principal, feed))
}
