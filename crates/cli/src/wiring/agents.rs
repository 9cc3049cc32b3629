//! Conversion of configured agents to agents of the engine.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use turnkit_core::ports::Tool;
use turnkit_core::{BusyPolicy, ModelName, Params, Route, SamplingParams, Tier, TurnRoute};
use turnkit_engine::machine::{self, Limits};
use turnkit_engine::permission::{PermissionSettings, Rule};
use turnkit_engine::{
    Agent, AgentSettings, BootstrapFiles, Budget, Budgets, ContextPipeline, Instructions, Modes, Prompt, Prompts,
    ReadSkill, ToolCallLimits, ToolsHint,
};
use turnkit_mcp::McpServer;

use super::mcp::{sources, trusted};
use crate::config::{
    AgentConfig, BudgetConfig, BudgetsConfig, CompactRouteConfig, Config, OnBusy, OnLimit, OnStreamFailure,
    PromptConfig, RouteConfig, RuleConfig, TierConfig, TrustConfig, lists_tool,
};

/// Returns the description of an agent that other agents and programs read.
pub(super) fn purpose(agent: &AgentConfig) -> &str {
    let first_line = || agent.instructions.as_deref().and_then(|text| text.trim().lines().next());
    agent.description.as_deref().or_else(first_line).unwrap_or_default()
}

/// The tools that agents may list.
pub(super) struct AvailableTools<'a> {
    /// The tools of this process.
    pub(super) tools: &'a [Arc<dyn Tool>],
    /// The servers of further tools.
    pub(super) servers: &'a [McpServer],
}

/// Builds a configured agent. Relative paths start at `folder`.
pub(super) fn build_agent(
    agent: &AgentConfig,
    config: &Config,
    folder: &Path,
    available: &AvailableTools<'_>,
) -> Agent {
    let settings = AgentSettings {
        model: agent.route.model.as_deref().map(|model| ModelName(model.into())),
        route: route(&agent.route),
        params: params(agent),
        limits: Limits {
            max_rounds: agent.max_rounds.unwrap_or(Limits::default().max_rounds),
            max_calls: config.limits.max_tool_calls,
            on_limit: on_limit(agent.on_limit),
            max_attempts: config.limits.max_attempts,
            on_stream_failure: match agent.on_stream_failure {
                OnStreamFailure::Stop => machine::OnStreamFailure::Stop,
                OnStreamFailure::Redo => machine::OnStreamFailure::Redo,
            },
        },
        budgets: budgets(&config.budgets),
        turn_deadline: Duration::from_secs(config.limits.turn_deadline_s),
        rules: rules_of(agent, config).collect(),
        tool_call_limits: ToolCallLimits {
            concurrency: config.tools.concurrency,
            timeout: Duration::from_secs(config.tools.timeout_s),
            result_max_chars: config.tools.result_max_chars,
        },
        approval_ttl: Duration::from_secs(config.permissions.approval_ttl_s),
        context: (&agent.context).into(),
        partial_save: partial_save(agent.context.partial_save_ms),
        busy: busy_policy(agent.on_busy),
        modes: Some(modes(agent)),
        context_pipeline: context(agent, config, folder),
        compactor: None,
        compact_route: agent.context.compact_route.as_ref().map(compact_route),
        roots: Arc::new(config.files.found_roots.clone()),
        permissions: permissions(agent, config, available.servers),
        schemas: Arc::default(),
        sources: Arc::new(sources(agent, &config.mcp, available.servers)),
    };
    let own = agent.instructions.clone().filter(|_| has_fixed_prompt(agent, config));
    let flow = Arc::new(Instructions(own));
    let mut tools = allowed_tools(agent, available.tools);
    if let Some(skills) = &agent.found_skills {
        tools.push(Arc::new(ReadSkill::new(skills.clone())));
    }
    Agent { name: agent.name.clone(), flow, tools, settings }
}

/// Returns the rules that apply to an agent, each with its index in the configuration.
fn rules_of(agent: &AgentConfig, config: &Config) -> impl Iterator<Item = Rule> {
    let permissions = &config.permissions;
    let is_about = move |rule: &RuleConfig| rule.agent.as_ref().is_none_or(|name| *name == agent.name);
    let rules = permissions.rules.iter().zip(&permissions.found).enumerate();
    rules.filter(move |(_, (rule, _))| is_about(rule)).map(|(index, (_, rule))| rule.clone().with_index(index))
}

