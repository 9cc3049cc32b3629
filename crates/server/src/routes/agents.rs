//! The agents with which a caller may start turns.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use turnkit_core::AccessScope;
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::extract::Query;
use super::list::{Limit, List, Page};
use super::scoped::ScopedRouter;
use crate::app::App;
use crate::auth::Principal;
use crate::error::ApiError;

pub(super) fn router() -> ScopedRouter {
    ScopedRouter::new().routes(AccessScope::Read, routes!(list))
}

/// An agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AgentBody {
    /// The name of the agent.
    pub name: String,
    /// What the agent is good for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The model that answers unless a turn names another one. Absent: the default of its provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The names of its tools. Those of MCP servers that were not needed so far are missing. Absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<String>,
}

/// List agents
///
/// The agents with which the caller may start turns, in the order of the configuration. The first answers unless a
/// request names another one. No MCP server is started.
#[utoipa::path(
    get,
    path = "/api/v1/agents",
    operation_id = "list_agents",
    tag = "turns",
    params(Page),
    responses(
        (status = 200, description = "A page of the list.", body = List<AgentBody>, example = json!({
            "data": [{
                "name": "support",
                "description": "Answers questions about orders.",
                "model": "gpt-5-mini",
                "tools": ["calculator", "tickets__find"],
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
) -> Result<Json<List<AgentBody>>, ApiError> {
    let limit = Limit::read(page.limit.as_deref())?;
    let permitted = app.service.agents().iter().filter(|agent| principal.access.permits_agent(&agent.name));
    let rows: Vec<AgentBody> = permitted
        .map(|agent| AgentBody {
            name: agent.name.clone(),
            description: app.settings.agent_purposes.get(&agent.name).filter(|text| !text.is_empty()).cloned(),
            model: agent.settings.model.as_ref().map(|model| model.0.to_string()),
            tools: agent.listed_tools(&principal.scope).into_iter().map(|tool| tool.name).collect(),
        })
        .collect();
    limit.list_after(page.cursor.as_deref(), rows, |agent| agent.name.clone()).map(Json)
}
