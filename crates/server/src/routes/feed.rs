//! The event stream of a browser: several sessions at once, and the changes among all sessions of the user.

use axum::extract::State;
use bytes::Bytes;
use serde::{Deserialize, Deserializer};
use turnkit_core::{AccessScope, Cursor, Frames, Scope, SessionId};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::resume::cursor_or_unknown;
use super::scoped::ScopedRouter;
use super::sessions::read_turns;
use crate::app::App;
use crate::auth::Principal;
use crate::error::ApiError;
use crate::json::{self, text};
use crate::stream::{self, EventStream, FeedSource, OpenSession, OpenedSession, SessionSource, UserSource};

/// The most sessions of one stream.
const MAX_SESSIONS: usize = 32;

pub(crate) fn router() -> ScopedRouter {
    ScopedRouter::new().routes(AccessScope::Read, routes!(follow))
}

/// What to follow.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct FeedRequest {
    /// The sessions to follow, each once.
    #[serde(default)]
    #[schema(max_items = 32)]
    sessions: Vec<FollowedSession>,
    /// Whether to report changes among all sessions and open interactions of the caller.
    #[serde(default)]
    me: bool,
}

/// A session to follow.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct FollowedSession {
    /// The session.
    #[serde(deserialize_with = "session_id")]
    #[schema(value_type = uuid::Uuid)]
    id: SessionId,
    /// The cursor of the last event of the session that the client received.
    after: Option<String>,
}

/// Follow several sessions
///
/// For browsers, which open few connections to a server: the events of `GET /api/v1/sessions/{id}/events?view=turns` of
/// each session, in one stream. The data of each event begin with `session_id` and, in place of an id, `cursor`. A
/// session that does not exist is reported as `session.removed`.
///
/// With `me`, the stream also has `session.changed` when a session of the caller is created or changed, or a turn of it
/// begins or ends, `session.removed` when one is deleted, and `interactions.changed` when the open interactions have
/// changed. These have no cursor: a client that reconnects reads the lists again.
#[utoipa::path(
    post,
    path = "/api/v1/feed",
    operation_id = "follow_sessions",
    tag = "sessions",
    request_body(content = FeedRequest, example = json!({
        "sessions": [{ "id": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a02", "after": "1-1-4" }],
        "me": true,
    })),
    responses((
        status = 200,
        description = "The events, sent as they occur.",
        content_type = "text/event-stream",
        body = String,
        example = json!("event: queue\ndata: {\"session_id\":\"0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a02\",\
                         \"queue\":[]}\n\n"),
    )),
)]
async fn follow(
    State(app): State<App>,
    principal: Principal,
    body: Bytes,
) -> Result<EventStream<FeedSource>, ApiError> {
    let FeedRequest { sessions, me } = json::read(&body)?;
    let sessions: Vec<(SessionId, Option<Cursor>)> = sessions.into_iter().map(FollowedSession::position).collect();
    let ids: Vec<SessionId> = sessions.iter().map(|(id, _)| *id).collect();
    check(&ids, me)?;
    let user = me.then(|| UserSource::new(app.service.follow_user(&principal.scope), ids));
    let source = FeedSource::new(open_session(&app, &principal.scope), sessions, user);
    Ok(stream::of_source(&app, &principal, source, Frames::new(true)))
}

fn check(sessions: &[SessionId], me: bool) -> Result<(), ApiError> {
    if sessions.is_empty() && !me {
        return Err(ApiError::field("sessions", "name at least one session, or set `me`"));
    }
    if sessions.len() > MAX_SESSIONS {
        return Err(ApiError::field("sessions", format_args!("must be at most {MAX_SESSIONS}; open another stream")));
    }
    let is_repeated = |(index, id): (usize, &SessionId)| sessions.iter().skip(index + 1).any(|other| other == id);
    if sessions.iter().enumerate().any(is_repeated) {
        return Err(ApiError::field("sessions", "names a session twice"));
    }
    Ok(())
}

/// Creates the function that opens the feeds of sessions.
fn open_session(app: &App, scope: &Scope) -> OpenSession {
    let (app, scope) = (app.clone(), scope.clone());
    Box::new(move |session: SessionId, after: Option<Cursor>| -> OpenedSession {
        let (app, scope) = (app.clone(), scope.clone());
        Box::pin(async move {
            let feed = app.service.follow_session(&scope, session, after).await?;
            Ok(SessionSource::new(feed, Some(read_turns(&app, &scope))))
        })
    })
}

impl FollowedSession {
    /// Returns the session, and the position after which the client continues. An empty text counts as absent.
    fn position(self) -> (SessionId, Option<Cursor>) {
        let after = self.after.filter(|after| !after.is_empty());
        (self.id, after.as_deref().map(cursor_or_unknown))
    }
}

fn session_id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SessionId, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(|_| text::invalid("must be the id of a session"))
}
