//! Routes that upload and download users' files.

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use turnkit_core::ports::OpenBlob;
use turnkit_core::{AccessScope, Blob, BlobId, NewBlob};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::routes;

use super::extract::{Id, Query};
use super::scoped::ScopedRouter;
use crate::app::App;
use crate::auth::Principal;
use crate::error::ApiError;
use crate::guard::{self, Upload};

/// The longest name of a file, in bytes.
const NAME_BYTES: usize = 255;
/// The name of a file if its client provides none.
const NAMELESS: &str = "file";

pub(crate) fn router() -> ScopedRouter {
    ScopedRouter::new().routes(AccessScope::Read, routes!(download))
}

/// Routes whose bodies are not JSON and are read by their handlers.
pub(crate) fn uploads() -> ScopedRouter {
    ScopedRouter::new().routes(AccessScope::Chat, routes!(upload))
}

/// An uploaded file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FileBody {
    /// The id of the file.
    #[schema(value_type = uuid::Uuid)]
    pub id: BlobId,
    /// The media type, detected from the content alone: `text/plain` for all UTF-8 text. The name and the headers are
    /// ignored.
    pub media_type: String,
    /// The size of the file, in bytes.
    pub bytes: u64,
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ListParams {
    /// The name of the file as shown to the model, at most 255 bytes.
    #[param(max_length = 255, default = "file")]
    name: Option<String>,
}

/// Upload a file
///
/// The body is the content of the file. A turn refers to the file by its id. A file that no turn refers to is removed
/// after a day.
#[utoipa::path(
    post,
    path = "/api/v1/files",
    operation_id = "upload_file",
    tag = "files",
    params(ListParams),
    request_body(
        content = String, content_type = "application/octet-stream", description = "The file, of any type.",
        example = json!("Once upon a time"),
    ),
    responses(
        (status = 201, description = "The file was stored.", body = FileBody, example = json!({
            "id": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a04", "media_type": "text/plain", "bytes": 16,
        })),
        (status = 400, description = "`invalid_json`: the body broke off."),
        (status = 413, description = "`body_too_large`: the message says how large a file may be."),
        (status = 415, description = "`unsupported_media_type`: send the file without a content-encoding."),
    ),
)]
async fn upload(
    State(app): State<App>,
    principal: Principal,
    Query(params): Query<ListParams>,
    headers: HeaderMap,
    body: Body,
) -> Result<(StatusCode, Json<FileBody>), ApiError> {
    let name = params.name.as_deref().unwrap_or(NAMELESS);
    check_name(name)?;
    let mut upload = Upload::begin(&app, &principal, &headers, body)?;
    let at = app.clock.now();
    let new = NewBlob { id: app.ids.blob(at), name: name.into(), at };
    let stored = app.store.put(&principal.scope, new, upload.content()).await;
    let Blob { id, media_type, bytes, .. } = match upload.refusal() {
        Some(refusal) => return Err(refusal),
        None => stored?,
    };
    Ok((StatusCode::CREATED, Json(FileBody { id, media_type: media_type.into(), bytes })))
}

/// Read a file
///
/// Only the owner of a file can read it. Browsers save the file instead of displaying it.
#[utoipa::path(
    get,
    path = "/api/v1/blobs/{id}",
    operation_id = "read_file",
    tag = "files",
    params(("id" = uuid::Uuid, Path, description = "The file.")),
    responses((
        status = 200, description = "The file, as it was uploaded.", body = String,
        content_type = "application/octet-stream", example = json!("Once upon a time"),
    )),
)]
async fn download(State(app): State<App>, principal: Principal, Id(blob): Id<BlobId>) -> Result<Response, ApiError> {
    let OpenBlob { blob, content } = app.store.open(&principal.scope, blob).await?;
    let name = utf8_percent_encode(&blob.name, NON_ALPHANUMERIC);
    let text = |text: String| HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static(""));
    let headers = [
        (header::CONTENT_TYPE, text(blob.media_type.into())),
        (header::CONTENT_LENGTH, HeaderValue::from(blob.bytes)),
        (header::CONTENT_DISPOSITION, text(format!("attachment; filename*=UTF-8''{name}"))),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=31536000, immutable")),
    ];
    Ok((headers, guard::download(&app, principal, content)).into_response())
}

fn check_name(name: &str) -> Result<(), ApiError> {
    let why = if name.trim().is_empty() {
        "must not be empty"
    } else if name.len() > NAME_BYTES {
        "must be at most 255 bytes"
    } else if name.chars().any(char::is_control) {
        "contains a control character"
    } else {
        return Ok(());
    };
    Err(ApiError::field("name", why))
}
