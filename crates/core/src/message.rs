//! Messages of a conversation, stored once and in their original order.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{BlobId, Edits, Part, Summary, ToolCall, ToolResult};

/// The author of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The person or program that talks to the agent.
    User,
    /// The model.
    Assistant,
    /// Results of the tool calls of the assistant message before it.
    Tool,
    /// Instructions.
    System,
}

/// Marks a message that is not an ordinary one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// The provider's stream ended early. The output received so far is kept.
    Interrupted,
    /// The turn was cancelled during the model's answer. The output received so far is kept.
    Cancelled,
    /// The message is a [`Summary`]: it leaves out earlier messages of its branch in the requests that follow.
    Summary,
    /// The message is [`Edits`]: it leaves out the contents of earlier tool results in the requests that follow.
    Edits,
    /// The user sent the message during its turn. It does not begin the turn.
    Steering,
}

/// The notice codes that begin the turns that the service starts by itself.
const CHORES: [&str; 2] = ["precompact", "title"];

/// One message of a transcript.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Message {
    /// The author of the message.
    pub role: Role,
    /// The parts of the message, in their original order.
    pub parts: Vec<Part>,
    /// The mark, if the message is not an ordinary one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
}

impl Message {
    /// Creates a message without a mark.
    pub fn new(role: Role, parts: Vec<Part>) -> Self {
        Self { role, parts, mark: None }
    }

    /// Creates a user message with one text.
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

    /// Marks the message as one that the user sent to a running turn.
    #[must_use]
    pub fn steering(self) -> Self {
        Self { mark: Some(Mark::Steering), ..self }
    }

    /// Returns `true` if the user sent the message to a running turn, so that it does not begin its turn.
    pub fn is_steering(&self) -> bool {
        self.role == Role::User && self.mark == Some(Mark::Steering)
    }

    /// Returns all visible text, without separators.
    pub fn text(&self) -> String {
        self.parts.iter().filter_map(Part::as_text).collect()
    }

    /// Returns `true` if the message holds tool calls or their results.
    pub fn has_calls_or_results(&self) -> bool {
        match self.role {
            Role::Assistant => self.calls().next().is_some(),
            Role::Tool => true,
            Role::User | Role::System => false,
        }
    }

    /// Returns `true` if the message refers to stored files. A model is sent their contents in place of their URLs.
    pub fn has_blobs(&self) -> bool {
        self.parts.iter().any(|part| part.blobs().next().is_some())
    }

    /// Returns the results in the message whose full contents are kept in files.
    pub fn kept_results(&self) -> impl Iterator<Item = (&ToolResult, BlobId)> {
        self.parts.iter().filter_map(|part| match part {
            Part::ToolResult(result) => Some((result, result.kept?)),
            _ => None,
        })
    }

    /// Returns the files of the results in the message: their full contents and their images.
    pub fn result_files(&self) -> impl Iterator<Item = BlobId> {
        let results = self.parts.iter().filter(|part| matches!(part, Part::ToolResult(_)));
        self.kept_results().map(|(_, kept)| kept).chain(results.flat_map(Part::blobs))
    }

    /// Returns `true` if the message consists of notices only. Such a message is not sent to models.
    pub fn is_notices_only(&self) -> bool {
        !self.parts.is_empty() && self.parts.iter().all(|part| matches!(part, Part::Notice(_)))
    }

    /// Returns the summary, if the message is a summary; `None` for a message of the user, the model or a tool.
    pub fn summary(&self) -> Option<&Summary> {
        self.mark.filter(|mark| *mark == Mark::Summary)?;
        self.parts.iter().find_map(|part| match part {
            Part::Summary(summary) => Some(summary),
            _ => None,
        })
    }

    /// Returns the edits, if the message consists of edits.
    pub fn edits(&self) -> Option<&Edits> {
        self.mark.filter(|mark| *mark == Mark::Edits)?;
        self.parts.iter().find_map(|part| match part {
            Part::Edits(edits) => Some(edits),
            _ => None,
        })
    }

    /// Returns `true` if the message changes which other messages, or contents of them, a model is sent. Neither the
    /// user nor the model wrote such a message.
    pub fn changes_view(&self) -> bool {
        self.summary().is_some() || self.edits().is_some()
    }

    /// Returns `true` if lists of messages omit it: it is a summary or edits, or it begins a turn that the service
    /// started by itself.
    pub fn is_hidden(&self) -> bool {
        let begins_chore = |part: &Part| matches!(part, Part::Notice(notice) if CHORES.contains(&&*notice.code));
        self.changes_view() || self.role == Role::User && self.parts.iter().any(begins_chore)
    }

    /// Returns the contexts in the message, in order.
    pub fn contexts(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(|part| matches!(part, Part::Context(_)))
    }

    /// Returns the tool calls in the message, in order.
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.parts.iter().filter_map(|part| match part {
            Part::ToolCall(call) => Some(call),
            _ => None,
        })
    }
}
