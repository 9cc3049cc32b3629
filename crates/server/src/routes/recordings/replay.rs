//! Replays a turn from its recording.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use serde_json::Value;
use turnkit_core::TurnId;
use turnkit_core::ports::{ReplayDifference, ReplayReport};
use utoipa::ToSchema;

use super::directory;
use crate::app::App;
use crate::auth::Principal;
use crate::error::ApiError;
use crate::routes::extract::{Id, Query};
use crate::routes::turns::OwnerParams;

/// Replay a turn
///
/// Runs a stored turn again, offline: models answer as recorded, and calls have their stored results. Nothing is
/// written. Agents and providers are those of the present configuration.
#[utoipa::path(
    post,
    path = "/api/v1/recordings/{id}/replay",
    operation_id = "replay_turn",
    tag = "recordings",
    params(("id" = uuid::Uuid, Path, description = "The turn."), OwnerParams),
    responses(
        (status = 200, description = "The comparison with the stored turn.", body = ReplayBody, example = json!({
            "turn_id": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a00",
            "same": false,
            "events": { "stored": 23, "replayed": 23 },
            "difference": {
                "event": 17,
                "kind": "part.delta",
                "at": "/delta",
                "stored": "It is 42.",
                "replayed": "It is 43.",
            },
            "missing": [],
            "requests": [{ "step": 1, "attempt": 1, "at": "/model" }],
        })),
        (status = 403, description = "`forbidden`: the key or token lacks admin, or its tenant is not local."),
        (status = 404, description = "`not_found`: nothing is recorded, or there is no such turn."),
        (status = 503, description = "`unavailable`: the turn cannot be replayed; the message says why."),
    ),
)]
pub(super) async fn replay(
    State(app): State<App>,
    principal: Principal,
    Id(turn): Id<TurnId>,
    Query(params): Query<OwnerParams>,
) -> Result<Json<ReplayBody>, ApiError> {
    let directory = directory(&app, &principal)?;
    let scope = principal.scope_of(params.user.as_deref())?;
    app.store.turn(&scope, turn).await?;
    let report = directory.replay(&scope, turn).await?;
    tracing::info!(%turn, reader = %principal.scope.user.0, "a recording was replayed");
    Ok(Json(ReplayBody::new(turn, report)))
}

/// The comparison of a stored turn with its replay.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ReplayBody {
    /// The turn.
    #[schema(value_type = uuid::Uuid)]
    turn_id: TurnId,
    /// Whether the replay is equal to the stored turn, with nothing missing. Requests may differ.
    same: bool,
    /// The number of events.
    events: ReplayEventsBody,
    /// The first difference, or null.
    #[schema(required)]
    difference: Option<ReplayDifferenceBody>,
    /// The steps and attempts without a recording.
    missing: Vec<ReplayPlaceBody>,
    /// The steps and attempts whose request differs from the recorded one.
    requests: Vec<ReplayRequestBody>,
}

/// Numbers of events.
#[derive(Debug, Serialize, ToSchema)]
struct ReplayEventsBody {
    /// Those that are stored.
    stored: usize,
    /// Those of the replay.
    replayed: usize,
}

/// The first difference between a stored turn and its replay.
#[derive(Debug, Serialize, ToSchema)]
struct ReplayDifferenceBody {
    /// The number of the event, if events differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<u32>,
    /// The index of the message in the turn, from 0, if only messages differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<usize>,
    /// The name of the stored event, or else of the replayed one.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    /// The place in the event or message, as a JSON pointer. Empty if all of it differs.
    at: String,
    /// The stored value, or null if there is none. Of a text, the part around the first character that differs.
    #[schema(required, value_type = Option<Value>)]
    stored: Option<Value>,
    /// The value of the replay, or null if there is none.
    #[schema(required, value_type = Option<Value>)]
    replayed: Option<Value>,
}

/// An attempt at a step.
#[derive(Debug, Serialize, ToSchema)]
struct ReplayPlaceBody {
    /// The step, from 1.
    step: u16,
    /// The attempt, from 1.
    attempt: u16,
}

/// A request that differs from the recorded one.
#[derive(Debug, Serialize, ToSchema)]
struct ReplayRequestBody {
    /// The step, from 1.
    step: u16,
    /// The attempt, from 1.
    attempt: u16,
    /// The first place that differs, as a JSON pointer. Empty if all of it differs.
    at: String,
}

impl ReplayBody {
    fn new(turn: TurnId, report: ReplayReport) -> Self {
        let same = report.is_same();
        let ReplayReport { stored_events, replayed_events, difference, missing, requests } = report;
        let place = |(step, attempt)| ReplayPlaceBody { step, attempt };
        let request = |((step, attempt), at)| ReplayRequestBody { step, attempt, at };
        Self {
            turn_id: turn,
            same,
            events: ReplayEventsBody { stored: stored_events, replayed: replayed_events },
            difference: difference.map(ReplayDifferenceBody::from),
            missing: missing.into_iter().map(place).collect(),
            requests: requests.into_iter().map(request).collect(),
        }
    }
}

impl From<ReplayDifference> for ReplayDifferenceBody {
    fn from(difference: ReplayDifference) -> Self {
        let ReplayDifference { event, message, kind, at, stored, replayed } = difference;
        Self { event, message, kind: kind.map(str::to_owned), at, stored, replayed }
    }
}
