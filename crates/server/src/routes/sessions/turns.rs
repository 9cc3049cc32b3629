//! Pages of a session's turns, each turn in the form that a page displays.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use turnkit_core::ports::{StoredMessage, TurnList};
use turnkit_core::{Scope, SessionId, Snapshot, StoreError, TurnId, TurnKind, TurnRecord, TurnSnapshot, TurnState};
use turnkit_engine::RenderedTurn;
use utoipa::{IntoParams, ToSchema};

use super::turn_window::TurnWindow;
use crate::app::App;
use crate::auth::Principal;
use crate::dialect::native::{TurnSnapshotBody, cut_parts};
use crate::error::ApiError;
use crate::routes::extract::{Id, Query};
use crate::routes::list::Limit;
use crate::routes::messages::MessageBody;
use crate::routes::schema::TurnViewSchema;
use crate::stream::{ReadTurns, SnapshotWithTurns};

/// The largest number of turns in a page.
const MAX_TURNS: u32 = 100;
/// The number of turns in a snapshot, as in a page without a `limit`.
const SNAPSHOT_TURNS: u32 = 50;
/// The largest size of a page with more than one turn, in bytes of JSON.
const MAX_BYTES: usize = 512 * 1024;

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ListParams {
    /// Only turns before this one, given as its id or its number in the session.
    before: Option<String>,
    /// Only turns after this one, given as its id or its number in the session.
    after: Option<String>,
    /// This turn, given as its id or its number in the session, and the turns on both sides of it.
    around: Option<String>,
    /// The largest number of turns to return, up to 100.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 50)]
    limit: Option<String>,
}

/// A page of the turns of a session.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TurnPageBody {
    /// Turns of all branches, in the order of their numbers.
    #[schema(value_type = Vec<PagedTurnBody>)]
    data: Vec<Box<RawValue>>,
    /// The number of the session's last turn.
    turns: u32,
    /// The `before` of the previous page, if there are earlier turns.
    #[schema(required)]
    before: Option<u32>,
    /// The `after` of the next page, if there are later turns.
    #[schema(required)]
    after: Option<u32>,
    /// Ids or storage locations of damaged turns in this page.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unreadable: Vec<String>,
}

/// A turn in the form that a page displays.
#[derive(Debug, Serialize, ToSchema)]
struct PagedTurnBody<'a> {
    /// The turn, rebuilt from its events or from its messages.
    #[serde(flatten)]
    #[schema(value_type = TurnViewSchema)]
    view: TurnSnapshotBody<'a>,
    /// The state of the turn, or the status with which it ended.
    #[schema(value_type = String, example = "completed")]
    state: TurnState,
    /// The turn that this turn continues. Turns that continue the same turn are sibling branches.
    #[schema(required, value_type = Option<uuid::Uuid>)]
    after: Option<TurnId>,
    /// The purpose of a turn that does not respond to a message: `compact` or `title`.
    #[serde(skip_serializing_if = "TurnKind::is_message")]
    #[schema(value_type = Option<String>)]
    kind: TurnKind,
    /// Whether the turn waits in the queue with a message for the running turn, which takes the message if it can.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    steering: bool,
    /// The messages with which the session was created, in its first turn. They are not in the other fields.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    messages: Vec<MessageBody>,
    /// Whether texts of `input`, `steered` or `messages` are truncated, or messages are left out.
    /// `GET /api/v1/turns/{id}/input` returns them complete.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    more: bool,
}

