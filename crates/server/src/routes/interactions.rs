//! Interactions: what turns wait for people to decide.

use axum::Json;
use axum::extract::State;
use bytes::Bytes;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value, json};
use turnkit_core::ports::{WaitList, WaitPage};
use turnkit_core::{
    Arguments, Decided, Denial, InteractionDecision, KnownOutcome, Resolution, Resolved, SessionId, Timestamp, TurnId,
    Wait, WaitId, WaitKind, WaitQuestion,
};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{Id, Query};
use super::list::{Limit, List};
use crate::app::App;
use crate::auth::Principal;
use crate::error::{ApiError, Code};
use crate::json;
use crate::json::text::{check_without_nul, invalid};

/// The longest note, in bytes.
const NOTE_BYTES: usize = 4096;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(show, decide))
}

/// A call that waits, or waited, for a decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InteractionBody {
    /// Its id: that of the call, and a number.
    #[schema(value_type = String)]
    pub id: WaitId,
    /// What is to be decided: `approval`, whether the call runs; `outcome`, what became of a call that was running when the
    /// server died.
    #[schema(value_type = String)]
    pub kind: WaitKind,
    /// The session.
    #[schema(value_type = uuid::Uuid)]
    pub session_id: SessionId,
    /// The turn that waits.
    #[schema(value_type = uuid::Uuid)]
    pub turn_id: TurnId,
    /// The tool.
    pub name: String,
    /// What the model passes, as it wrote it: JSON in a text, if it wrote JSON.
    #[schema(value_type = String)]
    pub arguments: Arguments,
    /// Why the call does not run without a decision.
    pub reason: String,
    /// What the call would do, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
    /// Since when it waits.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When it counts as denied if it is still undecided.
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
    /// How it was decided; `null` while it is pending.
    #[schema(required)]
    pub decided: Option<DecisionBody>,
}

/// How an interaction was decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DecisionBody {
    /// `approved` or `denied`; of an outcome `retry`, `done`, `failed` or `denied`.
    #[schema(value_type = String)]
    pub decision: Decided,
    /// Who denied it: `person`, or why it counts as denied: `expired`, `superseded`, `cancelled`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub by: Option<Denial>,
    /// What the call runs with, if the person changed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub arguments: Option<Arguments>,
    /// What the person says to the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// When.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
}

impl From<Wait> for InteractionBody {
    fn from(wait: Wait) -> Self {
        let Wait { id, session, kind, question, created_at, expires_at, decided } = wait;
        let WaitQuestion { name, arguments, reason, preview } = question;
        let decided = decided.map(|(resolution, at)| {
            let InteractionDecision { decision, by, arguments, note } = resolution.into();
            DecisionBody { decision, by, arguments, note, at }
        });
        let (session_id, turn_id) = (session, id.call.turn);
        Self { id, kind, session_id, turn_id, name, arguments, reason, preview, created_at, expires_at, decided }
    }
}

/// A decision, as a client sends it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct DecisionRequest {
    /// Of an approval: whether the call runs. `deny` of an outcome: the outcome stays unknown.
    #[schema(inline)]
    decision: Option<Choice>,
    /// Of an outcome: what became of the call.
    #[schema(inline)]
    outcome: Option<KnownOutcomeBody>,
    /// What the call runs with instead, if it is approved.
    #[serde(default, deserialize_with = "read_arguments")]
    #[schema(value_type = Option<Object>)]
    arguments: Option<Arguments>,
    /// What the model reads about it.
    #[serde(default, deserialize_with = "read_note")]
    #[schema(max_length = 4096)]
    note: Option<String>,
}

/// Whether a call runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Choice {
    Approve,
    Deny,
}

/// What became of a call: it runs again, took effect, or took none.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum KnownOutcomeBody {
    Retry,
    Done,
    Failed,
}

