//! Grants: permissions for later calls that people gave when they approved a call.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use turnkit_core::ports::{GrantList, GrantPage};
use turnkit_core::{Grant, GrantCoverage, GrantId, SessionId, Subject, Timestamp};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{Id, Query};
use super::list::{Limit, List, Page};
use crate::app::App;
use crate::auth::Principal;
use crate::error::ApiError;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(revoke))
}

/// A permission for calls of a tool to run without another approval.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GrantBody {
    /// The id of the grant.
    #[schema(value_type = uuid::Uuid)]
    pub id: GrantId,
    /// The tool.
    pub tool: String,
    /// The session, if the grant covers all calls in it; `null` if it covers one subject in all sessions.
    #[schema(required, value_type = Option<uuid::Uuid>)]
    pub session_id: Option<SessionId>,
    /// The subject that calls may touch in all sessions, by its kind: `path`, `url`, `argv` or `text`. `null` if the
    /// grant covers a session, or if the tool touches nothing that a rule could name.
    #[schema(required, value_type = Option<Object>)]
    pub subject: Option<Subject>,
    /// Whether the grant still applies after the model was sent untrusted text.
    pub untrusted: bool,
    /// When the grant was given.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
}

impl From<Grant> for GrantBody {
    fn from(grant: Grant) -> Self {
        let Grant { id, tool, schema: _, coverage, untrusted, created_at } = grant;
        let (session_id, subject) = match coverage {
            GrantCoverage::Session(session) => (Some(session), None),
            GrantCoverage::Subject(Subject::None) => (None, None),
            GrantCoverage::Subject(subject) => (None, Some(subject)),
        };
        Self { id, tool, session_id, subject, untrusted, created_at }
    }
}

/// List grants
///
/// The caller's grants, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/grants",
    operation_id = "list_grants",
    tag = "interactions",
    params(Page),
    responses(
        (status = 200, description = "A page of the list.", body = List<GrantBody>, example = json!({
            "data": [shown()], "next": null,
        })),
        (status = 404, description = "`not_found`: the cursor does not belong to this list."),
    ),
)]
async fn list(
    State(app): State<App>,
    principal: Principal,
    Query(page): Query<Page>,
) -> Result<Json<List<GrantBody>>, ApiError> {
    let page = GrantPage {
        limit: Limit::read(page.limit.as_deref())?.shown(),
        after: page.cursor.map(|id| id.parse().map_err(|_| ApiError::not_found())).transpose()?,
    };
    let GrantList { grants, unreadable, next } = app.service.grants(&principal.scope, page).await?;
    let data = grants.into_iter().map(GrantBody::from).collect();
    Ok(Json(List { data, next: next.map(|grant| grant.to_string()), unreadable }))
}

/// Revoke a grant
///
/// Calls that are checked from now on need approval again.
#[utoipa::path(
    delete,
    path = "/api/v1/grants/{id}",
    operation_id = "revoke_grant",
    tag = "interactions",
    params(("id" = uuid::Uuid, Path, description = "The grant.")),
    responses((status = 204, description = "The grant was deleted.")),
)]
async fn revoke(State(app): State<App>, principal: Principal, Id(grant): Id<GrantId>) -> Result<StatusCode, ApiError> {
    app.service.revoke_grant(&principal.scope, grant).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Returns an example of a grant for the OpenAPI document.
fn shown() -> Value {
    json!({
        "id": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a05",
        "tool": "write_file",
        "session_id": null,
        "subject": { "path": "notes/today.md" },
        "untrusted": false,
        "created_at": "2026-01-01T12:01:00.000Z",
    })
}