fn permissions(agent: &AgentConfig, config: &Config, servers: &[McpServer]) -> PermissionSettings {
    let listed: &[String] = match agent.trust {
        TrustConfig::None => &[],
        TrustConfig::BuiltIn => agent.tools.as_slice(),
    };
    // A pattern names no tool, so it expresses no trust in one.
    let by_name = listed.iter().filter(|tool| !tool.ends_with('*')).cloned();
    PermissionSettings {
        mode: agent.permission_mode.into(),
        trusted: by_name.chain(trusted(servers)).collect(),
        untrusted: config.permissions.untrusted.into(),
    }
}

fn modes(agent: &AgentConfig) -> Modes {
    let modes = Modes::new(agent.mode_prompts.iter().cloned());
    let set = agent.modes.iter().filter_map(|(name, mode)| Some((name, mode.permission_mode()?)));
    set.fold(modes, |modes, (name, mode)| modes.with_permission_mode(name, mode.into()))
}

fn partial_save(ms: u32) -> Option<Duration> {
    (ms > 0).then(|| Duration::from_millis(ms.into()))
}

/// Reports whether every session of the agent has the same prompt.
fn has_fixed_prompt(agent: &AgentConfig, config: &Config) -> bool {
    config.prompts.is_empty() && !agent.prompt.as_ref().is_some_and(Prompt::is_template)
}

/// Returns the pipeline of the agent's context providers, or `None` if it has none.
fn context(agent: &AgentConfig, config: &Config, folder: &Path) -> Option<Arc<ContextPipeline>> {
    let mut context = ContextPipeline::default();
    if !has_fixed_prompt(agent, config) {
        let named = |selectable: &PromptConfig| Some((selectable.name.clone(), selectable.prompt.clone()?));
        context = context.with(Prompts::new(agent.prompt.clone(), config.prompts.iter().filter_map(named)));
    }
    if !agent.bootstrap.is_empty() {
        context = context.with(BootstrapFiles::new(folder, &agent.bootstrap));
    }
    if let Some(skills) = &agent.found_skills {
        context = context.with(skills.clone());
    }
    if let Some(hint) = &agent.tools_hint {
        context = context.with(ToolsHint(hint.clone()));
    }
    (!context.is_empty()).then(|| Arc::new(context))
}

/// Returns the budgets, or `None` without any limit.
fn budgets(config: &BudgetsConfig) -> Option<Arc<Budgets>> {
    let budget = |config: BudgetConfig| Budget { tokens: config.tokens, nano_usd: config.usd.map(|dollars| dollars.0) };
    let BudgetsConfig { turn, session, day, user, warn_percent } = *config;
    let all = [turn, session, day, user].map(budget);
    let [turn, session, day, user] = all;
    (all != [Budget::default(); 4]).then(|| Arc::new(Budgets { turn, session, day, user, warn_percent }))
}

/// Returns the route, or `None` if the configuration restricts nothing.
fn route(route: &RouteConfig) -> Option<Arc<Route>> {
    let tier = match route.tier {
        TierConfig::Critical => Tier::Critical,
        TierConfig::Normal => Tier::Normal,
        TierConfig::Idle => Tier::Idle,
    };
    let tags = route.tags.iter().map(|tag| tag.as_str().into()).collect();
    let route = Route { provider: route.provider.as_deref().map(Into::into), tags, tier };
    (route != Route::default()).then(|| Arc::new(route))
}

fn compact_route(route: &CompactRouteConfig) -> TurnRoute {
    let CompactRouteConfig { provider, model } = route;
    TurnRoute {
        provider: provider.as_deref().map(Into::into),
        model: model.as_deref().map(|model| ModelName(model.into())),
        ..TurnRoute::default()
    }
}

/// Returns the tools that an agent lists. All names exist, because the configuration was checked.
fn allowed_tools(agent: &AgentConfig, tools: &[Arc<dyn Tool>]) -> Vec<Arc<dyn Tool>> {
    tools.iter().filter(|tool| lists_tool(agent, &tool.definition().name)).cloned().collect()
}

/// Returns the agent's policy for messages to a busy session.
fn busy_policy(on_busy: OnBusy) -> BusyPolicy {
    match on_busy {
        OnBusy::Enqueue => BusyPolicy::Enqueue,
        OnBusy::Reject => BusyPolicy::Reject,
        OnBusy::Interrupt => BusyPolicy::Interrupt,
        OnBusy::Steer => BusyPolicy::Steer,
    }
}

fn on_limit(on_limit: OnLimit) -> machine::OnLimit {
    match on_limit {
        OnLimit::Stop => machine::OnLimit::Stop,
        OnLimit::Answer => machine::OnLimit::Answer,
    }
}

fn params(agent: &AgentConfig) -> Params {
    let thinking = agent.thinking.map(Into::into);
    let mut params = Params { thinking, output_schema: agent.shape.clone(), ..Params::default() };
    SamplingParams::from(&agent.params).apply_to(&mut params);
    params
}
