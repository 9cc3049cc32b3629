//! The [`Agent`], which a host program builds and asks.

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

/// The agent's name in its sessions.
const NAME: &str = "agent";

/// A model with instructions and tools that answers questions.
///
/// Build an agent once and clone it freely. A clone has the same model and tools, and changing one does not affect the
/// other. An agent keeps no messages: a conversation is an [`AgentSession`].
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
    /// Creates an agent for a model named `vendor:model`.
    ///
    /// Examples are `openai:gpt-5-mini`, `anthropic:claude-sonnet-4-5`, `gemini:gemini-flash-latest` and
    /// `ollama:llama3.2`. [`llm::vendors`](crate::llm::vendors) lists all vendors. `offline` is a rule-based responder
    /// that needs neither a key nor a network.
    ///
    /// The vendor's key is read now, from its usual environment variable, such as `OPENAI_API_KEY`. `OPENAI_BASE_URL`,
    /// `HTTPS_PROXY` and `NO_PROXY` apply as well. If the name cannot be used, the first question returns
    /// [`Error::Model`].
    #[cfg(feature = "llm")]
    pub fn new(model: impl AsRef<str>) -> Self {
        match model::provider(model.as_ref()) {
            Ok(provider) => Self::with_provider(provider),
            Err(error) => Self(Setup { unusable: Some(error), ..Setup::new(Engine::builder(model::NoModel)) }),
        }
    }

    /// Creates an agent that sends its model calls to the host's own provider.
    pub fn with_provider(provider: impl LlmProvider + 'static) -> Self {
        Self(Setup::new(Engine::builder(provider)))
    }

    /// Sets the instructions that the model reads before the conversation. Replaces earlier instructions.
    #[must_use]
    pub fn instructions(self, instructions: impl Into<String>) -> Self {
        Self(Setup { instructions: Instructions(Some(instructions.into())), ..self.0 })
    }

    /// Adds a tool: a function with `#[turnkit::tool]`, or any other [`Tool`].
    ///
    /// Calls of the tool run without approval, because the host added it, unless a [`rule`](Self::rule) says otherwise.
    ///
    /// After the result of an [`open_world`](crate::ToolFlags::open_world) tool, calls of tools that change something
    /// or reach other systems need approval, because the result may have instructed the model to make them.
    #[must_use]
    pub fn tool(mut self, tool: impl Tool + 'static) -> Self {
        self.0.trusted.push(tool.definition().name.clone());
        self.engine(|builder| builder.tool(tool))
    }

    /// Sets the decision for calls of a tool.
    ///
    /// With [`Decision::Ask`], the handler of [`on_interaction`](Self::on_interaction) decides each call. A `*` at the
    /// end of the name matches any suffix.
    #[must_use]
    pub fn rule(self, tool: impl Into<String>, decision: Decision) -> Self {
        self.engine(|builder| builder.rule(tool, decision))
    }

    /// Sets the handler that replies to approvals and to questions from tools.
    ///
    /// The handler is a closure that returns a reply, or a future of one. Without a handler, approvals and questions
    /// are refused, and the model reads that no user is available.
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

    /// Changes settings of the engine that runs the agent's turns, such as limits, budgets, sampling or context
    /// sources.
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

    /// Asks one question in a new session and waits for the answer.
    ///
    /// # Errors
    /// Same as [`AgentSession::ask`].
    pub async fn ask(&self, message: impl Into<String>) -> Result<Answer, Error> {
        self.session().ask(message).await
    }

    /// Asks one question in a new session and returns the events of the turn as they happen.
    ///
    /// Nothing runs until the stream is read.
    pub fn stream(&self, message: impl Into<String>) -> AnswerStream<'static> {
        let (agent, message, mut session) = (self.0.clone(), message.into(), self.session().into_state());
        AnswerStream::new(|events| async move {
            Turn { agent: &agent, session: &mut session, events }.run(message, None).await
        })
    }

    /// Asks one question in a new session and waits for an answer of type `T`.
    ///
    /// # Errors
    /// Same as [`AgentSession::ask_for`].
    pub async fn ask_for<T: DeserializeOwned + JsonSchema>(&self, message: impl Into<String>) -> Result<T, Error> {
        self.session().ask_for(message).await
    }

    /// Starts a conversation.
    pub fn session(&self) -> AgentSession {
        self.resume_session(self.0.builder.clone().build().new_session(NAME))
    }

    /// Resumes a conversation from its [state](AgentSession::state), which another process may have saved as JSON.
    pub fn resume_session(&self, state: Session) -> AgentSession {
        AgentSession::new(self.0.clone(), state)
    }

    #[cfg(feature = "sqlite")]
    pub(crate) fn into_setup(self) -> Setup {
        self.0
    }
}
