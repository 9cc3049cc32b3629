//! What a boundary of a turn leaves behind.

use serde_json::{Map, Value};
use turnkit_core::{
    CallRecord, ErrorScope, Mark, Message, Notice, Part, ProviderError, Recorded, Retitle, Role, TurnId, TurnStatus,
    Usage, WaitId, WaitKind,
};

/// What to write.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Effects {
    /// New messages; the first is the assistant's, and not of notices only, if the model spoke.
    pub messages: Vec<Message>,
    /// New entries of the log, after what the running attempt has shown.
    pub log: Vec<Recorded>,
    /// New and changed receipts.
    pub receipts: Vec<CallRecord>,
    /// Decisions that calls wait for from now on.
    pub waits: Vec<(WaitId, WaitKind)>,
    /// The turns whose messages the turn takes. They end.
    pub steered: Vec<TurnId>,
    /// What the session is to remember.
    pub metadata: Map<String, Value>,
    /// The title that the session gets unless its user gave it one.
    pub title: Option<Retitle>,
    /// Whether it must be durable before the turn goes on. If not, it is written with what follows.
    pub commit: bool,
    /// Whether the turn has nothing to do until calls are decided.
    pub waiting: bool,
    /// Whether the turn is released to be continued by another owner.
    pub handed_over: bool,
    /// How the turn ended, and what it consumed.
    pub end: Option<(TurnStatus, Usage)>,
}

impl Effects {
    /// Puts what follows behind this.
    #[must_use]
    pub fn then(mut self, next: Self) -> Self {
        self.messages.extend(next.messages);
        self.log.extend(next.log);
        self.receipts.extend(next.receipts);
        self.waits.extend(next.waits);
        self.steered.extend(next.steered);
        self.metadata.extend(next.metadata);
        let Self { title, commit, waiting, handed_over, end, .. } = next;
        Self { title: title.or(self.title), commit, waiting, handed_over, end, ..self }
    }

    pub(super) fn says(&mut self, mut message: Message, mark: Option<Mark>) {
        message.mark = mark;
        self.messages.push(message);
    }

    /// Logs an error and keeps it as a notice: the log is deleted long before the messages. The notice joins the answer
    /// that was written last, or becomes a message of its own.
    pub(super) fn error(&mut self, scope: ErrorScope, code: &str, message: &str, retryable: bool) {
        let (code, message) = (code.to_owned(), message.to_owned());
        let notice = Part::Notice(Notice { code: code.clone(), text: message.clone(), error: true });
        match self.messages.last_mut().filter(|last| last.role == Role::Assistant) {
            Some(answer) => answer.parts.push(notice),
            None => self.messages.push(Message::new(Role::Assistant, vec![notice])),
        }
        self.log.push(Recorded::Error { code, message, retryable, scope });
    }

    pub(super) fn provider_error(&mut self, error: &ProviderError) {
        self.error(ErrorScope::Provider, error.kind.code(), &error.message, error.kind.is_transient());
    }
}
