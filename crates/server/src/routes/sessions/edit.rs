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
use crate::json::{Field, Object};
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
    let session = app.store.edit(&principal.scope, session, SessionEdit { title, name, metadata }).await?;
    Ok(Json(session.into()))
}

/// What to change. A field that is left out stays as it is, one that is `null` is cleared.
#[derive(Debug, ToSchema)]
#[serde(deny_unknown_fields)]
struct Edit {
    /// What it is about; `null` clears it.
    #[schema(value_type = Option<String>, max_length = 200)]
    title: Option<Box<str>>,
    /// What the client calls it; `null` clears it.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 128)]
    name: Option<Option<SessionName>>,
    /// All the metadata, in place of what there was; at most 16 KiB. `null` clears them.
    metadata: Option<Map<String, Value>>,
}

impl Edit {
    fn read(body: &[u8]) -> Result<Self, ApiError> {
        let [about, called, metadata] = Object::read(body, ["title", "name", "metadata"])?.only()?;
        Ok(Self {
            title: edited(&about, title)?.map(Option::unwrap_or_default),
            name: edited(&called, name)?,
            metadata: edited(&metadata, |field| field.optional_map(METADATA_BYTES))?.map(Option::unwrap_or_default),
        })
    }
}

/// The value of a field that is there: `None` within it if it is `null`.
fn edited<T>(
    field: &Field<'_>,
    read: impl FnOnce(&Field<'_>) -> Result<Option<T>, ApiError>,
) -> Result<Option<Option<T>>, ApiError> {
    field.is_there().then(|| read(field)).transpose()
}
