//! The caller of a request.

use axum::Json;
use serde::{Deserialize, Serialize};
use turnkit_core::AccessScope;
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
    /// The user whose data the caller reads and changes.
    pub user: String,
    /// The tenant of the user.
    pub tenant: String,
    /// The scopes of the caller's key or token.
    pub scopes: Vec<String>,
    /// Whether the caller may also read the turns and the usage of other users of the tenant.
    pub oversees: bool,
    /// Whether the caller may see and change what all tenants share: providers and MCP servers.
    pub operator: bool,
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
        "scopes": ["chat", "read", "decide"],
        "oversees": false,
        "operator": false,
    }))),
)]
async fn show(principal: Principal) -> Json<CallerBody> {
    let scopes = principal.access.names().collect();
    // Without keys, the local user reads the state of what is shared, but changing it takes the scope `admin`.
    let operator = principal.administers_shared() && principal.access.permits(AccessScope::Admin);
    let Principal { scope, oversees, .. } = principal;
    Json(CallerBody { user: scope.user.0.to_string(), tenant: scope.tenant.0.to_string(), scopes, oversees, operator })
}
