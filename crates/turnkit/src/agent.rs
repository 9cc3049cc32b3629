//! An agent as a host program builds it.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use turnkit_core::Session;
use turnkit_core::ports::{LlmProvider, Tool};
use turnkit_engine::permission::Decision;
use turnkit_engine::{Engine, EngineBuilder, Instructions};

use crate::interaction::{Handler, Interaction, InteractionReply};
#[cfg(feature = "llm")]
use crate::model;
use crate::setup::Setup;
use crate::turn::Turn;
use crate::{AgentSession, Answer, AnswerStream, Error};

/// The name of the agent in its sessions.
const NAME: &str = "agent";

/// A model with instructions and tools, which answers questions.
///
/// An agent is built once and cloned freely: a clone has the same model and tools, and changing one does not change the
/// other. It keeps no messages; a conversation is an [`AgentSession`].
///
/// ```
/// use turnkit::Agent;
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let agent = Agent::new("offline").instructions("You are concise.");
/// let answer = agent.ask("Hello!").await?;
/// assert!(answer.text().starts_with("You said: \"Hello!\""));
/// # Ok::<_, turnkit::Error>(()) }).unwrap();
/// ```
#[derive(Clone)]
pub struct Agent(Setup);

impl Agent {
    /// Creates an agent that asks a model, named as `vendor:model`: `openai:gpt-5-mini`, `anthropic:claude-sonnet-4-5`,
    /// `gemini:gemini-flash-latest`, `ollama:llama3.2`, or another vendor of [`llm::vendors`](crate::llm::vendors).
    /// `offline` is a responder by rules that needs neither a key nor a network.
    ///
    /// The vendor's key comes from its usual environment variable, such as `OPENAI_API_KEY`, which is read now.
    /// `OPENAI_BASE_URL`, `HTTPS_PROXY` and `NO_PROXY` count as well. A name that cannot be used is the error of the first
    /// question: [`Error::Model`].
    #[cfg(feature = "llm")]
    pub fn new(model: impl AsRef<str>) -> Self {
        match model::provider(model.as_ref()) {
            Ok(provider) => Self::with_provider(provider),
            Err(error) => Self(Setup { unusable: Some(error), ..Setup::new(Engine::builder(model::NoModel)) }),
        }
    }

    /// Creates an agent that asks a provider of the host's own.
    pub fn with_provider(provider: impl LlmProvider + 'static) -> Self {
        Self(Setup::new(Engine::builder(provider)))
    }

    /// Sets what the model is told before anything else. Replaces earlier instructions.
    #[must_use]
    pub fn instructions(self, instructions: impl Into<String>) -> Self {
        Self(Setup { instructions: Instructions(Some(instructions.into())), ..self.0 })
    }

    /// Adds a tool: a function with `#[turnkit::tool]`, or any other [`Tool`]. Its calls run without approval, because the
    /// host added it, unless a [`rule`](Self::rule) says otherwise.
    ///
    /// After the result of a tool that is [`open_world`](crate::ToolFlags::open_world), calls of tools that change something
    /// or reach other systems need approval, because the result may have told the model to make them.
    #[must_use]
    pub fn tool(mut self, tool: impl Tool + 'static) -> Self {
        self.0.trusted.push(tool.definition().name.clone());
        self.engine(|builder| builder.tool(tool))
    }

    /// Decides about the calls of a tool. With [`Decision::Ask`], [`on_interaction`](Self::on_interaction) is asked before
    /// each of them. A `*` at the end of the name stands for any rest.
    #[must_use]
    pub fn rule(self, tool: impl Into<String>, decision: Decision) -> Self {
        self.engine(|builder| builder.rule(tool, decision))
    }

    /// Sets what replies to approvals and to questions of tools: a closure that returns a reply or a future of one. Without
    /// it they are refused, and the model reads that nobody can be asked.
    ///
    /// ```
    /// use turnkit::{Agent, Interaction};
    ///
    /// let agent = Agent::new("offline").on_interaction(|interaction: Interaction| match interaction.tool() {
    ///     "pay" => interaction.deny("not without the accountant"),
    ///     _ => interaction.approve(),
    /// });
    /// let agent = agent.on_interaction(|interaction: Interaction| async move { interaction.approve() });
    /// ```
    #[must_use]
    pub fn on_interaction<F, R>(self, handler: F) -> Self
    where
        F: Fn(Interaction) -> R + Send + Sync + 'static,
        R: IntoFuture<Output = InteractionReply>,
        R::IntoFuture: Send + 'static,
    {
        let handler: Handler = Arc::new(move |interaction| Box::pin(handler(interaction).into_future()));
        Self(Setup { handler: Some(handler), ..self.0 })
    }

    /// Changes settings of the engine that runs the agent's turns, such as limits, budgets, sampling or sources of context.
    ///
    /// ```
    /// use std::time::Duration;
    /// use turnkit::Agent;
    ///
    /// let agent = Agent::new("offline").engine(|builder| builder.turn_deadline(Duration::from_secs(60)));
    /// ```
    #[must_use]
    pub fn engine(self, configure: impl FnOnce(EngineBuilder) -> EngineBuilder) -> Self {
        Self(Setup { builder: configure(self.0.builder), ..self.0 })
    }

    /// Asks one question in a session of its own and waits for the answer.
    ///
    /// # Errors
    /// As of [`AgentSession::ask`].
    pub async fn ask(&self, message: impl Into<String>) -> Result<Answer, Error> {
        self.session().ask(message).await
    }

    /// Asks one question in a session of its own and returns the events of the turn as they happen. Nothing happens until the
    /// stream is read.
    pub fn stream(&self, message: impl Into<String>) -> AnswerStream<'static> {
        let (agent, message, mut session) = (self.0.clone(), message.into(), self.session().into_state());
        AnswerStream::new(|events| async move {
            Turn { agent: &agent, session: &mut session, events }.run(message, None).await
        })
    }

    /// Asks one question in a session of its own and waits for an answer of a type.
    ///
    /// # Errors
    /// As of [`AgentSession::ask_for`].
    pub async fn ask_for<T: DeserializeOwned + JsonSchema>(&self, message: impl Into<String>) -> Result<T, Error> {
        self.session().ask_for(message).await
    }

    /// Begins a conversation.
    pub fn session(&self) -> AgentSession {
        self.resume_session(self.0.builder.clone().build().new_session(NAME))
    }

    /// Continues a conversation from its [state](AgentSession::state), which another process may have written as JSON.
    pub fn resume_session(&self, state: Session) -> AgentSession {
        AgentSession::new(self.0.clone(), state)
    }

    /// Returns what the agent is made of.
    #[cfg(feature = "sqlite")]
    pub(crate) fn into_setup(self) -> Setup {
        self.0
    }
}
