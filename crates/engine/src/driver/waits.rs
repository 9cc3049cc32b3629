//! The waits of a turn's calls, as they are stored and shown.

use std::sync::Arc;
use std::time::Duration;

use turnkit_core::{
    Arguments, ChildId, DecidedWait, Entry, NewChild, NewWait, Recorded, Release, Resolution, StoreError, ToolCall,
    TurnStatus, WaitId, WaitKind, WaitQuestion,
};

use super::{Driver, Environment, Exit};
use crate::machine::{Effects, Input};
use crate::tools::ApprovalQuestion;

/// The reason shown to a person for a call that a process was running when it died.
const OUTCOME_QUESTION: &str = "the server stopped while it ran: it may have taken effect, and must not run twice";

const NEEDS_ANSWER: &str = "the tool needs an answer";
const CLIENT_RUNS: &str = "the client runs this tool";
const CHILD_RUNS: &str = "a sub-agent works on it";

/// How long a call waits for its sub-agent. It is longer than the limits of any turn, which end the sub-agent itself.
const MAX_CHILD_WAIT: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

impl<E: Environment> Driver<'_, E> {
    /// Returns the waits that follow from `effects`, and the sub-agents' turns that some of them are for. Logs an event
    /// for each wait in `effects`.
    pub(super) fn request_decisions(
        &self,
        effects: &mut Effects,
        entries: &[Arc<Entry>],
    ) -> (Vec<NewWait>, Vec<NewChild>) {
        let mut waits = Vec::with_capacity(effects.waits.len());
        let mut children = Vec::new();
        for (id, kind) in std::mem::take(&mut effects.waits) {
            let child = if kind == WaitKind::Child { self.new_child(id) } else { None };
            let wait = self.new_wait(id, kind, entries, child.as_ref().map(NewChild::id));
            children.extend(child);
            let NewWait { question: WaitQuestion { reason, preview, question, child, .. }, expires_at, .. } =
                wait.clone();
            effects.log.push(Recorded::InteractionRequested { id, kind, reason, preview, question, child, expires_at });
            waits.push(wait);
        }
        (waits, children)
    }

    /// Returns the pending waits of the turn, for a host that keeps the session itself.
    pub(super) fn pending(&self) -> Vec<NewWait> {
        // A store already has them.
        if self.store.is_some() {
            return Vec::new();
        }
        self.machine.waiting().into_iter().map(|(id, kind)| self.new_wait(id, kind, &[], None)).collect()
    }

    /// Returns the resolutions that were stored before the turn began to wait, or else how the run ends. A process that
    /// is stopping leaves them to the next owner, because it could not finish what they start. A turn is released when
    /// it begins to wait. One that is owned and has no resolutions therefore cannot continue.
    pub(super) async fn decided_meanwhile(&mut self) -> Result<Input, Exit> {
        let mut decided = std::mem::take(&mut self.decided);
        if decided.is_empty() {
            return if self.store.is_some() { Ok(undecided()) } else { Err(Exit::Waiting(self.pending())) };
        }
        match self.store.filter(|_| self.environment.is_halted()) {
            None => {
                self.shorten_results(&mut decided).await;
                Ok(Input::Resolved(decided))
            }
            Some((store, claim)) => match store.release(claim, Release::HandedOver).await {
                Ok(()) => Err(Exit::HandedOver),
                Err(StoreError::Fenced) => Err(Exit::Fenced),
                Err(error) => Err(Exit::Unsaved(error)),
            },
        }
    }

    /// Shortens results of client tools that exceed the limit for results of other tools.
    pub(super) async fn shorten_results(&self, decisions: &mut [DecidedWait]) {
        for decision in decisions {
            // The results of a replayed turn are already shortened.
            if let Resolution::Returned { content, shortened: shortened @ None, .. } = &mut decision.resolution {
                *shortened = self.toolbox.shorten(content, self.settings.tool_call_limits.result_max_chars).await;
            }
        }
    }

    fn new_wait(&self, id: WaitId, kind: WaitKind, entries: &[Arc<Entry>], child: Option<ChildId>) -> NewWait {
        let call = self.call(id, entries);
        self.environment.request(id, || {
            let asked = call.as_ref().and_then(|call| self.toolbox.asks(call, &self.permissions, self.view()));
            let ApprovalQuestion { reason, preview, binding, grantable } =
                asked.unwrap_or_else(ApprovalQuestion::for_missing_tool);
            let changed = self.machine.approval(id.call).and_then(|approval| approval.arguments.as_ref());
            let (reason, preview) = match (kind, changed) {
                (WaitKind::Approval, _) => (reason, preview),
                (WaitKind::Outcome, None) => (OUTCOME_QUESTION.to_owned(), preview),
                // The preview shows what the model's arguments would do.
                (WaitKind::Outcome, Some(Arguments(changed))) => {
                    (format!("{OUTCOME_QUESTION}; it ran with the arguments {changed}"), None)
                }
                (WaitKind::Question, _) => (NEEDS_ANSWER.to_owned(), None),
                (WaitKind::ClientTool, _) => (CLIENT_RUNS.to_owned(), None),
                (WaitKind::Child, _) => (CHILD_RUNS.to_owned(), None),
            };
            let question = self.machine.question(id.call).filter(|_| kind == WaitKind::Question);
            let question = question.map(|question| Box::new(question.without_state()));
            let (name, arguments) = call.map(|call| (call.name, call.arguments)).unwrap_or_default();
            let grantable = grantable.filter(|_| kind == WaitKind::Approval);
            let child = child.map(Box::new);
            let question = WaitQuestion { name, arguments, reason, preview, question, grantable, child };
            let longest = if kind == WaitKind::Child { MAX_CHILD_WAIT } else { self.settings.approval_ttl };
            let expires_at = self.clock.now().plus(longest);
            NewWait { id, kind, question, binding: binding.0, expires_at }
        })
    }

    /// Returns the waiting call, which is in the newest messages or in earlier ones.
    fn call(&self, id: WaitId, entries: &[Arc<Entry>]) -> Option<ToolCall> {
        let newest = entries.iter().flat_map(|entry| entry.message().calls()).find(|call| call.uid == id.call);
        newest.or_else(|| self.calls(&[id.call]).pop()).cloned()
    }
}

/// Returns the input that ends a turn whose waits are missing in the store, where they can no longer be decided.
fn undecided() -> Input {
    let why = "the resolutions of the turn's waits are missing from the store";
    let error = Some(("internal".to_owned(), why.to_owned()));
    Input::Stop { status: TurnStatus::Failed, error, partial: None, finished: Vec::new() }
}
