//! The configured providers and their status.

use axum::Json;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use turnkit_core::ports::{Freeze, MissingModel, ProviderStatus};
use turnkit_core::{AccessScope, Timestamp};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::extract::Query;
use super::list::{Limit, List, Page};
use super::scoped::ScopedRouter;
use crate::app::App;
use crate::auth::Principal;
use crate::error::{ApiError, ErrorCode};

pub(super) fn router() -> ScopedRouter {
    ScopedRouter::new().routes(AccessScope::Read, routes!(list)).routes(AccessScope::Admin, routes!(thaw))
}

/// A provider: the names that a route may use, and for the operator its status.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProviderBody {
    /// The name of the provider.
    pub id: String,
    /// The models it serves, with its default first.
    pub models: Vec<String>,
    /// The tags that routes may require.
    pub tags: Vec<String>,
    /// The status of the provider; absent for a user's key.
    #[serde(flatten)]
    #[schema(value_type = ProviderStatusBody)]
    pub status: Option<ProviderStatusBody>,
}

/// The load and the health of a provider, which are not visible to a user's key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProviderStatusBody {
    /// `ready`, or `frozen`: receives no calls after a failure.
    #[schema(required = false)]
    pub state: String,
    /// The number of running calls.
    #[schema(required = false)]
    pub running: usize,
    /// The number of calls that wait for the provider.
    #[schema(required = false)]
    pub waiting: usize,
    /// The largest number of calls that may run at once. Absent if there is no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_concurrency: Option<usize>,
    /// The number of calls since the server started.
    #[schema(required = false)]
    pub calls: u64,
    /// The number of these calls that failed.
    #[schema(required = false)]
    pub failures: u64,
    /// Why the provider is frozen, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frozen: Option<FreezeBody>,
    /// The configured models that the provider was found not to have. Absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<MissingBody>,
}

/// A configured model that its provider was found not to have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MissingBody {
    /// The name of the model, as sent to the provider.
    pub model: String,
    /// When the model will be requested again. Until then, other models are used instead, unless an operator thaws the
    /// provider.
    #[schema(value_type = String, format = DateTime)]
    pub until: Timestamp,
}

/// The reason why a provider is frozen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FreezeBody {
    /// The code of its failure, such as `provider_rate_limited`.
    pub code: String,
    /// The provider's own error message, for people. It may quote a request.
    pub message: String,
    /// When the freeze began.
    #[schema(value_type = String, format = DateTime)]
    pub since: Timestamp,
    /// When a single call will try the provider again. Absent if it stays frozen until an operator thaws it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub until: Option<Timestamp>,
    /// The number of consecutive freezes.
    pub failures: u32,
}

impl From<ProviderStatus> for ProviderBody {
    fn from(status: ProviderStatus) -> Self {
        let ProviderStatus { id, models, tags, frozen, missing, running, waiting, max_concurrency, calls, failures } =
            status;
        let status = ProviderStatusBody {
            state: if frozen.is_some() { "frozen" } else { "ready" }.to_owned(),
            running,
            waiting,
            max_concurrency,
            calls,
            failures,
            frozen: frozen.map(FreezeBody::from),
            missing: missing.into_iter().map(MissingBody::from).collect(),
        };
        Self {
            id: id.into(),
            models: models.iter().map(|model| model.0.to_string()).collect(),
            tags: tags.into_iter().map(Into::into).collect(),
            status: Some(status),
        }
    }
}

impl From<MissingModel> for MissingBody {
    fn from(missing: MissingModel) -> Self {
        Self { model: missing.model.0.to_string(), until: missing.until }
    }
}

impl From<Freeze> for FreezeBody {
    fn from(frozen: Freeze) -> Self {
        let Freeze { kind, message, since, until, failures } = frozen;
        Self { code: kind.code().to_owned(), message, since, until, failures }
    }
}

/// List providers
///
/// In the order of the configuration. With a user's key, the list contains only the fields that a route may name: `id`,
/// `models` and `tags`. The operator, administrators of the tenant `local`, and every caller if no key is required also
/// see the load of each provider and why it is frozen.
#[utoipa::path(
    get,
    path = "/api/v1/providers",
    operation_id = "list_providers",
    tag = "providers",
    params(Page),
    responses(
        (status = 200, description = "A page of the list.", body = List<ProviderBody>, example = json!({
            "data": [{
                "id": "main",
                "state": "frozen",
                "models": ["gpt-5-mini"],
                "tags": ["fast"],
                "running": 0,
                "waiting": 0,
                "max_concurrency": 64,
                "calls": 12,
                "failures": 1,
                "frozen": {
                    "code": "provider_rate_limited",
                    "message": "main: the provider limits the rate of requests (HTTP 429)",
                    "since": "2026-01-01T12:00:00.000Z",
                    "until": "2026-01-01T12:01:00.000Z",
                    "failures": 1,
                },
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
) -> Result<Json<List<ProviderBody>>, ApiError> {
    let limit = Limit::read(page.limit.as_deref())?;
    let all = app.providers.as_ref().map(|directory| directory.providers()).unwrap_or_default();
    let cursor = |status: &ProviderStatus| status.id.to_string();
    let mut list: List<ProviderBody> = limit.list_after(page.cursor.as_deref(), all, cursor)?;
    if !principal.administers_shared() {
        list.data.iter_mut().for_each(|provider| provider.status = None);
    }
    Ok(Json(list))
}

/// Thaw a provider
///
/// Clears the record of the models that it was found not to have and of the capabilities that its
/// models were found to lack, and requests one word from it. If it responds, its freeze ends.
#[utoipa::path(
    post,
    path = "/api/v1/providers/{id}/thaw",
    operation_id = "thaw_provider",
    tag = "providers",
    params(("id" = String, Path, description = "The provider.")),
    responses(
        (status = 200, description = "The provider responds; its freeze ended.", body = ProviderBody, example = json!({
            "id": "main",
            "state": "ready",
            "models": ["gpt-5-mini"],
            "tags": [],
            "running": 0,
            "waiting": 0,
            "calls": 12,
            "failures": 1,
        })),
        (status = 403, description = "`forbidden`: the key or token lacks admin, or its tenant is not local."),
        (status = 404, description = "`not_found`: there is no such provider."),
        (status = 503, description = "`unavailable`: the provider still fails; the message says why."),
    ),
)]
async fn thaw(
    State(app): State<App>,
    principal: Principal,
    Path(id): Path<String>,
) -> Result<Json<ProviderBody>, ApiError> {
    if !principal.administers_shared() {
        let message = "all tenants share the providers: only an administrator of the tenant `local` may thaw them";
        return Err(ApiError::new(ErrorCode::Forbidden, message));
    }
    let directory = app.providers.as_ref().ok_or_else(ApiError::not_found)?;
    let thawed = directory.thaw(&id).await.ok_or_else(ApiError::not_found)?;
    thawed.map_err(|error| ApiError::new(ErrorCode::Unavailable, error.message))?;
    let status = directory.providers().into_iter().find(|status| status.id == *id);
    status.map(|status| Json(status.into())).ok_or_else(ApiError::not_found)
}
