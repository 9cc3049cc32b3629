//! Who answers: instructions, tools and limits under one name.

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
    /// Its name.
    pub name: String,
    /// Its instructions, and tools of its own.
    pub flow: Arc<dyn AgentFlow>,
    /// Further tools. A tool of the flow hides one of the same name.
    pub tools: Vec<Arc<dyn Tool>>,
    /// How it runs.
    pub settings: AgentSettings,
}

/// How an agent runs.
#[derive(Debug, Clone)]
pub struct AgentSettings {
    /// Which model; absent: the provider's default.
    pub model: Option<ModelName>,
    /// Who may answer; absent: whoever there is.
    pub route: Option<Arc<Route>>,
    /// What the model is told about how to answer.
    pub params: Params,
    /// How far a turn may go.
    pub limits: Limits,
    /// What may be consumed; absent: what it takes.
    pub budgets: Option<Arc<Budgets>>,
    /// How long a turn may take from its start.
    pub turn_deadline: Duration,
    /// Which messages of a session its model is sent.
    pub context: ContextSettings,
    /// How long after it began to grow the text of an answer is saved; absent: nothing is saved before the answer is whole.
    /// Saved text is kept if the process dies and the turn ends without another answer. Nothing is saved where the host
    /// keeps the session.
    pub partial_save: Option<Duration>,
    /// What its tools may do.
    pub rules: Vec<Rule>,
    /// How tools are run.
    pub tool_runs: ToolRuns,
    /// How long a person has to decide about a call. After that it counts as denied.
    pub approval_ttl: Duration,
    /// What becomes of a message for a session whose turn is not over.
    pub busy: BusyPolicy,
    /// Sources of instructions besides the flow's own; absent: none.
    pub context_pipeline: Option<Arc<ContextPipeline>>,
    /// The modes that sessions and turns may select; absent: turns with a mode are refused, and modes of sessions add no text.
    pub modes: Option<Modes>,
    /// Summarises earlier messages; absent: the agent's model does.
    pub compactor: Option<Arc<dyn HistoryCompactor>>,
    /// Who writes summaries; what it leaves open is as for answers. Absent: who answers, whose prompt cache has most of the
    /// messages. If the client of a turn names a provider, that provider writes its summaries.
    pub compact_route: Option<TurnRoute>,
    /// The folders of this machine whose files its turns may name.
    pub roots: Arc<Roots>,
    /// How calls are judged where no rule decides.
    pub permissions: PermissionSettings,
    /// The schemas of its tools, compiled when they are called first.
    pub schemas: Arc<ToolSchemas>,
    /// Sources of further tools, and the tools that its model has to look for.
    pub sources: Arc<ToolSources>,
}

impl AgentSettings {
    /// The permissions of a turn with this mode; `interact` says whether there is somebody to ask.
    pub(crate) fn permissions(&self, mode: Option<&str>, interact: bool) -> Permissions {
        let overlay = self.modes.as_ref().zip(mode).and_then(|(modes, mode)| modes.permission_mode(mode));
        Permissions::new(self.rules.clone(), interact).with_settings(self.permissions.clone(), overlay)
    }

    /// The permissions of the turn of a sub-agent: within those of the turns above it. An agent that is configured no more asks
    /// about everything.
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

    /// Reports whether no person is asked in a turn with this mode, because the agent's permission mode or that of the mode is
    /// headless.
    pub(crate) fn is_headless(&self, mode: Option<&str>) -> bool {
        let overlay = self.modes.as_ref().zip(mode).and_then(|(modes, mode)| modes.permission_mode(mode));
        [Some(self.permissions.mode), overlay].contains(&Some(PermissionMode::Headless))
    }

    /// The context providers of a turn with this mode.
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

/// How tools are run.
#[derive(Debug, Clone, Copy)]
pub struct ToolRuns {
    /// How many calls of one step run side by side, of tools that allow it.
    pub concurrency: usize,
    /// How long a call may take if its tool does not say.
    pub timeout: Duration,
    /// The longest result the model reads, in characters.
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
            tool_runs: ToolRuns::default(),
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

impl Default for ToolRuns {
    fn default() -> Self {
        Self { concurrency: 4, timeout: Duration::from_secs(30), result_max_chars: 20_000 }
    }
}

/// Fixed instructions and no tools of its own: what a configured agent needs.
#[derive(Debug, Clone, Default)]
pub struct Instructions(pub Option<String>);

impl AgentFlow for Instructions {
    fn instructions(&self, _: &Session) -> Option<String> {
        self.0.clone()
    }
}
