//! The answer to a question.

use std::fmt;
use std::sync::Arc;

use turnkit_core::{Cost, Entry, Message, Usage};

/// The answer to a question.
///
/// It is displayed as its [text](Self::text).
#[derive(Debug, Clone)]
pub struct Answer {
    pub(crate) text: String,
    pub(crate) final_text: Option<String>,
    pub(crate) usage: Usage,
    pub(crate) messages: Vec<Arc<Entry>>,
}

impl Answer {
    /// Returns all visible text of the turn, which [`TextDeltas`](crate::TextDeltas) yields in pieces.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the text that the model wrote after its last tool call. Without tool calls, this is the whole text.
    pub fn final_text(&self) -> &str {
        self.final_text.as_deref().unwrap_or(&self.text)
    }

    /// Returns the token usage of the turn's model calls.
    pub fn usage(&self) -> &Usage {
        &self.usage
    }

    /// Returns the cost of the turn's model calls, as far as their prices are known.
    pub fn cost(&self) -> Cost {
        self.usage.cost
    }

    /// Returns the messages of the turn, oldest first: the question, the model's messages and the tool results.
    pub fn messages(&self) -> impl Iterator<Item = &Message> {
        self.messages.iter().map(|entry| entry.message())
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