/// List the turns of a session as a page draws them
///
/// Without `before`, `after` and `around`, returns the session's last turns. A page holds fewer turns than requested if
/// they are large. Texts over 64 KiB are truncated, as are the messages of a turn over 512 KiB. If a turn's events are
/// no longer stored, most data that only events contain is absent, and its `seq` is 0.
#[utoipa::path(
    get,
    path = "/api/v1/sessions/{id}/turns",
    operation_id = "list_session_turns",
    tag = "sessions",
    params(("id" = uuid::Uuid, Path, description = "The session."), ListParams),
    responses((status = 200, description = "A page of turns.", body = TurnPageBody, example = json!({
        "data": [{
            "turn_id": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01",
            "number": 41,
            "seq": 0,
            "agent": "assistant",
            "accepted_at": "2026-01-01T12:00:00.000Z",
            "ended_at": "2026-01-01T12:00:04.000Z",
            "input": [{ "type": "text", "text": "What is 6 x 7?" }],
            "steps": [{ "step": 1, "provider": "offline", "model": "rules", "finish_reason": "stop", "since": 0 }],
            "parts": [{ "part_id": "1.0", "type": "text", "text": "It is 42.", "ended": true, "since": 0 }],
            "tools": [],
            "remarks": [],
            "status": "completed",
            "trace_id": "0199a1f05d1c7cc09d8e2f8f4c1b7a01",
            "state": "completed",
            "after": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a00",
        }],
        "turns": 50,
        "before": 41,
        "after": 41,
    })), (status = 404, description = "`not_found`: there is no such session, or no such turn in it.")),
)]
pub(super) async fn turns(
    State(app): State<App>,
    principal: Principal,
    Id(session): Id<SessionId>,
    Query(params): Query<ListParams>,
) -> Result<Json<TurnPageBody>, ApiError> {
    let (scope, limit) = (&principal.scope, Limit::read_up_to(params.limit.as_deref(), MAX_TURNS)?);
    let last = app.store.summary(scope, session).await?.turns;
    let window = params.window(&app, scope, session).await?;
    let page = TurnPage { session, window, limit: limit.shown(), last };
    Ok(Json(page.read(&app, scope, None).await?))
}

/// Creates the reader of the last turns of a session, for snapshots of it. The turn that the client follows is shown
/// as it is at the cursor of the snapshot.
pub(crate) fn read_turns(app: &App, scope: &Scope) -> ReadTurns {
    let (app, scope) = (app.clone(), scope.clone());
    Box::new(move |snapshot: Box<Snapshot>| -> SnapshotWithTurns {
        Box::pin(with_turns(app.clone(), scope.clone(), snapshot))
    })
}

async fn with_turns(
    app: App,
    scope: Scope,
    mut snapshot: Box<Snapshot>,
) -> Result<(Box<Snapshot>, Box<RawValue>), StoreError> {
    let (session, last) = (snapshot.session.id, snapshot.session.turns);
    let page = TurnPage { session, window: TurnWindow::Before(u32::MAX), limit: SNAPSHOT_TURNS, last };
    let turns = page.read(&app, &scope, snapshot.turn.take()).await?;
    Ok((snapshot, to_raw_value(&turns).map_err(unwritable)?))
}

/// A page of the turns of a session.
struct TurnPage {
    session: SessionId,
    window: TurnWindow,
    limit: u32,
    /// The number of the session's last turn.
    last: u32,
}

impl TurnPage {
    /// Reads the page. If `known` is one of its turns, that view is shown, with complete texts: a client appends the
    /// next events to them.
    async fn read(
        &self,
        app: &App,
        scope: &Scope,
        mut known: Option<TurnSnapshot>,
    ) -> Result<TurnPageBody, StoreError> {
        let TurnPage { session, window, limit, last } = *self;
        let numbers = window.numbers(limit, last);
        let TurnList { mut turns, mut unreadable, .. } =
            app.store.numbered_turns(scope, session, numbers.clone()).await?;
        let center = window.center(&numbers);
        turns.sort_by_key(|turn| turn.number.abs_diff(center));
        let mut part = TurnPageBuilder::default();
        for record in turns {
            if let Some(known) = known.take_if(|known| known.id == record.id) {
                part.add(record.number, PagedTurnBody::json_of_known(&record, &known)?);
            } else {
                match app.service.rendered_turn(scope, &record).await {
                    Ok(drawn) => part.add(record.number, PagedTurnBody::json(&record, drawn)?),
                    Err(StoreError::Corrupt(_)) => unreadable.push(record.id.to_string()),
                    Err(error) => return Err(error),
                }
            }
            if part.is_full {
                break;
            }
        }
        let TurnPageBuilder { mut turns, is_full, .. } = part;
        turns.sort_by_key(|(number, _)| *number);
        let numbers = match (turns.first(), turns.last()) {
            (Some((first, _)), Some((last, _))) if is_full => *first..last + 1,
            _ => numbers,
        };
        Ok(TurnPageBody {
            data: turns.into_iter().map(|(_, turn)| turn).collect(),
            turns: last,
            before: (numbers.start > 1).then_some(numbers.start),
            after: (numbers.end <= last).then_some(numbers.end - 1),
            unreadable,
        })
    }
}