impl DecisionRequest {
    fn resolution(self) -> Result<Resolution, ApiError> {
        let Self { decision, outcome, arguments, note } = self;
        if arguments.is_some() && decision != Some(Choice::Approve) {
            return Err(ApiError::field("arguments", "only a call that is approved runs with others"));
        }
        let outcome = match (decision, outcome) {
            (Some(Choice::Approve), None) => return Ok(Resolution::Approved { arguments, note }),
            (Some(Choice::Deny), None) => return Ok(Resolution::denied(note)),
            (Some(_), Some(_)) => return Err(ApiError::field("outcome", "give decision or outcome, not both")),
            (None, None) => return Err(ApiError::field("decision", "it is missing")),
            (None, Some(KnownOutcomeBody::Retry)) => KnownOutcome::Retry,
            (None, Some(KnownOutcomeBody::Done)) => KnownOutcome::Done,
            (None, Some(KnownOutcomeBody::Failed)) => KnownOutcome::Failed,
        };
        Ok(Resolution::Outcome { outcome, note })
    }
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Wanted {
    /// `pending`: what is undecided. `all`: also what was decided, as long as events of its turn are kept.
    #[param(default = "pending")]
    state: Option<String>,
    /// Only interactions of this session.
    #[param(value_type = Option<uuid::Uuid>)]
    session: Option<String>,
    /// Only interactions of this turn.
    #[param(value_type = Option<uuid::Uuid>)]
    turn: Option<String>,
    /// At most so many, up to 200.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200, default = 50)]
    limit: Option<String>,
    /// Where `next` of the part before says to go on.
    cursor: Option<String>,
}

/// List interactions
///
/// What the caller's turns wait for, the oldest turn first.
#[utoipa::path(
    get,
    path = "/api/v1/interactions",
    operation_id = "list_interactions",
    tag = "interactions",
    params(Wanted),
    responses(
        (status = 200, description = "A part of the list.", body = List<InteractionBody>, example = json!({
            "data": [shown()], "next": null,
        })),
        (status = 404, description = "`not_found`: there is no such session or turn, or the cursor is of no such list."),
    ),
)]
async fn list(
    State(app): State<App>,
    principal: Principal,
    Query(wanted): Query<Wanted>,
) -> Result<Json<List<InteractionBody>>, ApiError> {
    let page = WaitPage {
        session: wanted.session.map(|id| id.parse().map_err(|_| ApiError::not_found())).transpose()?,
        turn: wanted.turn.map(|id| id.parse().map_err(|_| ApiError::not_found())).transpose()?,
        pending: match wanted.state.as_deref() {
            None | Some("pending") => true,
            Some("all") => false,
            Some(_) => return Err(ApiError::field("state", "it is pending or all")),
        },
        limit: Limit::read(wanted.limit.as_deref())?.shown(),
        after: wanted.cursor.map(|id| id.parse().map_err(|_| ApiError::not_found())).transpose()?,
    };
    let WaitList { waits, unreadable, next } = app.service.waits(&principal.scope, page).await?;
    let data = waits.into_iter().map(InteractionBody::from).collect();
    Ok(Json(List { data, next: next.map(|wait| wait.to_string()), unreadable }))
}

/// Show an interaction
#[utoipa::path(
    get,
    path = "/api/v1/interactions/{id}",
    operation_id = "show_interaction",
    tag = "interactions",
    params(("id" = String, Path, description = "The interaction.")),
    responses((status = 200, description = "The interaction.", body = InteractionBody, example = json!(shown()))),
)]
async fn show(
    State(app): State<App>,
    principal: Principal,
    Id(wait): Id<WaitId>,
) -> Result<Json<InteractionBody>, ApiError> {
    Ok(Json(app.service.wait(&principal.scope, wait).await?.into()))
}

/// Decide an interaction
///
/// The first decision counts. After the last one that a turn waits for, the turn goes on at once. The same decision may be
/// sent again.
#[utoipa::path(
    post,
    path = "/api/v1/interactions/{id}",
    operation_id = "decide_interaction",
    tag = "interactions",
    params(("id" = String, Path, description = "The interaction.")),
    request_body(content = DecisionRequest, example = json!({ "decision": "deny", "note": "Ask Bob first." })),
    responses(
        (status = 200, description = "It is decided so.", body = InteractionBody, example = json!(decided())),
        (status = 409, description = "`already_decided`: it was decided otherwise before."),
        (status = 410, description = "`too_late`: it expired, or its turn is over or to stop."),
    ),
)]
async fn decide(
    State(app): State<App>,
    principal: Principal,
    Id(id): Id<WaitId>,
    body: Bytes,
) -> Result<Json<InteractionBody>, ApiError> {
    let resolution = json::read::<DecisionRequest>(&body)?.resolution()?;
    match app.service.resolve(&principal.scope, id, resolution).await? {
        Resolved::Decided { .. } | Resolved::Repeated => Ok(Json(app.service.wait(&principal.scope, id).await?.into())),
        Resolved::DecidedOtherwise(_) => Err(ApiError::new(Code::AlreadyDecided, "it was decided otherwise before")),
        Resolved::TooLate => Err(ApiError::new(Code::TooLate, "it expired, or its turn is over or to stop")),
    }
}

/// Reads arguments as they are sent, which must be an object.
fn read_arguments<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Arguments>, D::Error> {
    let Some(sent) = Option::<&'de [u8]>::deserialize(deserializer)? else { return Ok(None) };
    let _: Map<String, Value> = serde_json::from_slice(sent).map_err(|_| invalid("it must be an object"))?;
    let text = std::str::from_utf8(sent).map_err(|_| invalid("it must be an object"))?;
    Ok(Some(Arguments(text.to_owned())))
}

fn read_note<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let Some(note) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
    if note.len() > NOTE_BYTES {
        return Err(invalid(&format!("it is longer than {NOTE_BYTES} bytes")));
    }
    // A note that says nothing is none.
    Ok(Some(check_without_nul(note)?).filter(|note| !note.trim().is_empty()))
}

/// An interaction, for the document.
fn shown() -> Value {
    json!({
        "id": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01.1.0.0",
        "kind": "approval",
        "session_id": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a02",
        "turn_id": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01",
        "name": "pay",
        "arguments": "{\"to\":\"Bob\",\"amount\":10}",
        "reason": "a rule asks for approval",
        "created_at": "2026-01-01T12:00:00.000Z",
        "expires_at": "2026-01-08T12:00:00.000Z",
        "decided": null,
    })
}

/// A decided one.
fn decided() -> Value {
    let mut interaction = shown();
    interaction["decided"] =
        json!({ "decision": "denied", "by": "person", "note": "Ask Bob first.", "at": "2026-01-01T12:01:00.000Z" });
    interaction
}
