//! The MCP servers whose tools agents use, and their status.

mod accept;
mod accepted;
mod body;
mod chosen;

use axum::Json;
use axum::extract::{Path, State};
use serde_json::{Value, json};
use turnkit_core::AccessScope;
use turnkit_core::ports::McpStatus;
use utoipa_axum::routes;

use super::extract::Query;
use super::list::{Limit, List, Page};
use super::scoped::ScopedRouter;
use crate::app::App;
use crate::auth::Principal;
use crate::error::{ApiError, ErrorCode};
use accepted::Accepted;
use body::McpServerBody;

pub(super) fn router() -> ScopedRouter {
    ScopedRouter::new()
        .routes(AccessScope::Admin, routes!(list))
        .routes(AccessScope::Admin, routes!(reconnect))
        .routes(AccessScope::Admin, routes!(accept::accept))
}

/// List MCP servers
///
/// The servers whose tools agents use, in the order of the configuration, with their state and their tools. None is
/// started. No credential is shown.
#[utoipa::path(
    get,
    path = "/api/v1/mcp",
    operation_id = "list_mcp_servers",
    tag = "mcp",
    params(Page),
    responses(
        (status = 200, description = "A page of the list.", body = List<McpServerBody>, example = json!({
            "data": [example(), {
                "name": "files",
                "transport": "stdio",
                "program": "mcp-server-filesystem",
                "state": "failing",
                "error": "there is no program of this name in PATH",
                "retry_at": "2026-01-01T12:00:04.000Z",
                "connections": 1,
                "tools": [],
            }],
            "next": null,
        })),
        (status = 403, description = "`forbidden`: the key or token lacks admin, or its tenant is not local."),
        (status = 404, description = "`not_found`: the cursor does not belong to this list."),
    ),
)]
async fn list(
    State(app): State<App>,
    principal: Principal,
    Query(page): Query<Page>,
) -> Result<Json<List<McpServerBody>>, ApiError> {
    check(&principal)?;
    let limit = Limit::read(page.limit.as_deref())?;
    let all = app.mcp_servers.as_ref().map(|directory| directory.servers()).unwrap_or_default();
    let mut rows = Vec::with_capacity(all.len());
    for status in all {
        rows.push(describe(&app, status).await?);
    }
    limit.list_after(page.cursor.as_deref(), rows, |server| server.name.clone()).map(Json)
}

/// Reconnect an MCP server
///
/// Drops all connections to the server, and reads its tools again over a new one on behalf of the caller, even if the
/// last start has just failed. Calls that are running keep their connection until they end. Turns that are running keep
/// their tools.
#[utoipa::path(
    post,
    path = "/api/v1/mcp/{id}/reconnect",
    operation_id = "reconnect_mcp_server",
    tag = "mcp",
    params(("id" = String, Path, description = "The name of the server.")),
    responses(
        (status = 200, description = "The tools were read.", body = McpServerBody, example = json!(example())),
        (status = 403, description = "`forbidden`: the key or token lacks admin, or its tenant is not local."),
        (status = 404, description = "`not_found`: there is no such server."),
        (status = 503, description = "`unavailable`: the server cannot be used; the message says why."),
    ),
)]
async fn reconnect(
    State(app): State<App>,
    principal: Principal,
    Path(id): Path<String>,
) -> Result<Json<McpServerBody>, ApiError> {
    check(&principal)?;
    let directory = app.mcp_servers.as_ref().ok_or_else(ApiError::not_found)?;
    let connected = directory.reconnect(&id, &principal.scope).await.ok_or_else(ApiError::not_found)?;
    connected.map_err(|error| ApiError::new(ErrorCode::Unavailable, error.0))?;
    describe(&app, status_of(&app, &id)?).await.map(Json)
}

/// Returns the status of the server with this name.
fn status_of(app: &App, name: &str) -> Result<McpStatus, ApiError> {
    let directory = app.mcp_servers.as_ref().ok_or_else(ApiError::not_found)?;
    directory.servers().into_iter().find(|status| status.name == name).ok_or_else(ApiError::not_found)
}

async fn describe(app: &App, status: McpStatus) -> Result<McpServerBody, ApiError> {
    let accepted = Accepted::read(app.store.as_ref(), &status).await?;
    Ok(McpServerBody::new(status, &accepted, app.clock.now()))
}

fn check(principal: &Principal) -> Result<(), ApiError> {
    match principal.administers_shared() {
        true => Ok(()),
        false => Err(ApiError::new(
            ErrorCode::Forbidden,
            "all tenants share the MCP servers: only an administrator of the tenant `local` may see and change them",
        )),
    }
}

/// A fingerprint in examples of the OpenAPI document.
const FINGERPRINT: &str = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

/// Returns an example of a server for the OpenAPI document.
fn example() -> Value {
    json!({
        "name": "tickets",
        "transport": "http",
        "url": "https://tickets.example.com/mcp",
        "state": "ready",
        "connections": 1,
        "protocol": "2025-11-25",
        "server": "ticketing 1.4.0",
        "tools_read_at": "2026-01-01T12:00:00.000Z",
        "tools": [
            { "name": "tickets__find", "state": "pinned" },
            {
                "name": "tickets__close",
                "state": "changed",
                "reason": "calls need approval until the new definition is accepted",
                "changed_at": "2026-01-01T12:00:00.000Z",
                "description": "Closes a ticket, and tells its author.",
                "input_schema": { "type": "object", "properties": { "id": { "type": "integer" } }, "required": ["id"] },
                "effects": { "read_only": false, "idempotent": false, "destructive": true, "open_world": true },
                "fingerprint": FINGERPRINT,
            },
            {
                "name": "list",
                "state": "quarantined",
                "reason": "its schema does not describe an object",
            },
        ],
    })
}