impl ListParams {
    async fn window(&self, app: &App, scope: &Scope, session: SessionId) -> Result<TurnWindow, ApiError> {
        let number = |field, turn| number_of(app, scope, session, field, turn);
        match (self.before.as_deref(), self.after.as_deref(), self.around.as_deref()) {
            (None, None, None) => Ok(TurnWindow::Before(u32::MAX)),
            (Some(turn), None, None) => Ok(TurnWindow::Before(number("before", turn).await?)),
            (None, Some(turn), None) => Ok(TurnWindow::After(number("after", turn).await?)),
            (None, None, Some(turn)) => Ok(TurnWindow::Around(number("around", turn).await?)),
            (Some(_), _, _) => Err(ApiError::field("before", "cannot be combined with `after` or `around`")),
            (None, ..) => Err(ApiError::field("after", "cannot be combined with `around`")),
        }
    }
}

/// Parses the number of a turn, or looks up the number of the turn with this id.
async fn number_of(
    app: &App,
    scope: &Scope,
    session: SessionId,
    field: &'static str,
    turn: &str,
) -> Result<u32, ApiError> {
    if let Ok(number) = turn.parse() {
        return Ok(number);
    }
    let turn: TurnId = turn
        .parse()
        .map_err(|_| ApiError::field(field, "must be the id of a turn, or the number of a turn in the session"))?;
    let record = app.store.turn(scope, turn).await?;
    if record.session == session { Ok(record.number) } else { Err(ApiError::not_found()) }
}

/// The turns of a page with their numbers, the nearest to the requested turn first.
#[derive(Default)]
struct TurnPageBuilder {
    /// Each turn as JSON, so that the parts cut from it are not kept in memory until the page is written.
    turns: Vec<(u32, Box<RawValue>)>,
    bytes: usize,
    /// Whether the last turn did not fit.
    is_full: bool,
}

impl TurnPageBuilder {
    fn add(&mut self, number: u32, turn: Box<RawValue>) {
        self.bytes += turn.get().len();
        self.is_full = self.bytes > MAX_BYTES && !self.turns.is_empty();
        if !self.is_full {
            self.turns.push((number, turn));
        }
    }
}

impl PagedTurnBody<'_> {
    fn json(record: &TurnRecord, drawn: RenderedTurn) -> Result<Box<RawValue>, StoreError> {
        let TurnRecord { id, number, trace, .. } = *record;
        let RenderedTurn { view, messages } = drawn;
        let message =
            |message| MessageBody::from(StoredMessage { turn: id, turn_number: number, place: 0, message, trace });
        let (messages, are_messages_cut) = shortened(messages.into_iter().map(message).collect());
        let turn = TurnSnapshot { id, number, view };
        let (view, is_input_cut) = TurnSnapshotBody::new(&turn).cut();
        let more = is_input_cut || are_messages_cut;
        to_raw_value(&PagedTurnBody { messages, more, ..PagedTurnBody::new(record, view) }).map_err(unwritable)
    }

    fn json_of_known(record: &TurnRecord, known: &TurnSnapshot) -> Result<Box<RawValue>, StoreError> {
        to_raw_value(&PagedTurnBody::new(record, TurnSnapshotBody::new(known))).map_err(unwritable)
    }
}

impl<'a> PagedTurnBody<'a> {
    fn new(record: &TurnRecord, view: TurnSnapshotBody<'a>) -> Self {
        let TurnRecord { state, after, kind, steering, .. } = *record;
        Self { view, state, after, kind, steering, messages: Vec::new(), more: false }
    }
}

/// Truncates long texts of messages, and leaves out the last messages if not all of them fit a page. Returns `true` if
/// it did either.
fn shortened(mut messages: Vec<MessageBody>) -> (Vec<MessageBody>, bool) {
    let mut more = false;
    let mut bytes = 0;
    for message in &mut messages {
        more |= cut_parts(&mut message.parts);
    }
    let mut fits = |message: &MessageBody| {
        bytes += serde_json::to_string(message).map_or(0, |json| json.len());
        bytes <= MAX_BYTES
    };
    let fitting = messages.iter().take_while(|message| fits(message)).count();
    more |= fitting < messages.len();
    messages.truncate(fitting);
    (messages, more)
}

fn unwritable(error: serde_json::Error) -> StoreError {
    StoreError::Corrupt(error.to_string())
}
