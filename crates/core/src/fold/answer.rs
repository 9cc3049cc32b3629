//! What a fold ends as.

use crate::{CallUid, FinishReason, Part, Usage};

/// A whole answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// What the model said, in order.
    pub parts: Vec<Part>,
    /// Why it stopped.
    pub finish: FinishReason,
    /// What it consumed.
    pub usage: Usage,
    /// Calls whose arguments were cut off: they must not run.
    pub cut: Vec<CallUid>,
}

/// What was there when an answer broke off.
#[derive(Debug, Clone, PartialEq)]
pub struct Partial {
    /// What the model had said, in order.
    pub parts: Vec<Part>,
    /// What the provider had counted. Before the answer's end that is not all of it, so the call is unmetered.
    pub usage: Option<Usage>,
    /// Calls that were not whole: they must not run.
    pub cut: Vec<CallUid>,
}

impl Answer {
    /// All visible text.
    pub fn text(&self) -> String {
        self.parts.iter().filter_map(Part::as_text).collect()
    }
}
