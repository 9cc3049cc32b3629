//! The tools of agents, with the decision about their calls.

use std::collections::BTreeSet;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use turnkit_core::{AccessScope, ToolFlags};
use turnkit_engine::permission::Decision;
use turnkit_engine::{Agent, ListedTool, ToolOrigin};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::routes;

use super::extract::Query;
use super::list::{Limit, List};
use super::scoped::ScopedRouter;
use crate::app::App;
use crate::auth::Principal;
use crate::error::ApiError;
use crate::permitted_agent;
use crate::settings::ToolProvider;

pub(super) fn router() -> ScopedRouter {
    ScopedRouter::new().routes(AccessScope::Read, routes!(list))
}

/// A tool that agents may call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ListedToolBody {
    /// The name of the tool.
    pub name: String,
    /// The description that models read.
    pub description: String,
    /// The effects of a call.
    pub effects: ToolEffectsBody,
    /// What provides the tool: `built-in`, `configuration` (a section of `turnkit.toml`), `mcp` or `host` (the program
    /// that embeds the server).
    pub source: String,
    /// The MCP server, or another source of the host, that provides the tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// What happens to a call whose subject no rule names, if there are neither grants nor untrusted text: `allow`,
    /// `notify`, `ask` or `deny`. Of the first agent in `agents`.
    pub policy: String,
    /// The agents that may call the tool, the default of the caller first.
    pub agents: Vec<String>,
}

/// The effects of a tool's calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ToolEffectsBody {
    /// A call changes nothing.
    pub read_only: bool,
    /// A second run of the same call changes nothing more.
    pub idempotent: bool,
    /// A call may destroy data.
    pub destructive: bool,
    /// A call reaches other systems.
    pub open_world: bool,
}

impl From<ToolFlags> for ToolEffectsBody {
    fn from(flags: ToolFlags) -> Self {
        let ToolFlags { read_only, idempotent, destructive, open_world, .. } = flags;
        Self { read_only, idempotent, destructive, open_world }
    }
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ListParams {
    /// Only tools of this agent, with its decisions.
    agent: Option<String>,
    /// The largest number of items to return, up to 200.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200, default = 50)]
    limit: Option<String>,
    /// The `next` of the previous page.
    cursor: Option<String>,
}

/// List tools
///
/// The tools of the agents with which the caller may start turns: those of the first agent, then those that other
/// agents add. Tools of an MCP server that was not needed so far are missing; no server is started.
#[utoipa::path(
    get,
    path = "/api/v1/tools",
    operation_id = "list_tools",
    tag = "turns",
    params(ListParams),
    responses(
        (status = 200, description = "A page of the list.", body = List<ListedToolBody>, example = json!({
            "data": [{
                "name": "tickets__find",
                "description": "Finds tickets by their words.",
                "effects": { "read_only": true, "idempotent": true, "destructive": false, "open_world": true },
                "source": "mcp",
                "server": "tickets",
                "policy": "ask",
                "agents": ["support"],
            }],
            "next": null,
        })),
        (status = 403, description = "`forbidden`: the key or token lacks the scope read, or a scope for the agent."),
        (status = 404, description = "`not_found`: there is no such agent, or the cursor does not belong to this list."),
    ),
)]
async fn list(
    State(app): State<App>,
    principal: Principal,
    Query(params): Query<ListParams>,
) -> Result<Json<List<ListedToolBody>>, ApiError> {
    let limit = Limit::read(params.limit.as_deref())?;
    let agent = params.agent.map(|agent| permitted_agent::choose(&app, &principal, Some(agent))).transpose()?;
    let is_listed = |listed: &&Agent| match &agent {
        Some(name) => listed.name == *name,
        None => principal.access.permits_agent(&listed.name),
    };
    let servers = server_names(&app);
    let mut rows: Vec<ListedToolBody> = Vec::new();
    for agent in app.service.agents().iter().filter(is_listed) {
        for tool in agent.listed_tools(&principal.scope) {
            match rows.iter_mut().find(|row| row.name == tool.name) {
                Some(row) => row.agents.push(agent.name.clone()),
                None => rows.push(shown(tool, &agent.name, &servers, &app)),
            }
        }
    }
    limit.list_after(params.cursor.as_deref(), rows, |tool| tool.name.clone()).map(Json)
}

fn server_names(app: &App) -> BTreeSet<String> {
    let servers = app.mcp_servers.as_ref().map(|directory| directory.servers()).unwrap_or_default();
    servers.into_iter().map(|server| server.name).collect()
}

fn shown(tool: ListedTool, agent: &str, servers: &BTreeSet<String>, app: &App) -> ListedToolBody {
    let ListedTool { name, description, flags, origin, policy } = tool;
    let (source, server) = match origin {
        ToolOrigin::Source(server) if servers.contains(&server) => ("mcp", Some(server)),
        ToolOrigin::Source(server) => ("host", Some(server)),
        ToolOrigin::Flow => ("host", None),
        ToolOrigin::List => match app.settings.tool_providers.get(&name) {
            Some(ToolProvider::Program) => ("built-in", None),
            Some(ToolProvider::Configuration) => ("configuration", None),
            None => ("host", None),
        },
    };
    ListedToolBody {
        name,
        description,
        effects: flags.into(),
        source: source.to_owned(),
        server,
        policy: in_json(policy).to_owned(),
        agents: vec![agent.to_owned()],
    }
}

fn in_json(decision: Decision) -> &'static str {
    match decision {
        Decision::Allow => "allow",
        Decision::Notify => "notify",
        Decision::Ask => "ask",
        Decision::Deny => "deny",
    }
}
