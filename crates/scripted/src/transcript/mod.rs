//! A strict transcript checker, which rejects everything that any provider is known to reject.

mod chat_completions;
mod declared;
mod generate_content;
mod history;
mod lines;
mod messages;
mod request;
mod responses;

pub use chat_completions::check_chat_completions;
pub use generate_content::check_generate_content;
pub use history::{check_history, check_request};
pub use lines::lines;
pub use messages::check_messages;
pub use request::{Check, check_for};
pub use responses::check_responses;

use turnkit_core::Role;

/// A violation of a transcript rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("message {message}: {problem}")]
pub struct Violation {
    /// The index of the message, counted from 0.
    pub message: usize,
    /// The rule that the message breaks.
    pub problem: Problem,
}

/// A rule that a transcript can break.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// A value does not have the shape that the wire format requires.
    #[error("{0}")]
    Shape(String),
    /// The transcript has no user message.
    #[error("there is no user message")]
    NoUser,
    /// The conversation does not begin with the user.
    #[error("the conversation must begin with the user")]
    FirstNotUser,
    /// Instructions appear after the conversation has begun.
    #[error("a system message after the conversation began")]
    SystemNotFirst,
    /// Two assistant messages follow each other, and the first was not paused.
    #[error("two assistant messages in a row")]
    AssistantTwice,
    /// A request ends with an assistant message, which leaves nothing to answer.
    #[error("the last message is the assistant's")]
    EndsWithAssistant,
    /// A message has no content. An assistant message may instead have calls.
    #[error("an empty message")]
    Empty,
    /// A call is not directly followed by its result.
    #[error("call {0} has no result right after it")]
    MissingResult(String),
    /// A result belongs to no open call.
    #[error("result for {0}, which is not an open call")]
    OrphanResult(String),
    /// Results are in a different order than their calls.
    #[error("result for {0} out of the order of the calls")]
    ResultOutOfOrder(String),
    /// Two calls of a message have the same id.
    #[error("call id {0} twice in one message")]
    DuplicateCallId(String),
    /// The arguments of a call are not a JSON object.
    #[error("arguments of call {0} are not a JSON object")]
    BrokenArguments(String),
    /// The name of a tool is one that providers reject.
    #[error("tool name {0:?} is not 1 to 64 letters, digits, dashes or underscores")]
    IllegalName(String),
}

/// Joins all violations into one sentence.
pub fn join_violations(violations: &[Violation]) -> String {
    let list: Vec<_> = violations.iter().map(ToString::to_string).collect();
    format!("malformed transcript: {}", list.join("; "))
}

/// The content of a message, independent of its wire format.
pub(crate) struct MessageContent {
    /// The index of the message in the request.
    pub(crate) message: usize,
    pub(crate) role: Role,
    pub(crate) has_content: bool,
    /// The calls of an assistant message.
    pub(crate) calls: Vec<Call>,
    /// The id of the call that a tool message answers.
    pub(crate) answers: Option<String>,
    /// Whether the provider may have paused this answer, so that another answer may continue it.
    pub(crate) may_be_paused: bool,
}

/// A call of an assistant message.
pub(crate) struct Call {
    pub(crate) id: String,
    pub(crate) name: String,
    /// The arguments, if they are in the form sent to a provider and so must be JSON.
    pub(crate) arguments: Option<String>,
}

/// Checks messages one by one against the rules.
#[derive(Default)]
pub(crate) struct Checker {
    violations: Vec<Violation>,
    previous: Option<Role>,
    /// Whether the previous message is an answer that another answer may continue.
    is_paused: bool,
    last: usize,
    /// The calls of the last assistant message that have no result yet, with the index of that message.
    open: Vec<(usize, String)>,
}

impl Checker {
    pub(crate) fn violation(&mut self, message: usize, problem: Problem) {
        self.violations.push(Violation { message, problem });
    }

    pub(crate) fn check(&mut self, said: &MessageContent) {
        if said.role == Role::Tool {
            self.result(said);
        } else {
            self.close_calls();
            self.place(said);
        }
        if !said.has_content && said.calls.is_empty() {
            self.violation(said.message, Problem::Empty);
        }
        self.calls(said);
        self.previous = Some(said.role);
        self.is_paused = said.may_be_paused;
        self.last = said.message;
    }

    /// Returns all violations found. `is_request` is `true` if the model is to answer next.
    pub(crate) fn finish(mut self, is_request: bool) -> Result<(), Vec<Violation>> {
        self.close_calls();
        match self.previous {
            Some(Role::Assistant) if is_request && !self.is_paused => {
                self.violation(self.last, Problem::EndsWithAssistant)
            }
            None | Some(Role::System) if is_request => self.violation(self.last, Problem::NoUser),
            _ => {}
        }
        if self.violations.is_empty() { Ok(()) } else { Err(self.violations) }
    }

    fn place(&mut self, said: &MessageContent) {
        let begins = matches!(self.previous, None | Some(Role::System));
        let problem = match said.role {
            Role::System if !begins => Problem::SystemNotFirst,
            Role::Assistant if begins => Problem::FirstNotUser,
            Role::Assistant if self.previous == Some(Role::Assistant) && !self.is_paused => Problem::AssistantTwice,
            _ => return,
        };
        self.violation(said.message, problem);
    }

    fn result(&mut self, said: &MessageContent) {
        let id = said.answers.clone().unwrap_or_default();
        match self.open.iter().position(|(_, open)| *open == id) {
            Some(0) => {}
            Some(_) => self.violation(said.message, Problem::ResultOutOfOrder(id.clone())),
            None => self.violation(said.message, Problem::OrphanResult(id.clone())),
        }
        self.open.retain(|(_, open)| *open != id);
    }

    fn calls(&mut self, said: &MessageContent) {
        for call in &said.calls {
            if self.open.iter().any(|(_, open)| *open == call.id) {
                self.violation(said.message, Problem::DuplicateCallId(call.id.clone()));
            }
            if !is_legal_name(&call.name) {
                self.violation(said.message, Problem::IllegalName(call.name.clone()));
            }
            if call.arguments.as_deref().is_some_and(|arguments| !is_object(arguments)) {
                self.violation(said.message, Problem::BrokenArguments(call.id.clone()));
            }
            self.open.push((said.message, call.id.clone()));
        }
    }

    fn close_calls(&mut self) {
        for (message, id) in std::mem::take(&mut self.open) {
            self.violation(message, Problem::MissingResult(id));
        }
    }
}

fn is_object(json: &str) -> bool {
    serde_json::from_str::<serde_json::Map<_, _>>(json).is_ok()
}

pub(crate) fn is_legal_name(name: &str) -> bool {
    (1..=64).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}
