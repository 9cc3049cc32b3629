//! `/undo` and `/retry`: the conversation goes back, or its last message is answered again.

use turnkit_core::{SessionId, SessionKey, TurnId};

use super::conversation::Conversation;
use super::follow::Outcome;
use crate::failure::Failure;
use crate::terminal::remark;

impl Conversation<'_> {
    /// Goes back to before the last message, which is kept on a branch of its own.
    pub(super) async fn undo(&self) -> Result<(), Failure> {
        let (session, last) = self.last_turn().await?;
        let before = self.data.turn(last).await?.after;
        self.data.move_head(session, before).await?;
        remark("the last message and what came of it are undone; the next one takes their place");
        Ok(())
    }

    /// Answers the last message again. The answer there was is kept on a branch of its own.
    pub(super) async fn retry(&mut self) -> Result<Outcome, Failure> {
        let (session, last) = self.last_turn().await?;
        let turn = self.runner.regenerate(last, self.agent.as_deref()).await?;
        self.session = SessionKey::Id(session);
        self.follow(turn, session).await
    }

    /// The session, and the turn that the next one would continue.
    async fn last_turn(&self) -> Result<(SessionId, TurnId), Failure> {
        let nothing = || Failure::Usage("nothing was said yet".to_owned());
        let session = match &self.session {
            SessionKey::Id(session) => *session,
            SessionKey::Name(name) => self.data.find_session(name.as_str()).await?,
            SessionKey::New | SessionKey::Ephemeral(_) => return Err(nothing()),
        };
        let head = self.data.session(session).await?.head.ok_or_else(nothing)?;
        Ok((session, head))
    }
}
