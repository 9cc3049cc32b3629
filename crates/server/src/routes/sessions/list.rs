//! Sessions, a part at a time.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use turnkit_core::ports::{SessionList, SessionPage};
use turnkit_core::{IdError, Scope, SessionSummary, StoreError};
use utoipa::IntoParams;

use super::{Session, SessionSchema, shown};
use crate::app::App;
use crate::auth::Principal;
use crate::error::ApiError;
use crate::routes::extract::Query;
use crate::routes::list::{Limit, List};

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Wanted {
    /// Only the session that its owner calls so, which is how clients that choose the names find its id.
    name: Option<String>,
    /// Sessions of this user instead of the caller's; for operators, and where no key is needed.
    user: Option<String>,
    /// At most so many, up to 200.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200, default = 50)]
    limit: Option<String>,
    /// Where `next` of the part before says to go on.
    cursor: Option<String>,
}

/// List sessions
///
/// The last used first. Those of one turn alone, of protocols whose clients keep the history themselves, are left out. One
/// whose stored form is damaged is named in `unreadable`; it can be deleted.
#[utoipa::path(
    get,
    path = "/api/v1/sessions",
    operation_id = "list_sessions",
    tag = "sessions",
    params(Wanted),
    responses(
        (status = 200, description = "A part of the list.", body = List<SessionSchema>, example = json!({
            "data": [shown()], "next": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a02",
        })),
        (status = 403, description = "`forbidden`: only the operator may ask for another user's."),
        (status = 404, description = "`not_found`: the cursor is of no such list."),
    ),
)]
pub(super) async fn list(
    State(app): State<App>,
    principal: Principal,
    Query(wanted): Query<Wanted>,
) -> Result<Json<List<Session>>, ApiError> {
    let scope = principal.scope_of(wanted.user.as_deref())?;
    let limit = Limit::read(wanted.limit.as_deref())?;
    let after = wanted.cursor.map(|id| id.parse().map_err(|_| ApiError::not_found())).transpose()?;
    let found = match wanted.name {
        Some(name) => SessionList { sessions: called(&app, &scope, &name).await?, ..SessionList::default() },
        None => app.store.list(&scope, SessionPage { limit: limit.rows(), after }).await?,
    };
    let list = limit.list(found.sessions, |session| session.id.to_string());
    Ok(Json(List { unreadable: found.unreadable, ..list }))
}

/// The session of that name, if there is one.
async fn called(app: &App, scope: &Scope, name: &str) -> Result<Vec<SessionSummary>, ApiError> {
    let name = name.parse().map_err(|error: IdError| ApiError::field("name", error.why))?;
    let found = match app.store.session_named(scope, &name).await {
        Ok(session) => app.store.summary(scope, session.id).await.map(|session| vec![session]),
        Err(error) => Err(error),
    };
    match found {
        Err(StoreError::NotFound) => Ok(Vec::new()),
        found => Ok(found?),
    }
}
