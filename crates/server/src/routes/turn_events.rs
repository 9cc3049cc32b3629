//! The event stream of a turn, in any protocol, from any cursor.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::Deserialize;
use turnkit_core::{AccessScope, TurnId};
use turnkit_engine::FollowFrom;
use utoipa::IntoParams;
use utoipa_axum::routes;

use super::extract::{Id, Query, extensions};
use super::resume::resume_cursor;
use super::scoped::ScopedRouter;
use crate::app::App;
use crate::auth::Principal;
use crate::dialect::{self, DIALECTS, Dialect, StreamContext};
use crate::error::ApiError;
use crate::stream::{self, with_turn_header};

pub(crate) fn router() -> ScopedRouter {
    ScopedRouter::new().routes(AccessScope::Read, routes!(follow))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct FollowParams {
    /// The protocol of the stream: `native`, `named`, `typed` or `relay`.
    #[param(default = "native")]
    dialect: Option<String>,
    /// `1` for extensions to the protocol: cursors, and events that the protocol cannot express.
    #[param(value_type = Option<u8>, minimum = 0, maximum = 1, default = 0)]
    ext: Option<String>,
    /// The cursor of the last received event. The header `Last-Event-ID` takes precedence.
    after: Option<String>,
}

/// Follow a turn
///
/// Sends the events so far and continues live, up to the end of the turn. With a cursor, it sends exactly the events
/// after it. If the log does not contain the event that the cursor names, or the cursor is invalid, a `resync` comes
/// first. A client that disconnects does not affect the turn.
#[utoipa::path(
    get,
    path = "/api/v1/turns/{id}/events",
    operation_id = "follow_turn",
    tag = "turns",
    params(
        ("id" = uuid::Uuid, Path, description = "The turn."),
        ("last-event-id" = Option<String>, Header, description = "The cursor of the last event that the client received."),
        FollowParams,
    ),
    responses(
        (
            status = 200,
            description = "The events, sent as they occur.",
            content_type = "text/event-stream",
            body = String,
            example = json!("event: part.delta\nid: 1-1-4\ndata: {\"turn_id\":\"0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01\",\
                             \"seq\":4,\"part_id\":\"1.0\",\"delta\":\"Hello\"}\n\n"),
        ),
        (status = 204, description = "The turn has ended, and the client has all of its events."),
        (status = 410, description = "`stream_expired`: the turn ended too long ago; its events are no longer stored."),
    ),
)]
async fn follow(
    State(app): State<App>,
    principal: Principal,
    Id(turn): Id<TurnId>,
    Query(params): Query<FollowParams>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let dialect = protocol(params.dialect.as_deref())?;
    let ext = extensions(params.ext.as_deref())?;
    let seen = resume_cursor(&headers, params.after.as_deref())?;
    let from = match seen {
        None => FollowFrom::Start,
        Some(cursor) if !dialect.ids => FollowFrom::Replay(cursor),
        Some(cursor) => FollowFrom::After(cursor),
    };
    let feed = app.service.follow(&principal.scope, turn, from).await?;
    let session = feed.session();
    let name = match dialect.shows_session_label {
        true => app.store.summary(&principal.scope, session).await?.name,
        false => None,
    };
    let context = StreamContext { turn, session_label: stream::session_label(session, name), ext };
    let mut stream = stream::of_turn(&app, &principal, (dialect, &context), (feed, seen));
    if stream.has_items().await {
        Ok(with_turn_header(turn, stream))
    } else {
        Ok(with_turn_header(turn, StatusCode::NO_CONTENT))
    }
}

fn protocol(name: Option<&str>) -> Result<&'static Dialect, ApiError> {
    dialect::named(name.unwrap_or("native")).ok_or_else(|| {
        let names: Vec<&str> = DIALECTS.iter().map(|dialect| dialect.name).collect();
        ApiError::field("dialect", format!("must be one of {}", names.join(", ")))
    })
}
