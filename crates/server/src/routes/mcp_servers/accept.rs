//! Accepts changed definitions of a server's tools.

use axum::Json;
use axum::extract::{Path, State};
use bytes::Bytes;
use serde::Deserialize;
use turnkit_core::ToolPin;
use turnkit_core::ports::{McpState, McpToolStatus, PinOwner};
use utoipa::ToSchema;

use super::accepted::Accepted;
use super::body::McpServerBody;
use super::chosen::ChosenTool;
use super::{FINGERPRINT, check, describe, example, status_of};
use crate::app::App;
use crate::auth::Principal;
use crate::error::{ApiError, ErrorCode};
use crate::json;

/// Accept changed tools
///
/// Accepts the present definitions of the server's changed tools, for all users, so that rules and trust apply to them
/// again. The body is optional. If the server no longer offers the definition whose fingerprint the body has, nothing is
/// accepted.
#[utoipa::path(
    post,
    path = "/api/v1/mcp/{id}/accept",
    operation_id = "accept_mcp_tools",
    tag = "mcp",
    params(("id" = String, Path, description = "The name of the server.")),
    request_body(content = AcceptRequest, example = json!({ "tools": [{
        "name": "tickets__close", "fingerprint": FINGERPRINT,
    }] })),
    responses(
        (status = 200, description = "The definitions are accepted.", body = McpServerBody, example = json!(example())),
        (status = 403, description = "`forbidden`: the key or token lacks admin, or its tenant is not local."),
        (status = 404, description = "`not_found`: there is no such server."),
        (status = 409, description = "`definition_changed`: a tool no longer has the definition with this fingerprint."),
        (status = 503, description = "`unavailable`: the server is not connected, so its tools are not known."),
    ),
)]
pub(super) async fn accept(
    State(app): State<App>,
    principal: Principal,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Json<McpServerBody>, ApiError> {
    check(&principal)?;
    // All fields are optional, and so is the body.
    let AcceptRequest { tools } = if body.is_empty() { AcceptRequest::default() } else { json::read(&body)? };
    let status = status_of(&app, &id)?;
    let McpState::Ready(info) = &status.state else {
        let why = "the server is not connected, so its tools are not known; reconnect it first";
        return Err(ApiError::new(ErrorCode::Unavailable, why));
    };
    let chosen: Vec<&McpToolStatus> = match &tools {
        None => info.tools.iter().collect(),
        Some(chosen) => chosen.iter().map(|tool| tool.among(&info.tools)).collect::<Result<_, _>>()?,
    };
    let accepted = Accepted::read(app.store.as_ref(), &status).await?;
    let pin = |tool: &McpToolStatus| {
        Some(ToolPin { source: id.clone(), tool: tool.name.clone(), fingerprint: tool.fingerprint? })
    };
    let changed: Vec<ToolPin> = chosen.into_iter().filter(|tool| accepted.differs(tool)).filter_map(pin).collect();
    if !changed.is_empty() {
        app.store.accept_definitions(&PinOwner::Everyone, changed, app.clock.now()).await?;
    }
    describe(&app, status).await.map(Json)
}

/// A request to accept changed tools.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct AcceptRequest {
    /// The tools. Without it, all changed tools of the server are accepted.
    tools: Option<Vec<ChosenTool>>,
}
