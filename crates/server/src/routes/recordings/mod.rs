//! The recorded exchanges of turns with providers.

mod body;
mod replay;

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};
use turnkit_core::ports::{ExchangePage, RecordedTurnPage, RecordingDirectory, RecordingError};
use turnkit_core::{AccessScope, Scope, StoreError, TurnId, TurnRecord};
use utoipa::IntoParams;
use utoipa_axum::routes;

use super::extract::{Id, Query, switch};
use super::list::{Limit, List, id_filter};
use super::scoped::ScopedRouter;
use crate::app::App;
use crate::auth::Principal;
use crate::error::{ApiError, ErrorCode};
use body::{ExchangeBody, ExchangesBody, RecordingBody};

/// The size at which bodies are cut, in bytes, in a list and alone.
const LISTED_BYTES: u64 = 64 * 1024;
const WHOLE_BYTES: u64 = 8 * 1024 * 1024;

pub(super) fn router() -> ScopedRouter {
    ScopedRouter::new()
        .routes(AccessScope::Admin, routes!(list))
        .routes(AccessScope::Admin, routes!(show))
        .routes(AccessScope::Admin, routes!(replay::replay))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ListParams {
    /// Only this turn.
    #[param(value_type = Option<uuid::Uuid>)]
    turn: Option<String>,
    /// The user whose turns are shown with title and state, instead of the caller.
    user: Option<String>,
    /// The largest number of items to return, up to 200.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200, default = 50)]
    limit: Option<String>,
    /// The `next` of the previous page.
    cursor: Option<String>,
}

/// List recordings
///
/// The turns of which exchanges with providers are recorded, the newest first: those of all users. The title and the
/// state are only there for turns of the caller, or of `user`.
#[utoipa::path(
    get,
    path = "/api/v1/recordings",
    operation_id = "list_recordings",
    tag = "recordings",
    params(ListParams),
    responses(
        (status = 200, description = "A page of the list.", body = List<RecordingBody>, example = json!({
            "data": [example()], "next": null,
        })),
        (status = 403, description = "`forbidden`: the key or token lacks admin, or its tenant is not local."),
        (status = 404, description = "`not_found`: nothing is recorded, or the cursor does not belong to this list."),
        (status = 503, description = "`unavailable`: the recordings cannot be read; the message says why."),
    ),
)]
async fn list(
    State(app): State<App>,
    principal: Principal,
    Query(params): Query<ListParams>,
) -> Result<Json<List<RecordingBody>>, ApiError> {
    let directory = directory(&app, &principal)?;
    let scope = principal.scope_of(params.user.as_deref())?;
    let limit = Limit::read(params.limit.as_deref())?;
    let page = RecordedTurnPage {
        turn: id_filter("turn", params.turn)?,
        before: params.cursor.map(|turn| turn.parse().map_err(|_| ApiError::not_found())).transpose()?,
        limit: limit.rows() as usize,
    };
    if page.before.is_some() {
        let last = RecordedTurnPage { turn: page.before, before: None, limit: 1 };
        if directory.recorded_turns(last).await?.is_empty() {
            return Err(ApiError::not_found());
        }
    }
    let recorded = directory.recorded_turns(page).await?;
    let mut rows = Vec::with_capacity(recorded.len());
    for turn in recorded {
        let record = stored(&app, &scope, turn.turn).await?;
        rows.push(RecordingBody::new(turn, described(&app, &scope, record).await?));
    }
    Ok(Json(limit.list(rows, |row| row.turn_id.to_string())))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ShowParams {
    /// The user whose turn it is, instead of the caller.
    user: Option<String>,
    /// With `1`, the page has one exchange, and its bodies are cut after 8 MiB instead of 64 KiB.
    #[param(value_type = Option<u8>, minimum = 0, maximum = 1, default = 0)]
    whole: Option<String>,
    /// The largest number of items to return, up to 200.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200, default = 50)]
    limit: Option<String>,
    /// The `next` of the previous page: the number of the exchange after which the page begins.
    cursor: Option<String>,
}

/// Show a recording
///
/// The exchanges of a turn in the order in which they were made, with their bodies, in which credentials are masked.
/// Only the operator reads exchanges of turns that are neither the caller's nor those of `user`.
#[utoipa::path(
    get,
    path = "/api/v1/recordings/{id}",
    operation_id = "show_recording",
    tag = "recordings",
    params(("id" = uuid::Uuid, Path, description = "The turn."), ShowParams),
    responses(
        (status = 200, description = "A page of the exchanges.", body = ExchangesBody, example = json!({
            "turn_id": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a00",
            "title": "Arithmetic",
            "state": "completed",
            "data": [ExchangeBody::example()],
            "next": null,
        })),
        (status = 403, description = "`forbidden`: the key or token lacks admin, or its tenant is not local."),
        (status = 404, description = "`not_found`: nothing is recorded, there is no recording of such a turn, or the \
                                      cursor does not belong to this list."),
        (status = 503, description = "`unavailable`: the recordings cannot be read; the message says why."),
    ),
)]
async fn show(
    State(app): State<App>,
    principal: Principal,
    Id(turn): Id<TurnId>,
    Query(params): Query<ShowParams>,
) -> Result<Json<ExchangesBody>, ApiError> {
    let directory = directory(&app, &principal)?;
    let scope = principal.scope_of(params.user.as_deref())?;
    let (limit, body_bytes) = match switch("whole", params.whole.as_deref())? {
        true => (Limit::read(Some("1"))?, WHOLE_BYTES),
        false => (Limit::read(params.limit.as_deref())?, LISTED_BYTES),
    };
    let skip = match params.cursor {
        None => 0,
        Some(cursor) => cursor.parse::<usize>().ok().filter(|number| *number > 0).ok_or_else(ApiError::not_found)?,
    };
    let record = stored(&app, &scope, turn).await?;
    if record.is_none() && !principal.operator {
        return Err(ApiError::not_found());
    }
    let page = ExchangePage { skip, limit: limit.shown() as usize, body_bytes };
    let found = directory.exchanges(turn, page).await?;
    if found.total == 0 || skip > found.total {
        return Err(ApiError::not_found());
    }
    tracing::info!(%turn, reader = %principal.scope.user.0, "a recording is read");
    let described = described(&app, &scope, record).await?;
    let end = skip + found.exchanges.len() + found.unreadable.len();
    let mut list: List<ExchangeBody> = limit.list(found.exchanges, |exchange| exchange.number.to_string());
    if list.next.is_none() && end < found.total {
        list.next = Some(end.to_string());
    }
    list.unreadable = found.unreadable;
    Ok(Json(ExchangesBody::new(turn, described, list)))
}

