//! A session in a database.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use turnkit_core::ports::SessionStore as _;
use turnkit_core::{Message, Session, SessionKey, SessionName, StoreError};
use turnkit_engine::TurnRequest;

use super::installation::Installation;
use super::turn;
use crate::output::Output;
use crate::{Answer, AnswerStream, Error};

/// A session in the database of a [`Turnkit`](super::Turnkit).
///
/// All handles with the same name refer to the same session, even after a restart. A session runs one turn at a time. A
/// question to a busy session waits, unless the running turn waits for a decision: in that case the new question
/// replaces that turn.
#[derive(Clone)]
pub struct DurableSession {
    installation: Arc<Installation>,
    name: SessionName,
    agent: Option<String>,
}

impl DurableSession {
    pub(super) fn new(installation: Arc<Installation>, name: SessionName) -> Self {
        Self { installation, name, agent: None }
    }

    /// Selects the agent for all later questions, instead of the agent that the session was created with.
    #[must_use]
    pub fn agent(self, name: impl Into<String>) -> Self {
        Self { agent: Some(name.into()), ..self }
    }

    /// Asks a question and waits for the answer.
    ///
    /// # Errors
    /// The message is rejected, the turn ends without a complete answer, or storage fails.
    pub async fn ask(&self, message: impl Into<String>) -> Result<Answer, Error> {
        self.stream(message).finish().await
    }

    /// Asks a question and waits for an answer of type `T`.
    ///
    /// The type's JSON Schema is part of the question, and the answer is checked against it. If the answer does not
    /// match, the model is sent the mistakes and asked once more.
    ///
    /// # Errors
    /// Same as [`ask`](Self::ask). [`Error::Output`] if the second answer does not match either.
    pub async fn ask_for<T: DeserializeOwned + JsonSchema>(&self, message: impl Into<String>) -> Result<T, Error> {
        let output = Output::for_type::<T>()?;
        let answer = self.ask(output.demand(&message.into())).await?;
        let why = match output.read(answer.final_text()) {
            Ok(value) => return Ok(value),
            Err(why) => why,
        };
        let answer = self.ask(Output::complaint(&why)).await?;
        output
            .read(answer.final_text())
            .map_err(|reason| Error::Output { reason, text: answer.final_text().to_owned() })
    }

    /// Asks a question and returns the events of the turn as they happen. The question is stored when the stream is
    /// first read.
    ///
    /// Dropping the stream does not stop the turn, but its interactions get no reply until [`follow`](Self::follow) is
    /// called. If two streams read the same turn, both call the handler and the first reply counts.
    pub fn stream(&self, message: impl Into<String>) -> AnswerStream<'static> {
        let (installation, request) = (Arc::clone(&self.installation), self.request(message.into()));
        AnswerStream::new(|events| turn::submit(installation, request, events))
    }

    /// Returns the events of the running or waiting turn, from its start. Returns `None` if the session is idle.
    ///
    /// The stream of that turn may have been dropped, or the turn may have started before the process was restarted. A
    /// turn that continued when the database was opened may have ended already: its answer is in
    /// [`messages`](Self::messages).
    ///
    /// # Errors
    /// Storage failed.
    pub async fn follow(&self) -> Result<Option<AnswerStream<'static>>, Error> {
        let Some(state) = self.state().await? else { return Ok(None) };
        let unfinished_turns = self.installation.store.unfinished_turns(&self.installation.scope, state.id).await?;
        let installation = Arc::clone(&self.installation);
        let running = unfinished_turns
            .active
            .map(|running| AnswerStream::new(|events| turn::rejoin(installation, running, events)));
        Ok(running)
    }

    /// Returns the messages of the session, oldest first. A session without a first message has none.
    ///
    /// # Errors
    /// Storage failed.
    pub async fn messages(&self) -> Result<Vec<Message>, Error> {
        let Some(state) = self.state().await? else { return Ok(Vec::new()) };
        Ok(self.installation.store.messages(&self.installation.scope, state.id).await?)
    }

    /// Returns usage, turns and metadata of the session, without its messages. Returns `None` before the first message.
    ///
    /// # Errors
    /// Storage failed.
    pub async fn state(&self) -> Result<Option<Session>, Error> {
        match self.installation.store.session_named(&self.installation.scope, &self.name).await {
            Ok(session) => Ok(Some(session)),
            Err(StoreError::NotFound) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn request(&self, message: String) -> TurnRequest {
        let mut request = TurnRequest::new(SessionKey::Name(self.name.clone()), Message::user(message));
        let handlers = &self.installation.handlers;
        // The agent of an existing session is not known here. An agent without a handler denies its interactions.
        request.caps.interact = self.agent.as_ref().map_or(!handlers.is_empty(), |agent| handlers.contains_key(agent));
        request.agent.clone_from(&self.agent);
        request
    }
}
