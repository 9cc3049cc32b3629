//! A strict reader of transcripts: it refuses whatever any provider is known to refuse.

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

/// A rule that a transcript breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("message {message}: {problem}")]
pub struct Violation {
    /// The index of the message, from 0.
    pub message: usize,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What can be wrong with a transcript.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Something is not of the shape the wire has.
    #[error("{0}")]
    Shape(String),
    /// The transcript has no user message.
    #[error("there is no user message")]
    NoUser,
    /// The conversation does not begin with the user.
    #[error("the conversation must begin with the user")]
    FirstNotUser,
    /// Instructions after the conversation began.
    #[error("a system message after the conversation began")]
    SystemNotFirst,
    /// Two assistant messages in a row, the first of which was not paused.
    #[error("two assistant messages in a row")]
    AssistantTwice,
    /// A request that ends with the assistant leaves nothing to answer.
    #[error("the last message is the assistant's")]
    EndsWithAssistant,
    /// A message without content, and without calls if it is the assistant's.
    #[error("an empty message")]
    Empty,
    /// A call whose result does not follow at once.
    #[error("call {0} has no result right after it")]
    MissingResult(String),
    /// A result that belongs to no open call.
    #[error("result for {0}, which is no open call")]
    OrphanResult(String),
    /// Results in another order than their calls.
    #[error("result for {0} out of the order of the calls")]
    ResultOutOfOrder(String),
    /// Two calls of a message with one id.
    #[error("call id {0} twice in one message")]
    DuplicateCallId(String),
    /// Arguments that are no JSON object.
    #[error("arguments of call {0} are not a JSON object")]
    BrokenArguments(String),
    /// A tool's name that providers refuse.
    #[error("tool name {0:?} is not 1 to 64 letters, digits, dashes or underscores")]
    IllegalName(String),
}

/// All violations as one sentence.
pub fn listed(violations: &[Violation]) -> String {
    let list: Vec<_> = violations.iter().map(ToString::to_string).collect();
    format!("malformed transcript: {}", list.join("; "))
}

/// What a message says, whichever form it came in.
pub(crate) struct Said {
    /// Its index where it came from.
    pub(crate) message: usize,
    pub(crate) role: Role,
    pub(crate) has_content: bool,
    /// What an assistant message calls.
    pub(crate) calls: Vec<Call>,
    /// The call whose result a tool message is.
    pub(crate) answers: Option<String>,
    /// Whether the provider may have paused this answer, so that another one may continue it.
    pub(crate) may_be_paused: bool,
}

/// A call of an assistant message.
pub(crate) struct Call {
    pub(crate) id: String,
    pub(crate) name: String,
    /// The arguments, if they are in the form that goes to a provider and so must be JSON.
    pub(crate) arguments: Option<String>,
}

/// Checks messages one by one against the rules.
#[derive(Default)]
pub(crate) struct Checker {
    violations: Vec<Violation>,
    previous: Option<Role>,
    /// Whether the previous message is an answer that another one may continue.
    is_paused: bool,
    last: usize,
    /// Calls of the last assistant message that have no result yet, and where they were made.
    open: Vec<(usize, String)>,
}

impl Checker {
    pub(crate) fn violation(&mut self, message: usize, problem: Problem) {
        self.violations.push(Violation { message, problem });
    }

    pub(crate) fn check(&mut self, said: &Said) {
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

    /// Everything that was found. `is_request`: the model is to answer next.
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

    fn place(&mut self, said: &Said) {
        let begins = matches!(self.previous, None | Some(Role::System));
        let problem = match said.role {
            Role::System if !begins => Problem::SystemNotFirst,
            Role::Assistant if begins => Problem::FirstNotUser,
            Role::Assistant if self.previous == Some(Role::Assistant) && !self.is_paused => Problem::AssistantTwice,
            _ => return,
        };
        self.violation(said.message, problem);
    }

    fn result(&mut self, said: &Said) {
        let id = said.answers.clone().unwrap_or_default();
        match self.open.iter().position(|(_, open)| *open == id) {
            Some(0) => {}
            Some(_) => self.violation(said.message, Problem::ResultOutOfOrder(id.clone())),
            None => self.violation(said.message, Problem::OrphanResult(id.clone())),
        }
        self.open.retain(|(_, open)| *open != id);
    }

    fn calls(&mut self, said: &Said) {
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
