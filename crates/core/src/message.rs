//! What was said, stored once and in true order.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{BlobId, Edits, Part, Summary, ToolCall, ToolResult};

/// The author of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The person, or the program, that talks to the agent.
    User,
    /// The model.
    Assistant,
    /// Results of the tool calls of the assistant message before it.
    Tool,
    /// Instructions.
    System,
}

/// Why a message is not an ordinary one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// The provider broke off; what arrived was kept.
    Interrupted,
    /// The turn was cancelled while the model spoke; what arrived was kept.
    Cancelled,
    /// The message is a [`Summary`]: it leaves out earlier messages of its branch in the requests that follow.
    Summary,
    /// The message is [`Edits`]: it leaves out the contents of earlier tool results in the requests that follow.
    Edits,
    /// The user sent the message while its turn ran. It does not begin the turn.
    Steering,
}

/// The codes of the notices that begin turns which the service makes itself.
const CHORES: [&str; 2] = ["precompact", "title"];

/// One message of a transcript.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What was said, in the order it was said.
    pub parts: Vec<Part>,
    /// Why this message is special, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
}

impl Message {
    /// An unmarked message.
    pub fn new(role: Role, parts: Vec<Part>) -> Self {
        Self { role, parts, mark: None }
    }

    /// A user message of one text.
    pub fn user(text: impl Into<String>) -> Self {
        Self::new(Role::User, vec![Part::text(text)])
    }

    /// Creates a summary message. Its text is sent to models in the role of the user.
    pub fn of_summary(summary: Summary) -> Self {
        Self { role: Role::User, parts: vec![Part::Summary(summary)], mark: Some(Mark::Summary) }
    }

    /// Creates a message of edits. It is not sent to models.
    pub fn of_edits(edits: Edits) -> Self {
        Self { role: Role::System, parts: vec![Part::Edits(edits)], mark: Some(Mark::Edits) }
    }

    /// The message as one that the user sent to a running turn.
    #[must_use]
    pub fn steering(self) -> Self {
        Self { mark: Some(Mark::Steering), ..self }
    }

    /// Reports whether the user sent the message to a running turn: it does not begin the turn that it is in.
    pub fn is_steering(&self) -> bool {
        self.role == Role::User && self.mark == Some(Mark::Steering)
    }

    /// All visible text, without separators.
    pub fn text(&self) -> String {
        self.parts.iter().filter_map(Part::as_text).collect()
    }

    /// Reports whether the message holds tool calls or their results.
    pub fn is_of_calls(&self) -> bool {
        match self.role {
            Role::Assistant => self.calls().next().is_some(),
            Role::Tool => true,
            Role::User | Role::System => false,
        }
    }

    /// Reports whether the message names uploaded files, whose contents a model is sent in place of their URLs.
    pub fn has_blobs(&self) -> bool {
        self.parts.iter().any(|part| part.blob().is_some())
    }

    /// The results in it whose whole content is kept in a file.
    pub fn kept_results(&self) -> impl Iterator<Item = (&ToolResult, BlobId)> {
        self.parts.iter().filter_map(|part| match part {
            Part::ToolResult(result) => Some((result, result.kept?)),
            _ => None,
        })
    }

    /// Reports whether the message holds notices only. Models do not see such a message.
    pub fn is_of_notices(&self) -> bool {
        !self.parts.is_empty() && self.parts.iter().all(|part| matches!(part, Part::Notice(_)))
    }

    /// The summary, if the message is one; `None` for a message of the user, the model or a tool.
    pub fn summary(&self) -> Option<&Summary> {
        self.mark.filter(|mark| *mark == Mark::Summary)?;
        self.parts.iter().find_map(|part| match part {
            Part::Summary(summary) => Some(summary),
            _ => None,
        })
    }

    /// The edits, if the message is of edits.
    pub fn edits(&self) -> Option<&Edits> {
        self.mark.filter(|mark| *mark == Mark::Edits)?;
        self.parts.iter().find_map(|part| match part {
            Part::Edits(edits) => Some(edits),
            _ => None,
        })
    }

    /// Reports whether the message changes what a model is sent of other messages. Neither the user nor the
    /// model wrote it.
    pub fn changes_view(&self) -> bool {
        self.summary().is_some() || self.edits().is_some()
    }

    /// Reports whether lists of messages leave it out: it changes what a model is sent, or begins a turn that the service
    /// made itself.
    pub fn is_hidden(&self) -> bool {
        let begins_chore = |part: &Part| matches!(part, Part::Notice(notice) if CHORES.contains(&&*notice.code));
        self.changes_view() || self.role == Role::User && self.parts.iter().any(begins_chore)
    }

    /// The contexts in it, in order.
    pub fn contexts(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(|part| matches!(part, Part::Context(_)))
    }

    /// The tool calls the message asks for, in order.
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.parts.iter().filter_map(|part| match part {
            Part::ToolCall(call) => Some(call),
            _ => None,
        })
    }
}
