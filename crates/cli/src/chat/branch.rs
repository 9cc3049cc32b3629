//! `/undo` and `/retry`: the conversation goes back, or its last message is answered again.

use turnkit_core::{SessionId, SessionKey, TurnId};

use super::conversation::Conversation;
use super::follow::Outcome;
use crate::failure::Failure;
use crate::terminal::remark;

impl Conversation<'_> {
    /// Moves the head back before the last message, which stays on its own branch.
    pub(super) async fn undo(&self) -> Result<(), Failure> {
        let (session, last) = self.last_turn().await?;
        let before = self.data.turn(last).await?.after;
        self.data.move_head(session, before).await?;
        remark("the last message and its answer are undone; your next message replaces them");
        Ok(())
    }

    /// Answers the last message again. The previous answer stays on its own branch.
    pub(super) async fn retry(&mut self) -> Result<Outcome, Failure> {
        let (session, last) = self.last_turn().await?;
        let turn = self.runner.regenerate(last, self.agent.as_deref(), &self.params).await?;
        self.session = SessionKey::Id(session);
        self.follow(turn, session).await
    }

    /// The session, and the turn that the next one would continue.
    async fn last_turn(&self) -> Result<(SessionId, TurnId), Failure> {
        let no_message = || Failure::Usage("there is no message to undo or to answer again".to_owned());
        let session = match &self.session {
            SessionKey::Id(session) => *session,
            SessionKey::Name(name) => self.data.find_session(name.as_str()).await?,
            SessionKey::New | SessionKey::Ephemeral(_) => return Err(no_message()),
        };
        let head = self.data.session(session).await?.head.ok_or_else(no_message)?;
        Ok((session, head))
    }
}
