//! The list of turns.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use turnkit_core::ports::{TurnFilter, TurnList, TurnPage};
use turnkit_core::{Timestamp, UnknownTurnState};
use utoipa::IntoParams;

use super::{TurnBody, example};
use crate::app::App;
use crate::auth::Principal;
use crate::error::ApiError;
use crate::routes::extract::Query;
use crate::routes::list::{Limit, List, id_filter, list_error};

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ListParams {
    /// Only turns of this session.
    #[param(value_type = Option<uuid::Uuid>)]
    session: Option<String>,
    /// Only turns in this state: `queued`, `running`, `waiting`, `cancelling`, or ended with `completed`, `failed`,
    /// `cancelled`, `limit`, `interrupted`, `expired`.
    state: Option<String>,
    /// Only turns of this agent.
    agent: Option<String>,
    /// Only turns in which this provider answered. With `model`, it answered with that model.
    provider: Option<String>,
    /// Only turns in which this model answered.
    model: Option<String>,
    /// Only turns whose first error has this code.
    error: Option<String>,
    /// Only turns that were accepted at this time or later.
    #[param(value_type = Option<String>, format = DateTime)]
    from: Option<String>,
    /// Only turns that were accepted before this time.
    #[param(value_type = Option<String>, format = DateTime)]
    to: Option<String>,
    /// Turns of this user instead of the caller's. For callers with the scope `admin`, and for every
    /// caller if no key is required.
    user: Option<String>,
    /// The largest number of items to return, up to 200.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200, default = 50)]
    limit: Option<String>,
    /// The `next` of the previous page.
    cursor: Option<String>,
}

/// List turns
///
/// Most recently accepted first. If turns that meet all conditions are rare, a page may have fewer turns than
/// requested, or none, and still have a `next`.
#[utoipa::path(
    get,
    path = "/api/v1/turns",
    operation_id = "list_turns",
    tag = "turns",
    params(ListParams),
    responses(
        (status = 200, description = "A page of the list.", body = List<TurnBody>, example = json!({
            "data": [example::listed()], "next": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01",
        })),
        (status = 403, description = "`forbidden`: the key or token lacks the scope read, or the scope admin for another \
                                      user's data."),
        (status = 404, description = "`not_found`: there is no such session, or the cursor does not belong to this list."),
    ),
)]
pub(super) async fn list(
    State(app): State<App>,
    principal: Principal,
    Query(params): Query<ListParams>,
) -> Result<Json<List<TurnBody>>, ApiError> {
    let scope = principal.scope_of(params.user.as_deref())?;
    let limit = Limit::read(params.limit.as_deref())?;
    let unknown = |error: UnknownTurnState| ApiError::field("state", error.to_string());
    let page = TurnPage {
        session: id_filter("session", params.session)?,
        state: params.state.map(|state| state.parse().map_err(unknown)).transpose()?,
        limit: limit.shown(),
        after: params.cursor.map(|id| id.parse().map_err(|_| ApiError::not_found())).transpose()?,
        filter: TurnFilter {
            agent: params.agent.map(Into::into),
            provider: params.provider.map(Into::into),
            model: params.model.map(Into::into),
            error: params.error.map(Into::into),
            from: time("from", params.from)?,
            to: time("to", params.to)?,
        },
        overviews: true,
    };
    let only = (page.session.is_some() && page.after.is_none()).then_some("session");
    let found = app.store.turns(&scope, page).await;
    let TurnList { turns, unreadable, next } = found.map_err(|error| list_error(error, only))?;
    let data = turns.into_iter().map(|turn| TurnBody::from(turn).shown_to(&principal, &scope)).collect();
    Ok(Json(List { data, next: next.map(|turn| turn.to_string()), unreadable }))
}

/// Reads the parameter `name`, which is a time.
fn time(name: &'static str, text: Option<String>) -> Result<Option<Timestamp>, ApiError> {
    let read = |text: String| {
        let time = Timestamp::from_rfc3339(&text);
        time.ok_or_else(|| ApiError::field(name, "must be a time such as 2026-01-01T12:00:00Z"))
    };
    text.map(read).transpose()
}
