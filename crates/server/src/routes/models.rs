//! The models that a turn may name.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use turnkit_core::AccessScope;
use turnkit_core::ports::ModelStatus;
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::extract::Query;
use super::list::{Limit, List, Page};
use super::scoped::ScopedRouter;
use crate::app::App;
use crate::error::ApiError;

pub(super) fn router() -> ScopedRouter {
    ScopedRouter::new().routes(AccessScope::Read, routes!(list))
}

/// A model of a provider. A capability that is not known counts as present.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ModelBody {
    /// The name of the model, for the `model` of a route.
    pub id: String,
    /// The provider that serves the model, for the `provider` of a route.
    pub provider: String,
    /// Whether the model calls tools.
    pub tools: bool,
    /// Whether the model accepts images.
    pub images: bool,
    /// Whether the model can reason before it answers.
    pub reasoning: bool,
    /// The largest size of a request and its answer together, in tokens. Absent if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<u32>,
}

impl From<ModelStatus> for ModelBody {
    fn from(model: ModelStatus) -> Self {
        let ModelStatus { name, provider, tools, images, reasoning, window } = model;
        Self { id: name.0.to_string(), provider: provider.into(), tools, images, reasoning, context: window }
    }
}

/// List models
///
/// The models that the route of a turn may name, by provider in the order of the configuration, the default of each
/// provider first. A provider that lists no models takes any name.
#[utoipa::path(
    get,
    path = "/api/v1/models",
    operation_id = "list_models",
    tag = "providers",
    params(Page),
    responses(
        (status = 200, description = "A page of the list.", body = List<ModelBody>, example = json!({
            "data": [{
                "id": "gpt-5-mini",
                "provider": "main",
                "tools": true,
                "images": true,
                "reasoning": true,
                "context": 400_000,
            }],
            "next": null,
        })),
        (status = 404, description = "`not_found`: the cursor does not belong to this list."),
    ),
)]
async fn list(State(app): State<App>, Query(page): Query<Page>) -> Result<Json<List<ModelBody>>, ApiError> {
    let limit = Limit::read(page.limit.as_deref())?;
    let all = app.providers.as_ref().map(|directory| directory.models()).unwrap_or_default();
    let cursor = |model: &ModelStatus| format!("{}/{}", model.provider, model.name.0);
    limit.list_after(page.cursor.as_deref(), all, cursor).map(Json)
}