/// Returns the recordings for an operator.
fn directory<'a>(app: &'a App, principal: &Principal) -> Result<&'a Arc<dyn RecordingDirectory>, ApiError> {
    if !principal.administers_shared() {
        let why = "recordings are those of all tenants: only an administrator of the tenant `local` may see them";
        return Err(ApiError::new(ErrorCode::Forbidden, why));
    }
    let off = "exchanges with providers are not recorded: set TURNKIT_RECORD to a folder, and start the server again";
    app.recordings.as_ref().ok_or_else(|| ApiError::new(ErrorCode::NotFound, off))
}

/// Returns the turn if it is one of `scope`.
async fn stored(app: &App, scope: &Scope, turn: TurnId) -> Result<Option<TurnRecord>, ApiError> {
    match app.store.turn(scope, turn).await {
        Err(StoreError::NotFound) => Ok(None),
        found => Ok(Some(found?)),
    }
}

/// Returns the turn with the title of its session.
async fn described(
    app: &App,
    scope: &Scope,
    record: Option<TurnRecord>,
) -> Result<Option<(TurnRecord, String)>, ApiError> {
    let Some(record) = record else { return Ok(None) };
    let title = match app.store.summary(scope, record.session).await {
        // The session was deleted since.
        Err(StoreError::NotFound) => String::new(),
        found => found?.title.into(),
    };
    Ok(Some((record, title)))
}

impl From<RecordingError> for ApiError {
    fn from(error: RecordingError) -> Self {
        Self::new(ErrorCode::Unavailable, error.to_string()).permanent()
    }
}

/// Returns an example of a recording for the OpenAPI document.
fn example() -> Value {
    json!({
        "turn_id": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a00",
        "exchanges": 2,
        "models": [{ "provider": "main", "model": "small" }],
        "began_at": "2026-01-01T12:00:00.000Z",
        "title": "Arithmetic",
        "state": "completed",
        "agent": "assistant",
    })
}
