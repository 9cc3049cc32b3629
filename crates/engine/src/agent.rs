//! Agents: instructions, tools and settings under one name.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use turnkit_core::ports::{AgentFlow, HistoryCompactor, Tool};
use turnkit_core::{Ancestor, BusyPolicy, ModelName, Params, Route, Session, TurnRoute};
use turnkit_files::Roots;

use crate::budget::Budgets;
use crate::catalog::ToolSources;
use crate::context::{ContextPipeline, ContextSettings, Modes};
use crate::machine::Limits;
use crate::permission::{Decision, PermissionMode, PermissionSettings, Permissions, Rule};
use crate::tool_schemas::ToolSchemas;

/// An agent that the engine runs.
#[derive(Clone)]
pub struct Agent {
    /// The name, which is stored with sessions and turns.
    pub name: String,
    /// The agent's instructions and its trusted tools.
    pub flow: Arc<dyn AgentFlow>,
    /// Further tools. A tool of the flow replaces one of the same name.
    pub tools: Vec<Arc<dyn Tool>>,
    /// The settings of the agent's turns.
    pub settings: AgentSettings,
}

/// The settings of an agent's turns.
#[derive(Debug, Clone)]
pub struct AgentSettings {
    /// The model; absent: the provider's default.
    pub model: Option<ModelName>,
    /// Restricts which providers may answer; absent: any.
    pub route: Option<Arc<Route>>,
    /// Sampling parameters, the longest answer and its schema.
    pub params: Params,
    /// Limits the rounds, tool calls and attempts of a turn.
    pub limits: Limits,
    /// Limits tokens and cost; absent: unlimited.
    pub budgets: Option<Arc<Budgets>>,
    /// The deadline of a turn, from its start. 15 minutes by default.
    pub turn_deadline: Duration,
    /// Selects the messages of a session that are sent to the model.
    pub context: ContextSettings,
    /// The interval at which a growing answer is saved; absent: only whole answers are saved. Saved text is kept if the
    /// process dies and the turn ends without another answer. Has no effect if the host keeps the session.
    pub partial_save: Option<Duration>,
    /// Rules that decide about tool calls.
    pub rules: Vec<Rule>,
    /// Timeout, parallelism and result size of tool calls.
    pub tool_call_limits: ToolCallLimits,
    /// The time a person has to decide about a call, after which the call is denied. 7 days by default.
    pub approval_ttl: Duration,
    /// How a message is handled if its session already has a turn in progress.
    pub busy: BusyPolicy,
    /// Context providers that add to the flow's instructions; absent: none.
    pub context_pipeline: Option<Arc<ContextPipeline>>,
    /// The modes that sessions and turns may select; absent: turns with a mode are refused, and modes of sessions add
    /// no text.
    pub modes: Option<Modes>,
    /// Summarises earlier messages; absent: the agent's model summarises them.
    pub compactor: Option<Arc<dyn HistoryCompactor>>,
    /// The model and provider that write summaries; an absent part is taken from the route of answers. Absent: the
    /// model that answers, whose prompt cache holds most of the messages. If the client of a turn names a provider,
    /// that provider writes the summaries of the turn.
    pub compact_route: Option<TurnRoute>,
    /// The folders of this machine whose files a turn may name.
    pub roots: Arc<Roots>,
    /// Decides calls that no rule decides.
    pub permissions: PermissionSettings,
    /// The compiled schemas of the tools. Each is compiled at the first call of its tool.
    pub schemas: Arc<ToolSchemas>,
    /// Sources of further tools, and the names of deferred tools.
    pub sources: Arc<ToolSources>,
}

impl AgentSettings {
    /// Returns the permissions of a turn in this mode. `interact` is `true` if a person can be asked.
    pub(crate) fn permissions(&self, mode: Option<&str>, interact: bool) -> Permissions {
        let overlay = self.modes.as_ref().zip(mode).and_then(|(modes, mode)| modes.permission_mode(mode));
        Permissions::new(self.rules.clone(), interact).with_settings(self.permissions.clone(), overlay)
    }

    /// Returns the permissions of a sub-agent's turn, restricted by those of its ancestor turns. If the agent of an
    /// ancestor turn is no longer configured, every call needs approval.
    pub(crate) fn permissions_within<'a>(
        &self,
        mode: Option<&str>,
        interact: bool,
        above: &[Ancestor],
        find: impl Fn(&str) -> Option<&'a Agent>,
    ) -> Permissions {
        let of_agent = |above: &Ancestor| match find(&above.agent) {
            Some(agent) => agent.settings.permissions(above.mode.as_deref(), interact),
            None => Permissions::new(vec![Rule::new("*", Decision::Ask)], interact),
        };
        self.permissions(mode, interact).within(above.iter().map(of_agent).collect())
    }

    /// Returns `true` if no person is asked in a turn with this mode: the agent's permission mode, or that of the mode,
    /// is headless.
    pub(crate) fn is_headless(&self, mode: Option<&str>) -> bool {
        let overlay = self.modes.as_ref().zip(mode).and_then(|(modes, mode)| modes.permission_mode(mode));
        [Some(self.permissions.mode), overlay].contains(&Some(PermissionMode::Headless))
    }

    /// Returns the context providers of a turn with this mode.
    pub(crate) fn pipeline(&self, mode: Option<&str>) -> Option<Cow<'_, ContextPipeline>> {
        let pipeline = self.context_pipeline.as_deref();
        match &self.modes {
            Some(modes) if modes.applies_to(mode) => {
                Some(Cow::Owned(pipeline.cloned().unwrap_or_default().with(modes.clone())))
            }
            _ => pipeline.map(Cow::Borrowed),
        }
    }
}

/// Limits of tool calls.
#[derive(Debug, Clone, Copy)]
pub struct ToolCallLimits {
    /// The most calls of one step that run in parallel, of tools that allow it. 4 by default.
    pub concurrency: usize,
    /// The timeout of a call whose tool has none of its own. 30 seconds by default.
    pub timeout: Duration,
    /// The longest result that the model reads, in characters. 20,000 by default.
    pub result_max_chars: usize,
}

impl Default for AgentSettings {
    fn default() -> Self {
        Self {
            model: None,
            route: None,
            params: Params::default(),
            limits: Limits::default(),
            budgets: None,
            turn_deadline: Duration::from_secs(900),
            context: ContextSettings::default(),
            partial_save: None,
            rules: Vec::new(),
            tool_call_limits: ToolCallLimits::default(),
            approval_ttl: Duration::from_secs(7 * 24 * 60 * 60),
            busy: BusyPolicy::default(),
            context_pipeline: None,
            modes: None,
            compactor: None,
            compact_route: None,
            roots: Arc::default(),
            permissions: PermissionSettings::default(),
            schemas: Arc::default(),
            sources: Arc::default(),
        }
    }
}

impl Default for ToolCallLimits {
    fn default() -> Self {
        Self { concurrency: 4, timeout: Duration::from_secs(30), result_max_chars: 20_000 }
    }
}

/// A flow with fixed instructions and no tools.
#[derive(Debug, Clone, Default)]
pub struct Instructions(pub Option<String>);

impl AgentFlow for Instructions {
    fn instructions(&self, _: &Session) -> Option<String> {
        self.0.clone()
    }
}
