//! The caller of a request.

use axum::Json;
use serde::{Deserialize, Serialize};
use turnkit_core::{AccessScope, KeyId};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::scoped::ScopedRouter;
use crate::auth::Principal;

pub(super) fn router() -> ScopedRouter {
    ScopedRouter::new().routes(AccessScope::Read, routes!(show))
}

/// A caller, and what it may do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CallerBody {
    /// The user whose data the caller reads and writes.
    pub user: String,
    /// The tenant of the user.
    pub tenant: String,
    /// The API key that the caller sent. Absent for tokens, for the operator, and if no key is required.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<CallerKeyBody>,
    /// The kinds of requests that the caller may send: `chat`, `read`, `decide`, `admin`, `metrics`.
    pub scopes: Vec<String>,
    /// The agents with which the caller may start turns. Absent if all are permitted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<String>,
    /// Whether the caller may read the turns and the usage of other users of its tenant.
    pub oversees: bool,
    /// Whether the caller may see and change what all tenants share: providers and MCP servers.
    pub operator: bool,
}

/// The API key of a caller, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CallerKeyBody {
    /// The id of the key.
    #[schema(value_type = uuid::Uuid)]
    pub id: KeyId,
    /// The name that its owner gave the key.
    pub name: String,
}

/// Show the caller
///
/// The user of the key or token of the request, and what it permits: for pages that offer only what will succeed.
#[utoipa::path(
    get,
    path = "/api/v1/me",
    operation_id = "get_caller",
    tag = "keys",
    responses((status = 200, description = "The caller.", body = CallerBody, example = json!({
        "user": "ada",
        "tenant": "local",
        "key": { "id": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01", "name": "laptop" },
        "scopes": ["chat", "read", "decide"],
        "agents": ["support"],
        "oversees": false,
        "operator": false,
    }))),
)]
async fn show(principal: Principal) -> Json<CallerBody> {
    let Principal { scope, access, oversees, key, .. } = &principal;
    // Without keys, the local user reads the state of what is shared, but changing it takes the scope `admin`.
    let operator = principal.administers_shared() && access.permits(AccessScope::Admin);
    Json(CallerBody {
        user: scope.user.0.to_string(),
        tenant: scope.tenant.0.to_string(),
        key: key.as_ref().map(|key| CallerKeyBody { id: key.id, name: key.name.to_string() }),
        scopes: AccessScope::ALL
            .into_iter()
            .filter(|kind| access.permits(*kind))
            .map(|kind| kind.to_string())
            .collect(),
        agents: access.agents().iter().map(ToString::to_string).collect(),
        oversees: *oversees,
        operator,
    })
}
