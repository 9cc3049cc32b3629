//! Searches the turns of a session.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use turnkit_core::ports::TurnSearch;
use turnkit_core::{SearchQueryError, SessionId};
use utoipa::IntoParams;

use super::TurnMatchBody;
use crate::app::App;
use crate::auth::Principal;
use crate::error::ApiError;
use crate::routes::extract::{Id, Query};
use crate::routes::list::{Limit, List};

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct SearchParams {
    /// Only turns that have ended and contain all of these words, in the user's message or the model's response. A word
    /// also matches longer words that begin with it. At most 32 words.
    q: Option<String>,
    /// The largest number of items to return, up to 200.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200, default = 50)]
    limit: Option<String>,
    /// The `next` of the previous page.
    cursor: Option<String>,
}

/// Search the turns of a session
///
/// Turns of all branches, the newest first.
#[utoipa::path(
    get,
    path = "/api/v1/sessions/{id}/search",
    operation_id = "search_session_turns",
    tag = "sessions",
    params(("id" = uuid::Uuid, Path, description = "The session."), SearchParams),
    responses(
        (status = 200, description = "A page of the matching turns.", body = List<TurnMatchBody>, example = json!({
            "data": [{
                "turn_id": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01",
                "number": 41,
                "excerpt": "Which hotel in Lisbon?",
            }],
            "next": "41",
        })),
        (status = 404, description = "`not_found`: there is no such session, or the cursor does not belong to this list."),
    ),
)]
pub(super) async fn search(
    State(app): State<App>,
    principal: Principal,
    Id(session): Id<SessionId>,
    Query(params): Query<SearchParams>,
) -> Result<Json<List<TurnMatchBody>>, ApiError> {
    // A session of another user is not found, whatever the parameters are.
    app.store.summary(&principal.scope, session).await?;
    let limit = Limit::read(params.limit.as_deref())?;
    let before = params.cursor.map(|number| number.parse().map_err(|_| ApiError::not_found())).transpose()?;
    let words = params.q.unwrap_or_default();
    let query = words.parse().map_err(|error: SearchQueryError| ApiError::field("q", error.to_string()))?;
    let search = TurnSearch { query, limit: limit.rows(), before };
    let found = app.store.search_turns(&principal.scope, session, search).await?;
    Ok(Json(limit.list(found, |found| found.number.to_string())))
}
