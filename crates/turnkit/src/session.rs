//! A conversation with an agent.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use turnkit_core::{OutputSchema, Session};

use crate::output::Output;
use crate::setup::Setup;
use crate::turn::Turn;
use crate::{Answer, AnswerStream, Error};

/// A conversation with an [`Agent`](crate::Agent). Each question is sent with the messages before it.
///
/// ```
/// use turnkit::{Agent, Session};
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let agent = Agent::new("offline");
/// let mut session = agent.session();
/// session.ask("Hello!").await?;
///
/// let json = serde_json::to_string(session.state())?;
/// let state: Session = serde_json::from_str(&json)?;
/// let mut session = agent.resume_session(state);
/// session.ask("Where were we?").await?;
/// assert_eq!(session.state().turns, 2);
/// # Ok::<_, Box<dyn std::error::Error>>(()) }).unwrap();
/// ```
#[derive(Clone)]
pub struct AgentSession {
    agent: Setup,
    state: Session,
}

impl AgentSession {
    pub(crate) fn new(agent: Setup, state: Session) -> Self {
        Self { agent, state }
    }

    /// Asks a question and waits for the answer.
    ///
    /// # Errors
    /// The model cannot be used, its provider fails, or the turn ends without a complete answer. The session keeps the
    /// question and the partial answer, and can continue.
    pub async fn ask(&mut self, message: impl Into<String>) -> Result<Answer, Error> {
        self.stream(message).finish().await
    }

    /// Asks a question and waits for an answer of type `T`.
    ///
    /// The model is sent the type's JSON Schema, and its answer is checked against it. If the answer does not match,
    /// the model is sent the mistakes and asked once more. A type that is not a JSON object, such as `bool` or
    /// `Vec<String>`, is sent as the only field of an object, because providers accept nothing else.
    ///
    /// ```no_run
    /// use turnkit::Agent;
    /// use turnkit::schemars::{self, JsonSchema};
    ///
    /// #[derive(serde::Deserialize, JsonSchema)]
    /// struct Plan {
    ///     /// What to do, in order.
    ///     steps: Vec<String>,
    /// }
    ///
    /// # async fn plan() -> Result<(), turnkit::Error> {
    /// let plan: Plan = Agent::new("openai:gpt-5-mini").ask_for("Plan a picnic.").await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Same as [`ask`](Self::ask). [`Error::Output`] if the second answer does not match either.
    pub async fn ask_for<T: DeserializeOwned + JsonSchema>(&mut self, message: impl Into<String>) -> Result<T, Error> {
        let output = Output::for_type::<T>()?;
        let answer = self.turn(message.into(), Some(output.schema())).finish().await?;
        let why = match output.read(answer.final_text()) {
            Ok(value) => return Ok(value),
            Err(why) => why,
        };
        let answer = self.turn(Output::complaint(&why), Some(output.schema())).finish().await?;
        output
            .read(answer.final_text())
            .map_err(|reason| Error::Output { reason, text: answer.final_text().to_owned() })
    }

    /// Asks a question and returns the events of the turn as they happen. Nothing runs until the stream is read.
    ///
    /// Dropping the stream stops the turn. The next question of the session ends that turn, and its unfinished calls
    /// get a result that says so.
    pub fn stream(&mut self, message: impl Into<String>) -> AnswerStream<'_> {
        self.turn(message.into(), None)
    }

    /// Returns the messages, usage and metadata of the conversation, which can be saved as JSON.
    pub fn state(&self) -> &Session {
        &self.state
    }

    /// Consumes the session and returns its state, without the agent.
    pub fn into_state(self) -> Session {
        self.state
    }

    fn turn(&mut self, message: String, schema: Option<OutputSchema>) -> AnswerStream<'_> {
        let Self { agent, state: session } = self;
        AnswerStream::new(|events| Turn { agent, session, events }.run(message, schema))
    }
}
