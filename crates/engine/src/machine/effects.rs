//! The effects of a boundary of a turn.

use serde_json::{Map, Value};
use turnkit_core::{
    CallRecord, ErrorScope, Mark, Message, Notice, Part, ProviderError, Recorded, Role, TitleChange, TurnId,
    TurnStatus, Usage, WaitId, WaitKind,
};

/// The effects of an input, which are to be written.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Effects {
    /// New messages. If the model answered, the first one is its message, and is not made of notices only.
    pub messages: Vec<Message>,
    /// New entries of the log, after those that the running attempt has shown.
    pub log: Vec<Recorded>,
    /// New and changed receipts.
    pub receipts: Vec<CallRecord>,
    /// Waits of calls that begin now.
    pub waits: Vec<(WaitId, WaitKind)>,
    /// The turns whose messages this turn takes. They end.
    pub steered: Vec<TurnId>,
    /// Metadata for the session to keep.
    pub metadata: Map<String, Value>,
    /// The new title of the session, unless its user gave it one.
    pub title: Option<TitleChange>,
    /// Whether the effects must be durable before the turn continues. If not, they are written with the next ones.
    pub commit: bool,
    /// Whether the turn has nothing to do until its waits are decided.
    pub waiting: bool,
    /// Whether the turn is released to be continued by another owner.
    pub handed_over: bool,
    /// How the turn ended, and its usage.
    pub end: Option<(TurnStatus, Usage)>,
}

impl Effects {
    /// Appends the effects of the next input.
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

    pub(super) fn add_message(&mut self, mut message: Message, mark: Option<Mark>) {
        message.mark = mark;
        self.messages.push(message);
    }

    /// Logs an error, and keeps it with the messages.
    pub(super) fn error(&mut self, scope: ErrorScope, code: &str, message: &str, retryable: bool) {
        let (code, message) = (code.to_owned(), message.to_owned());
        self.keep_error(&code, &message);
        self.log.push(Recorded::Error { code, message, retryable, scope, attempts: Vec::new() });
    }

    /// Logs the failure of a model call with its attempts, and keeps it with the messages.
    pub(super) fn provider_error(&mut self, error: &ProviderError) {
        let (code, message) = (error.kind.code().to_owned(), error.message.clone());
        let (retryable, attempts) = (error.kind.is_transient(), error.attempts.clone());
        self.keep_error(&code, &message);
        self.log.push(Recorded::Error { code, message, retryable, scope: ErrorScope::Provider, attempts });
    }

    /// Keeps an error as a notice: the log is deleted long before the messages. The notice is added to the answer that
    /// was written last, or becomes a separate message.
    fn keep_error(&mut self, code: &str, message: &str) {
        let notice = Part::Notice(Notice { code: code.to_owned(), text: message.to_owned(), error: true });
        match self.messages.last_mut().filter(|last| last.role == Role::Assistant) {
            Some(answer) => answer.parts.push(notice),
            None => self.messages.push(Message::new(Role::Assistant, vec![notice])),
        }
    }
}
