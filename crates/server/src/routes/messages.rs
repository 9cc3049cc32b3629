//! The messages of a session, as clients see them.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use turnkit_core::ports::{MessagePage, StoredMessage};
use turnkit_core::{AccessScope, Mark, Part, Role, SessionId, TraceId, TurnId};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::routes;

use super::extract::{Id, Query, switch};
use super::list::{Limit, List};
use super::schema::{MarkSchema, PartSchema, RoleSchema};
use super::scoped::ScopedRouter;
use crate::app::App;
use crate::auth::Principal;
use crate::error::ApiError;

pub(crate) fn router() -> ScopedRouter {
    ScopedRouter::new().routes(AccessScope::Read, routes!(list))
}

/// A message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MessageBody {
    /// The turn that the message belongs to.
    #[schema(value_type = uuid::Uuid)]
    pub turn_id: TurnId,
    /// The author of the message.
    #[schema(value_type = RoleSchema)]
    pub role: Role,
    /// The parts of the message, in order.
    #[schema(value_type = Vec<PartSchema>)]
    pub parts: Vec<Part>,
    /// The kind of a message that is not an ordinary one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<MarkSchema>)]
    pub mark: Option<Mark>,
    /// The trace of the turn.
    #[schema(value_type = String, min_length = 32, max_length = 32)]
    pub trace_id: TraceId,
}

/// Removes opaque data that only its vendor understands.
impl From<StoredMessage> for MessageBody {
    fn from(stored: StoredMessage) -> Self {
        let StoredMessage { turn, message, trace, .. } = stored;
        let parts = message.parts.into_iter().map(Part::without_opaque).collect();
        Self { turn_id: turn, role: message.role, parts, mark: message.mark, trace_id: trace }
    }
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ListParams {
    /// The largest number of items to return, up to 200.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200, default = 50)]
    limit: Option<String>,
    /// The `next` of the previous page.
    cursor: Option<String>,
    /// `1`: includes messages that change what the model receives: summaries, which leave out earlier messages, and
    /// edits, which leave out the contents of tool results.
    #[param(value_type = Option<u8>, minimum = 0, maximum = 1, default = 0)]
    context: Option<String>,
}

/// List the messages of a session
///
/// Newest first.
#[utoipa::path(
    get,
    path = "/api/v1/sessions/{id}/messages",
    operation_id = "list_messages",
    tag = "sessions",
    params(("id" = uuid::Uuid, Path, description = "The session."), ListParams),
    responses((
        status = 200,
        description = "A page of messages.",
        body = List<MessageBody>,
        example = json!({
            "data": [
                {
                    "turn_id": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01",
                    "role": "assistant",
                    "parts": [{ "type": "text", "text": "It is 42." }],
                    "trace_id": "0199a1f05d1c7cc09d8e2f8f4c1b7a01",
                },
                {
                    "turn_id": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01",
                    "role": "user",
                    "parts": [{ "type": "text", "text": "What is 6 x 7?" }],
                    "trace_id": "0199a1f05d1c7cc09d8e2f8f4c1b7a01",
                },
            ],
            "next": null,
        }),
    ), (status = 404, description = "`not_found`: there is no such session, or the cursor does not belong to this list.")),
)]
async fn list(
    State(app): State<App>,
    principal: Principal,
    Id(session): Id<SessionId>,
    Query(params): Query<ListParams>,
) -> Result<Json<List<MessageBody>>, ApiError> {
    let limit = Limit::read(params.limit.as_deref())?;
    let before = params.cursor.as_deref().map(read_place).transpose()?;
    let page = MessagePage { limit: limit.rows(), before, context: switch("context", params.context.as_deref())? };
    let messages = app.store.message_page(&principal.scope, session, page).await?;
    Ok(Json(limit.list(messages, |message| format!("{}-{}", message.turn_number, message.place))))
}

/// Parses the position of a message: the number of its turn in the session, and its number in the turn.
fn read_place(cursor: &str) -> Result<(u32, u32), ApiError> {
    let place = cursor.split_once('-').and_then(|(turn, place)| Some((turn.parse().ok()?, place.parse().ok()?)));
    place.ok_or_else(ApiError::not_found)
}
