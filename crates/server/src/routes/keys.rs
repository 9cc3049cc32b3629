//! Routes that manage API keys, for the operator.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use turnkit_core::ports::{ApiKey, Clock, IdSource};
use turnkit_core::{AccessScopes, KeyId, Scope, Timestamp};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{Id, Query};
use super::list::{Limit, List, Page};
use crate::app::App;
use crate::auth::{Operator, Secret};
use crate::error::ApiError;
use crate::json;

/// The longest name of a key or a user, in bytes.
const NAME_BYTES: usize = 128;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list, create)).routes(routes!(revoke))
}

/// A request for a new key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewKey {
    /// The name of the key.
    #[schema(min_length = 1, max_length = 128)]
    pub name: String,
    /// The user whose data the key may access. Without it, the local user at the server's terminal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 128)]
    pub user: Option<String>,
    /// The requests that the key permits: `chat`, `read`, `decide`, `admin`, `metrics`, and `agent:NAME` for each agent
    /// if not all are permitted. Without any of the first five: `chat`, `read` and `decide`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(example = json!(["read", "agent:support"]))]
    pub scopes: Vec<String>,
}

impl NewKey {
    /// Generates a key. Returns the key as it is stored, and the response that shows it this one time.
    ///
    /// # Errors
    /// A name is empty, too long or contains a control character, or a scope is unknown.
    pub fn generate(self, clock: &dyn Clock, ids: &dyn IdSource) -> Result<(ApiKey, CreatedKey), ApiError> {
        let local = Scope::local();
        let Self { name, user, scopes } = self;
        let user = user.unwrap_or_else(|| local.user.0.to_string());
        check_name("name", &name)?;
        check_name("user", &user)?;
        let access = AccessScopes::parse(scopes.iter().map(String::as_str));
        let access = access.map_err(|error| ApiError::field("scopes", error))?;
        let (now, secret) = (clock.now(), Secret::random());
        let key = ApiKey {
            id: KeyId(ids.uuid(now)),
            name: name.as_str().into(),
            scope: Scope::new(local.tenant.0, user.as_str()),
            access,
            sha256: secret.sha256(),
            created_at: now,
            revoked_at: None,
        };
        let (id, scopes) = (key.id.to_string(), key.access.names().collect());
        let made = CreatedKey { id, name, user, scopes, key: secret.reveal().to_owned() };
        Ok((key, made))
    }
}

/// A new key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CreatedKey {
    /// The public id of the key.
    pub id: String,
    /// The name of the key.
    pub name: String,
    /// The user whose data the key may access.
    pub user: String,
    /// The requests that the key permits.
    pub scopes: Vec<String>,
    /// The key itself. It is shown only this one time.
    pub key: String,
}

/// A key without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = KeyView)]
pub struct KeyBody {
    /// The public id of the key.
    pub id: String,
    /// The name of the key.
    pub name: String,
    /// The user whose data the key may access.
    pub user: String,
    /// The requests that the key permits.
    pub scopes: Vec<String>,
    /// When the key was created.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When the key was revoked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub revoked_at: Option<Timestamp>,
}

impl From<ApiKey> for KeyBody {
    fn from(key: ApiKey) -> Self {
        Self {
            id: key.id.to_string(),
            name: key.name.into(),
            user: key.scope.user.0.to_string(),
            scopes: key.access.names().collect(),
            created_at: key.created_at,
            revoked_at: key.revoked_at,
        }
    }
}

/// List keys
///
/// For the operator. Newest first. Revoked keys are included; the secrets of keys are not.
#[utoipa::path(
    get,
    path = "/api/v1/keys",
    operation_id = "list_keys",
    tag = "keys",
    params(Page),
    responses(
        (status = 200, description = "A page of the list.", body = List<KeyBody>, example = json!({
            "data": [{
                "id": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a03",
                "name": "laptop",
                "user": "ada",
                "scopes": ["chat", "read", "decide"],
                "created_at": "2026-01-01T12:00:00.000Z",
            }],
            "next": null,
        })),
        (status = 403, description = "`forbidden`: only the operator may do this."),
        (status = 404, description = "`not_found`: the cursor does not belong to this list."),
    ),
)]
async fn list(State(app): State<App>, _: Operator, Query(page): Query<Page>) -> Result<Json<List<KeyBody>>, ApiError> {
    let limit = Limit::read(page.limit.as_deref())?;
    let mut keys = app.store.keys().await?;
    if let Some(cursor) = page.cursor {
        let id: KeyId = cursor.parse().map_err(|_| ApiError::not_found())?;
        let place = keys.iter().position(|key| key.id == id).ok_or_else(ApiError::not_found)?;
        keys.truncate(place);
    }
    let rows = keys.into_iter().rev().take(limit.rows() as usize).collect();
    Ok(Json(limit.list(rows, |key: &ApiKey| key.id.to_string())))
}

/// Create a key
///
/// For the operator. The key is valid at once, and shown only this one time.
#[utoipa::path(
    post,
    path = "/api/v1/keys",
    operation_id = "create_key",
    tag = "keys",
    request_body(content = NewKey, example = json!({
        "name": "laptop", "user": "ada", "scopes": ["read", "agent:support"],
    })),
    responses(
        (status = 201, description = "The key.", body = CreatedKey, example = json!({
            "id": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a03",
            "name": "laptop",
            "user": "ada",
            "scopes": ["read", "agent:support"],
            "key": "tk_…",
        })),
        (status = 403, description = "`forbidden`: only the operator may do this."),
    ),
)]
async fn create(State(app): State<App>, _: Operator, body: Bytes) -> Result<(StatusCode, Json<CreatedKey>), ApiError> {
    let (key, made) = json::read::<NewKey>(&body)?.generate(app.clock.as_ref(), app.ids.as_ref())?;
    // The key becomes valid before it is stored, when no client knows it yet. Once stored, it may be revoked, and a
    // revoked key must not become valid afterwards.
    app.authentication.keyring().add(&key);
    if let Err(error) = app.store.add_key(key.clone()).await {
        app.authentication.keyring().remove(key.id);
        return Err(error.into());
    }
    Ok((StatusCode::CREATED, Json(made)))
}

/// Revoke a key
///
/// For the operator. The key becomes invalid at once and permanently; its open streams end.
#[utoipa::path(
    delete,
    path = "/api/v1/keys/{id}",
    operation_id = "revoke_key",
    tag = "keys",
    params(("id" = uuid::Uuid, Path, description = "The key.")),
    responses(
        (status = 204, description = "The key was revoked."),
        (status = 403, description = "`forbidden`: only the operator may do this."),
    ),
)]
async fn revoke(State(app): State<App>, _: Operator, Id(id): Id<KeyId>) -> Result<StatusCode, ApiError> {
    // The keyring comes first: if the storage fails, the key is rejected all the same, and the caller can retry.
    app.authentication.keyring().remove(id);
    app.store.revoke_key(id, app.clock.now()).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn check_name(field: &str, name: &str) -> Result<(), ApiError> {
    let why = if name.is_empty() {
        "must not be empty"
    } else if name.len() > NAME_BYTES {
        "must be at most 128 bytes"
    } else if name.chars().any(char::is_control) {
        "contains a control character"
    } else {
        return Ok(());
    };
    Err(ApiError::field(field, why))
}
