//! The builder of an engine.

use std::sync::Arc;
use std::time::Duration;

use turnkit_core::ports::{AgentFlow, Clock, ContextProvider, IdSource, LlmProvider, Tool, ToolSource};
use turnkit_core::{ModelName, OutputSchema, Params};

use super::Engine;
use crate::agent::{Agent, AgentSettings};
use crate::budget::Budgets;
use crate::machine::Limits;
use crate::permission::{Decision, PermissionSettings, Rule, SubjectPattern};
use crate::system::{RandomIds, SystemClock};

/// Builds an [`Engine`]. Only the provider has no default. Changing a clone does not change the original.
#[derive(Clone)]
pub struct EngineBuilder {
    engine: Engine,
}

impl EngineBuilder {
    pub(super) fn new(provider: Arc<dyn LlmProvider>) -> Self {
        let (clock, ids) = (Arc::new(SystemClock), Arc::new(RandomIds));
        let (settings, instructions) = (AgentSettings::default(), Arc::default());
        Self { engine: Engine { provider, clock, ids, tools: Vec::new(), settings, instructions } }
    }

    /// Adds a tool for every flow. Unlike a flow's own tools, it is not trusted: its calls need approval unless it is
    /// read-only, [trusted](Self::trust), or allowed by a rule.
    #[must_use]
    pub fn tool(mut self, tool: impl Tool + 'static) -> Self {
        self.engine.tools.push(Arc::new(tool));
        self
    }

    /// Adds a source of tools. Each turn asks the source for its tools once. Their calls need approval under the same
    /// conditions as those of [`tool`](Self::tool).
    #[must_use]
    pub fn source(mut self, source: impl ToolSource + 'static) -> Self {
        let sources = Arc::unwrap_or_clone(std::mem::take(&mut self.engine.settings.sources));
        self.engine.settings.sources = Arc::new(sources.with(source));
        self
    }

    /// Defers a tool: its definition is sent to the model only after the model has found it with `tool_search`. A `*`
    /// at the end of the name matches any rest.
    #[must_use]
    pub fn defer(mut self, tool: impl Into<String>) -> Self {
        let sources = Arc::unwrap_or_clone(std::mem::take(&mut self.engine.settings.sources));
        self.engine.settings.sources = Arc::new(sources.deferring([tool.into()]));
        self
    }

    /// Adds a rule for all calls of a tool. A `*` at the end of the name matches any rest.
    #[must_use]
    pub fn rule(mut self, tool: impl Into<String>, decision: Decision) -> Self {
        self.engine.settings.rules.push(Rule::new(tool, decision));
        self
    }

    /// Adds a rule for the calls of a tool that touch a subject: a path, a host or a command, as returned by
    /// [`Tool::subject`].
    #[must_use]
    pub fn rule_for_subject(mut self, tool: impl Into<String>, subject: SubjectPattern, decision: Decision) -> Self {
        self.engine.settings.rules.push(Rule::new(tool, decision).touching(subject));
        self
    }

    /// Trusts these tools: their calls run without approval, like calls of a flow's own tools, unless a rule decides
    /// otherwise. A `*` at the end of a name matches any rest. Previously trusted tools stay trusted.
    #[must_use]
    pub fn trust(mut self, tools: impl IntoIterator<Item = String>) -> Self {
        let trusted = &mut self.engine.settings.permissions.trusted;
        *trusted = trusted.iter().cloned().chain(tools).collect();
        self
    }

    /// Sets how calls that no rule decides are judged. Replaces earlier settings, including the [trusted](Self::trust)
    /// tools.
    #[must_use]
    pub fn permissions(mut self, permissions: PermissionSettings) -> Self {
        self.engine.settings.permissions = permissions;
        self
    }

    /// Requests this model instead of the provider's default.
    #[must_use]
    pub fn model(mut self, model: impl Into<Arc<str>>) -> Self {
        self.engine.settings.model = Some(ModelName(model.into()));
        self
    }

