//! What is changed of a session.

use axum::Json;
use axum::extract::State;
use bytes::Bytes;
use serde_json::{Map, Value};
use turnkit_core::ports::SessionEdit;
use turnkit_core::{SessionId, SessionName};
use utoipa::ToSchema;

use super::fields::{METADATA_BYTES, name, title};
use super::{Session, SessionSchema, shown};
use crate::app::App;
use crate::auth::Principal;
use crate::error::ApiError;
use crate::json::Object;
use crate::routes::extract::Id;

/// Change a session
#[utoipa::path(
    patch,
    path = "/api/v1/sessions/{id}",
    operation_id = "edit_session",
    tag = "sessions",
    params(("id" = uuid::Uuid, Path, description = "The session.")),
    request_body(content = Edit, example = json!({ "title": "Ten days in Lisbon", "name": null })),
    responses((status = 200, description = "The session as it is now.", body = SessionSchema, example = json!(shown()))),
)]
pub(super) async fn edit(
    State(app): State<App>,
    principal: Principal,
    Id(session): Id<SessionId>,
    body: Bytes,
) -> Result<Json<Session>, ApiError> {
    let Edit { title, name, metadata } = Edit::read(&body)?;
    let session = app.sessions.edit(&principal.scope, session, SessionEdit { title, name, metadata }).await?;
    Ok(Json(session.into()))
}

/// What to change. What is left out stays as it is.
#[derive(Debug, ToSchema)]
#[serde(deny_unknown_fields)]
struct Edit {
    /// What it is about.
    #[schema(value_type = Option<String>, max_length = 200)]
    title: Option<Box<str>>,
    /// What the client calls it; `null` takes the name away.
    #[schema(value_type = Option<String>, max_length = 128)]
    name: Option<Option<SessionName>>,
    /// All the metadata, in place of what there was; at most 16 KiB.
    metadata: Option<Map<String, Value>>,
}

impl Edit {
    fn read(body: &[u8]) -> Result<Self, ApiError> {
        let [about, called, metadata] = Object::read(body, ["title", "name", "metadata"])?.only()?;
        Ok(Self {
            title: title(&about)?,
            name: called.is_there().then(|| name(&called)).transpose()?,
            metadata: metadata.optional_map(METADATA_BYTES)?,
        })
    }
}
