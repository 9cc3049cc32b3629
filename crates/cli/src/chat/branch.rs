//! The commands `/undo`, `/retry`, `/branches`, `/switch` and `/compact`, which go back in the conversation, answer its
//! last message again, continue it from another branch, or summarise its earlier messages.

use turnkit_core::{SessionId, SessionKey, TurnId};

use super::conversation::Conversation;
use super::follow::Outcome;
use crate::failure::Failure;
use crate::terminal::remark;

impl Conversation<'_> {
    /// Moves the head to the turn before the last message, which stays on its own branch.
    pub(super) async fn undo(&self) -> Result<(), Failure> {
        let (session, last) = self.last_turn().await?;
        let before = self.data.turn(last).await?.after;
        self.runner.move_head(session, before).await?;
        remark("the last message and its answer are undone; your next message replaces them");
        Ok(())
    }

    /// Answers the last message again. The previous answer stays on its own branch.
    pub(super) async fn retry(&mut self) -> Result<Outcome, Failure> {
        let (session, last) = self.last_turn().await?;
        let turn = self.runner.regenerate(last, &self.options).await?;
        self.session = SessionKey::Id(session);
        self.follow(turn, session).await
    }

    /// Starts a summary of the earlier messages.
    pub(super) async fn compact(&mut self) -> Result<Outcome, Failure> {
        let (session, _) = self.last_turn().await?;
        let turn = self.runner.compact(session).await?;
        self.session = SessionKey::Id(session);
        self.follow(turn, session).await
    }

    /// Shows the turns at which branches end.
    pub(super) async fn branches(&self) -> Result<(), Failure> {
        let Some(session) = self.existing_session().await? else { return Err(no_branches()) };
        self.data.branches(session).await?.iter().for_each(|branch| remark(&branch.to_string()));
        Ok(())
    }

    /// Moves the head to the turn with this number.
    pub(super) async fn switch(&self, number: u32) -> Result<(), Failure> {
        let Some(session) = self.existing_session().await? else { return Err(no_branches()) };
        let (turn, message) = self.data.branch_at(session, number).await?;
        self.runner.move_head(session, Some(turn)).await?;
        remark(&message);
        Ok(())
    }

    /// Returns the session, or `None` if it has no turn yet.
    async fn existing_session(&self) -> Result<Option<SessionId>, Failure> {
        match &self.session {
            SessionKey::Id(session) => Ok(Some(*session)),
            SessionKey::Name(name) => self.data.find_session(name.as_str()).await.map(Some),
            SessionKey::New | SessionKey::Ephemeral(_) => Ok(None),
        }
    }

    /// Returns the session with the last turn that has a message, on the branch that the next turn would continue.
    async fn last_turn(&self) -> Result<(SessionId, TurnId), Failure> {
        let no_message = || Failure::Usage("there is no message yet".to_owned());
        let session = self.existing_session().await?.ok_or_else(no_message)?;
        let mut last = self.data.session(session).await?.head.ok_or_else(no_message)?;
        loop {
            let turn = self.data.turn(last).await?;
            if turn.kind.is_message() {
                return Ok((session, last));
            }
            last = turn.after.ok_or_else(no_message)?;
        }
    }
}

fn no_branches() -> Failure {
    Failure::Usage("the session has no messages yet, so it has no branches".to_owned())
}