    /// Adds a context provider, which contributes items to the instructions of each turn. Items are ordered by
    /// category. The flow's own instructions come first in the category
    /// [`System`](turnkit_core::ports::Category::System).
    ///
    /// ```
    /// use turnkit_core::ports::{BoxFuture, Category, ContextError, ContextItem, ContextProvider, ContextRequest};
    /// # use turnkit_core::ports::{CallContext, LlmProvider, OpenedAnswer};
    /// # use turnkit_core::{ChatRequest, ProviderError};
    /// use turnkit_engine::Engine;
    ///
    /// struct House;
    ///
    /// impl ContextProvider for House {
    ///     fn name(&self) -> &str {
    ///         "house"
    ///     }
    ///
    ///     fn priority(&self) -> u16 {
    ///         Category::Constraints.place()
    ///     }
    ///
    ///     // The rules never change, so they are assembled once for each session.
    ///     fn stamp(&self, _: &ContextRequest<'_>) -> Option<u64> {
    ///         Some(1)
    ///     }
    ///
    ///     fn provide<'a>(
    ///         &'a self,
    ///         _: &'a ContextRequest<'a>,
    ///     ) -> BoxFuture<'a, Result<Vec<ContextItem>, ContextError>> {
    ///         let rule = ContextItem::new(Category::Constraints, "house", "Never name a price.");
    ///         Box::pin(std::future::ready(Ok(vec![rule])))
    ///     }
    /// }
    ///
    /// # struct Model;
    /// # impl LlmProvider for Model {
    /// #     fn stream<'a>(
    /// #         &'a self,
    /// #         _: ChatRequest,
    /// #         _: &'a CallContext,
    /// #     ) -> BoxFuture<'a, Result<OpenedAnswer, ProviderError>> {
    /// #         Box::pin(std::future::pending())
    /// #     }
    /// # }
    /// let engine = Engine::builder(Model).context(House).build();
    /// ```
    #[must_use]
    pub fn context(mut self, provider: impl ContextProvider + 'static) -> Self {
        let context = self.engine.settings.context_pipeline.take().map(Arc::unwrap_or_clone).unwrap_or_default();
        self.engine.settings.context_pipeline = Some(Arc::new(context.with(provider)));
        self
    }

    /// Sets the sampling parameters and the maximum length of an answer.
    #[must_use]
    pub fn params(mut self, params: Params) -> Self {
        self.engine.settings.params = params;
        self
    }

    /// Requires answers to match a JSON Schema. Replaces the schema in [`params`](Self::params) and keeps the other
    /// parameters.
    #[must_use]
    pub fn output_schema(mut self, schema: OutputSchema) -> Self {
        self.engine.settings.params.output_schema = Some(Arc::new(schema));
        self
    }

    /// Limits the tokens and the cost of turns and of their session.
    #[must_use]
    pub fn budgets(mut self, budgets: Budgets) -> Self {
        self.engine.settings.budgets = Some(Arc::new(budgets));
        self
    }

    /// Limits the rounds, tool calls and attempts of a turn.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.engine.settings.limits = limits;
        self
    }

    /// Sets the deadline of a turn, 15 minutes by default. Time during which the turn waits for the host does not
    /// count.
    #[must_use]
    pub fn turn_deadline(mut self, deadline: Duration) -> Self {
        self.engine.settings.turn_deadline = deadline;
        self
    }

    /// Sets the timeout of tool calls, 30 seconds by default. A tool's own timeout takes precedence.
    #[must_use]
    pub fn tool_timeout(mut self, timeout: Duration) -> Self {
        self.engine.settings.tool_call_limits.timeout = timeout;
        self
    }

    /// Replaces the clock. For tests.
    #[must_use]
    pub fn clock(mut self, clock: impl Clock + 'static) -> Self {
        self.engine.clock = Arc::new(clock);
        self
    }

    /// Replaces the source of ids. For tests.
    #[must_use]
    pub fn ids(mut self, ids: impl IdSource + 'static) -> Self {
        self.engine.ids = Arc::new(ids);
        self
    }

    /// Returns an agent with these tools and settings for a [`TurnService`](crate::TurnService), and the provider.
    pub fn into_agent(self, name: impl Into<String>, flow: Arc<dyn AgentFlow>) -> (Agent, Arc<dyn LlmProvider>) {
        let Engine { provider, tools, settings, .. } = self.engine;
        (Agent { name: name.into(), flow, tools, settings }, provider)
    }

    /// Returns the engine.
    pub fn build(self) -> Engine {
        self.engine
    }
}
