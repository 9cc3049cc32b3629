//! How an engine is put together.

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

/// Puts an [`Engine`] together. Everything has a default but the provider. A clone is independent of its original.
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

    /// Adds a tool for every flow. It is not trusted like a flow's own tools: unless it only reads, or a rule allows it,
    /// it asks.
    #[must_use]
    pub fn tool(mut self, tool: impl Tool + 'static) -> Self {
        self.engine.tools.push(Arc::new(tool));
        self
    }

    /// Adds a source of tools. Every turn asks it once for its tools, which are judged like those of
    /// [`tool`](Self::tool).
    #[must_use]
    pub fn source(mut self, source: impl ToolSource + 'static) -> Self {
        let sources = Arc::unwrap_or_clone(std::mem::take(&mut self.engine.settings.sources));
        self.engine.settings.sources = Arc::new(sources.with(source));
        self
    }

    /// Defers the tool of this name: the model is told of it once it has found it with `tool_search`. A `*` at the end of
    /// the name stands for any rest.
    #[must_use]
    pub fn defer(mut self, tool: impl Into<String>) -> Self {
        let sources = Arc::unwrap_or_clone(std::mem::take(&mut self.engine.settings.sources));
        self.engine.settings.sources = Arc::new(sources.deferring([tool.into()]));
        self
    }

    /// Says what happens with the calls of a tool. A `*` at the end of the name stands for any rest.
    #[must_use]
    pub fn rule(mut self, tool: impl Into<String>, decision: Decision) -> Self {
        self.engine.settings.rules.push(Rule::new(tool, decision));
        self
    }

    /// Says what happens with calls of a tool that touch something, as [`Tool::subject`] reads it.
    #[must_use]
    pub fn rule_touching(mut self, tool: impl Into<String>, subject: SubjectPattern, decision: Decision) -> Self {
        self.engine.settings.rules.push(Rule::new(tool, decision).touching(subject));
        self
    }

    /// Lets calls of these tools run without approval where no rule decides, like those of a flow's own tools. Adds to the
    /// tools that are trusted already.
    #[must_use]
    pub fn trust(mut self, tools: impl IntoIterator<Item = String>) -> Self {
        let trusted = &mut self.engine.settings.permissions.trusted;
        *trusted = trusted.iter().cloned().chain(tools).collect();
        self
    }

    /// Says what becomes of calls that no rule decides.
    #[must_use]
    pub fn permissions(mut self, permissions: PermissionSettings) -> Self {
        self.engine.settings.permissions = permissions;
        self
    }

    /// Asks for this model rather than the provider's default.
    #[must_use]
    pub fn model(mut self, model: impl Into<Arc<str>>) -> Self {
        self.engine.settings.model = Some(ModelName(model.into()));
        self
    }

    /// Adds a source of instructions. Each item it returns goes to the place of its category; the flow's own instructions
    /// are the first of the category [`System`](turnkit_core::ports::Category::System).
    ///
    /// ```
    /// use turnkit_core::ports::{BoxFuture, Category, ContextError, ContextItem, ContextProvider, ContextRequest};
    /// # use turnkit_core::ports::{CallContext, LlmProvider, Opened};
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
    /// #     fn stream<'a>(&'a self, _: ChatRequest, _: &'a CallContext) -> BoxFuture<'a, Result<Opened, ProviderError>> {
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

    /// Sampling and length.
    #[must_use]
    pub fn params(mut self, params: Params) -> Self {
        self.engine.settings.params = params;
        self
    }

    /// Asks for answers of this shape. Replaces the one in [`params`](Self::params) and leaves the other settings.
    #[must_use]
    pub fn output_schema(mut self, schema: OutputSchema) -> Self {
        self.engine.settings.params.output_schema = Some(Arc::new(schema));
        self
    }

    /// What turns and their session may consume.
    #[must_use]
    pub fn budgets(mut self, budgets: Budgets) -> Self {
        self.engine.settings.budgets = Some(Arc::new(budgets));
        self
    }

    /// How far a turn may go.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.engine.settings.limits = limits;
        self
    }

    /// How long a turn may take. Time that a turn waits for the host is not counted.
    #[must_use]
    pub fn turn_deadline(mut self, deadline: Duration) -> Self {
        self.engine.settings.turn_deadline = deadline;
        self
    }

    /// How long a tool may take, if it does not say so itself.
    #[must_use]
    pub fn tool_timeout(mut self, timeout: Duration) -> Self {
        self.engine.settings.tool_runs.timeout = timeout;
        self
    }

    /// Another clock, as tests want it.
    #[must_use]
    pub fn clock(mut self, clock: impl Clock + 'static) -> Self {
        self.engine.clock = Arc::new(clock);
        self
    }

    /// Another source of ids, as tests want it.
    #[must_use]
    pub fn ids(mut self, ids: impl IdSource + 'static) -> Self {
        self.engine.ids = Arc::new(ids);
        self
    }

    /// Returns an agent of a service with these tools and settings, and the provider that it asks.
    pub fn into_agent(self, name: impl Into<String>, flow: Arc<dyn AgentFlow>) -> (Agent, Arc<dyn LlmProvider>) {
        let Engine { provider, tools, settings, .. } = self.engine;
        (Agent { name: name.into(), flow, tools, settings }, provider)
    }

    /// The engine.
    pub fn build(self) -> Engine {
        self.engine
    }
}
