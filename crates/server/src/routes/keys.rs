//! Routes that manage API keys, for the operator and for callers with the scope `admin`.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use turnkit_core::ports::{ApiKey, Clock, IdSource};
use turnkit_core::{AccessScope, AccessScopes, KeyId, Scope, Timestamp};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::extract::{Id, Query};
use super::list::{Limit, List, Page};
use super::scoped::ScopedRouter;
use crate::app::App;
use crate::auth::{Principal, Secret};
use crate::error::{ApiError, ErrorCode};
use crate::json;

/// The longest name of a key or a user, in bytes.
const NAME_BYTES: usize = 128;

pub(super) fn router() -> ScopedRouter {
    ScopedRouter::new().routes(AccessScope::Admin, routes!(list, create)).routes(AccessScope::Admin, routes!(revoke))
}

/// A request for a new key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewKey {
    /// The name of the key.
    #[schema(min_length = 1, max_length = 128)]
    pub name: String,
    /// The user whose data the key may access. Without it, the creator: the user `local` for the operator.
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
    /// Generates a key of the creator's tenant, and of the creator if the request names no user. Returns the key as it
    /// is stored, and the response that shows it this one time.
    ///
    /// # Errors
    /// A name is empty, too long or contains a control character, or a scope is unknown.
    pub fn generate(
        self,
        creator: &Scope,
        clock: &dyn Clock,
        ids: &dyn IdSource,
    ) -> Result<(ApiKey, CreatedKey), ApiError> {
        let Self { name, user, scopes } = self;
        let user = user.unwrap_or_else(|| creator.user.0.to_string());
        check_name("name", &name)?;
        check_name("user", &user)?;
        let access = AccessScopes::parse(scopes.iter().map(String::as_str));
        let access = access.map_err(|error| ApiError::field("scopes", error))?;
        let (now, secret) = (clock.now(), Secret::random());
        let key = ApiKey {
            id: KeyId(ids.uuid(now)),
            name: name.as_str().into(),
            scope: Scope::new(Arc::clone(&creator.tenant.0), user.as_str()),
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
/// The keys of the caller's tenant, newest first; the operator sees those of all tenants. Revoked keys are included; the
/// secrets of keys are not.
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
        (status = 404, description = "`not_found`: the cursor does not belong to this list."),
    ),
)]
async fn list(
    State(app): State<App>,
    principal: Principal,
    Query(page): Query<Page>,
) -> Result<Json<List<KeyBody>>, ApiError> {
    let limit = Limit::read(page.limit.as_deref())?;
    let mut keys = app.store.keys().await?;
    keys.retain(|key| administers(&principal, key));
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
/// The key belongs to the caller's tenant. It is valid at once, and shown only this one time.
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
        (status = 403, description = "`forbidden`: the key or token lacks the scope admin, or the new key would have the \
                                      scope metrics or an agent that it lacks itself, or would be of the user local."),
    ),
)]
async fn create(
    State(app): State<App>,
    principal: Principal,
    body: Bytes,
) -> Result<(StatusCode, Json<CreatedKey>), ApiError> {
    let new = json::read::<NewKey>(&body)?;
    let (key, made) = new.generate(&principal.scope, app.clock.as_ref(), app.ids.as_ref())?;
    check_user(&principal, &key)?;
    check_grant(&principal.access, &key.access)?;
    // The key becomes valid before it is stored, when no client knows it yet. Once stored, it may be revoked, and a
    // revoked key must not become valid afterwards.
    app.authentication.keyring().add(&key);
    if let Err(error) = app.store.add_key(key.clone()).await {
        app.authentication.keyring().remove(key.id);
        return Err(error.into());
    }
    // The key outlives a token that created it, so the log tells afterwards who did.
    let Scope { tenant, user } = &principal.scope;
    tracing::info!(tenant = &*tenant.0, creator = &*user.0, key = %key.id, "a key was created");
    Ok((StatusCode::CREATED, Json(made)))
}

/// Revoke a key
///
/// The key becomes invalid at once and permanently; its open streams end.
#[utoipa::path(
    delete,
    path = "/api/v1/keys/{id}",
    operation_id = "revoke_key",
    tag = "keys",
    params(("id" = uuid::Uuid, Path, description = "The key.")),
    responses((status = 204, description = "The key was revoked.")),
)]
async fn revoke(State(app): State<App>, principal: Principal, Id(id): Id<KeyId>) -> Result<StatusCode, ApiError> {
    if !principal.operator && !app.store.keys().await?.iter().any(|key| key.id == id && administers(&principal, key)) {
        return Err(ApiError::not_found());
    }
    // The keyring comes first: if the storage fails, the key is rejected all the same, and the caller can retry.
    app.authentication.keyring().remove(id);
    app.store.revoke_key(id, app.clock.now()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Reports whether the principal may see and revoke the key.
fn administers(principal: &Principal, key: &ApiKey) -> bool {
    principal.operator || key.scope.tenant == principal.scope.tenant
}

/// Checks that only the operator creates keys of the user at this machine's terminal.
fn check_user(creator: &Principal, new: &ApiKey) -> Result<(), ApiError> {
    if creator.operator || new.scope != Scope::local() {
        return Ok(());
    }
    let message = "user: only the operator of the server may create keys of the user `local`; name another user";
    Err(ApiError::new(ErrorCode::Forbidden, message))
}

/// Checks that a key does not give its creator access to other tenants or agents. All else belongs to the tenant that
/// the creator administers.
fn check_grant(own: &AccessScopes, new: &AccessScopes) -> Result<(), ApiError> {
    let metrics = new.permits(AccessScope::Metrics) && !own.permits(AccessScope::Metrics);
    let restricted = !own.agents().is_empty();
    let agents = restricted && (new.agents().is_empty() || new.agents().iter().any(|agent| !own.permits_agent(agent)));
    if metrics || agents {
        let message = "scopes: the new key would permit more than its creator; leave out what the creator lacks";
        return Err(ApiError::new(ErrorCode::Forbidden, message));
    }
    Ok(())
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
