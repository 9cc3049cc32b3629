//! Turns that had not ended when the chat opened their session.

use turnkit_core::SessionKey;
use turnkit_server::TurnBody;

use super::conversation::Conversation;
use super::follow::Outcome;
use crate::failure::Failure;
use crate::terminal::{counted, remark};

impl Conversation<'_> {
    /// Follows an unfinished turn from its start to its end. The person is asked its open questions, even if new calls
    /// run without a question: they were left open for a person.
    pub(super) async fn follow_unfinished(&mut self, turn: &TurnBody) -> Result<Outcome, Failure> {
        remark("the session has a turn that has not ended; here it is from its start");
        self.session = SessionKey::Id(turn.session_id);
        self.follow_as(turn.id, turn.session_id, false).await
    }

    /// Checks that no turn of the session waits for a decision, because the next message would end such a turn. Ctrl-C
    /// ends the check.
    pub(super) async fn check_undecided(&mut self) -> Result<(), Failure> {
        for turn in &self.unfinished {
            let awaited = tokio::select! {
                biased;
                () = self.interrupts.next() => {
                    return Err(Failure::Failed("interrupted; the message was not sent".to_owned()));
                }
                awaited = self.runner.awaited_decisions(turn.id) => awaited?,
            };
            if awaited > 0 {
                return Err(undecided(turn, awaited));
            }
        }
        Ok(())
    }
}

fn undecided(turn: &TurnBody, awaited: usize) -> Failure {
    let TurnBody { id, session_id, .. } = turn;
    let decisions = counted(awaited as u64, "decision");
    Failure::Failed(format!(
        "session {session_id} has a turn that waits for {decisions}, so the message was not sent: decide with `turnkit chat --session {session_id}`, or with `turnkit interactions ls` and `resolve`; \
         `turnkit turns cancel {id}` ends the turn"
    ))
}
