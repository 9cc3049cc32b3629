//! Imports a session from a file.

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use turnkit_core::AccessScope;
use turnkit_engine::ImportError;
use utoipa_axum::routes;

use super::{Session, SessionSchema, shown};
use crate::app::App;
use crate::auth::Principal;
use crate::error::{ApiError, ErrorCode};
use crate::guard::Upload;
use crate::routes::scoped::ScopedRouter;

/// Routes whose bodies are not JSON and are read by their handlers.
pub(crate) fn uploads() -> ScopedRouter {
    ScopedRouter::new().routes(AccessScope::Chat, routes!(import))
}

/// Import a session
///
/// Creates a session from an export in JSON Lines, either completely or not at all, with new ids and without its name.
/// Nothing in it is executed. System messages become user context, and summaries are left out.
#[utoipa::path(
    post,
    path = "/api/v1/sessions/import",
    operation_id = "import_session",
    tag = "sessions",
    request_body(
        content = String, content_type = "application/jsonl", description = "The lines of an export.",
        example = json!("{\"type\":\"session\",…}\n{\"type\":\"end\",\"lines\":1}\n"),
    ),
    responses(
        (status = 201, description = "The session.", body = SessionSchema, example = json!(shown())),
        (status = 400, description = "`invalid_json`: the body broke off."),
        (status = 413, description = "`body_too_large`: the message says how much an import may hold."),
        (status = 415, description = "`unsupported_media_type`: send the lines without a content-encoding."),
        (status = 422, description = "`invalid_request`: the message names the line that is wrong."),
    ),
)]
async fn import(
    State(app): State<App>,
    principal: Principal,
    headers: HeaderMap,
    body: Body,
) -> Result<(StatusCode, Json<Session>), ApiError> {
    let mut upload = Upload::of_any_length(&app, &principal, &headers, body)?;
    let limit = app.settings.upload_bytes as u64;
    let made = app.service.import(&principal.scope, upload.content(), limit).await;
    match upload.refusal() {
        Some(refusal) => Err(refusal),
        None => Ok((StatusCode::CREATED, Json(made?.into()))),
    }
}

impl From<ImportError> for ApiError {
    fn from(error: ImportError) -> Self {
        match error {
            ImportError::Invalid { .. } => Self::new(ErrorCode::InvalidRequest, error.to_string()),
            ImportError::TooLarge { .. } => Self::new(ErrorCode::BodyTooLarge, error.to_string()),
            ImportError::Store(error) => error.into(),
        }
    }
}
