//! Exports a session as a file.

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use futures_util::TryStreamExt as _;
use serde::Deserialize;
use turnkit_core::SessionId;
use turnkit_engine::{ExportFormat, UnknownFormat};
use utoipa::IntoParams;

use crate::app::App;
use crate::auth::Principal;
use crate::error::ApiError;
use crate::guard;
use crate::routes::extract::{Id, Query};

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ExportParams {
    /// `jsonl`: all branches with their files, in a form that can be imported. `md`: the messages on the branch of the
    /// head, as Markdown for people. `json`: the messages of that branch that a model receives, as one object, in which
    /// each call is followed by its result, and the text of a round comes after its calls.
    #[param(default = "jsonl")]
    format: Option<String>,
}

/// Export a session
///
/// Leaves out turns that have not ended, and opaque data of vendors. JSON Lines end with a line of the `type` `end`,
/// whose `lines` is the number of lines before it. Without that line, the export is incomplete.
#[utoipa::path(
    get,
    path = "/api/v1/sessions/{id}/export",
    operation_id = "export_session",
    tag = "sessions",
    params(("id" = uuid::Uuid, Path, description = "The session."), ExportParams),
    responses((
        status = 200, description = "The export.",
        content(
            (String = "application/jsonl", example = json!("{\"type\":\"session\",…}\n{\"type\":\"end\",\"lines\":1}\n")),
            (String = "text/markdown", example = json!("# A week in Lisbon\n")),
            (String = "application/json", example = json!("{\"id\":\"…\",\"flow\":\"assistant\",\"messages\":[],…}\n")),
        ),
    )),
)]
pub(super) async fn export(
    State(app): State<App>,
    principal: Principal,
    Id(session): Id<SessionId>,
    Query(params): Query<ExportParams>,
) -> Result<Response, ApiError> {
    let format = params.format.map_or(Ok(ExportFormat::JsonLines), |format| format.parse());
    let format = format.map_err(|error: UnknownFormat| ApiError::field("format", error))?;
    let content = app.service.export(&principal.scope, session, format).await?;
    let media_type = match format {
        ExportFormat::JsonLines => "application/jsonl",
        ExportFormat::Markdown => "text/markdown; charset=utf-8",
        ExportFormat::Json => "application/json",
    };
    let name = HeaderValue::try_from(format!("attachment; filename=\"session-{session}.{}\"", format.as_str()));
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(media_type)),
        (header::CONTENT_DISPOSITION, name.unwrap_or(HeaderValue::from_static("attachment"))),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    let content = content.inspect_err(|error| tracing::warn!(%error, "an export broke off"));
    Ok((headers, guard::download(&app, principal, content)).into_response())
}
