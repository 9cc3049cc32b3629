//! The results of a fold.

use crate::{CallUid, FinishReason, Part, Usage};

/// A complete answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The parts of the answer, in order.
    pub parts: Vec<Part>,
    /// Why the model stopped.
    pub finish: FinishReason,
    /// The usage of the call.
    pub usage: Usage,
    /// Calls whose arguments were cut off. They must not run.
    pub cut: Vec<CallUid>,
}

/// The part of an answer that had arrived when the stream ended early.
#[derive(Debug, Clone, PartialEq)]
pub struct PartialAnswer {
    /// The parts of the answer, in order.
    pub parts: Vec<Part>,
    /// The usage that the provider had reported. It is incomplete before the end of the answer, so the call is
    /// unmetered.
    pub usage: Option<Usage>,
    /// Incomplete calls. They must not run.
    pub cut: Vec<CallUid>,
}

impl Answer {
    /// Returns all visible text.
    pub fn text(&self) -> String {
        self.parts.iter().filter_map(Part::as_text).collect()
    }
}
