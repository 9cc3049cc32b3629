//! Edits that leave the contents of tool results out of model requests.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Leaves the contents of tool results out of model requests. A message with [`Mark::Edits`](crate::Mark) holds one.
///
/// ```
/// use turnkit_core::{Edits, History, Message, Part, PruneReason, PrunedResult, Role, ToolResult};
///
/// let result: ToolResult = serde_json::from_str(
///     r#"{"uid":"00000000-0000-0000-0000-000000000001.1.0","name":"read","ok":true,"content":"fn main() {}"}"#,
/// )?;
/// let results = Message::new(Role::Tool, vec![Part::ToolResult(result)]);
/// let edits = Edits { blank: vec![PrunedResult { place: 0, part: 0, reason: PruneReason::Stale }] };
/// let history = History::of([results, Message::of_edits(edits)]);
/// let sent: Vec<_> = history.iter().flat_map(|entry| &entry.message().parts).collect();
/// assert!(matches!(sent[..], [Part::ToolResult(result)] if result.content == PruneReason::Stale.placeholder()));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Edits {
    /// The results, in the order of the branch.
    pub blank: Vec<PrunedResult>,
}

/// A tool result whose content is no longer sent. The call and the rest of the result are still sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct PrunedResult {
    /// The index of the result's message in the branch, from 0.
    pub place: u32,
    /// The index of the result among the parts of that message, from 0.
    pub part: u32,
    /// The reason why its content is left out.
    #[serde(rename = "why")]
    pub reason: PruneReason,
}

/// The reason why the content of a tool result is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum PruneReason {
    /// A later result has the same content, or a later call changed what this one shows.
    Superseded,
    /// The content is old: enough newer results follow.
    Stale,
    /// The call failed, and the tool succeeded later.
    #[serde(rename = "failed_then_done")]
    RetriedSuccessfully,
    /// The tool found nothing.
    #[serde(rename = "useless")]
    Empty,
}

impl PruneReason {
    /// Returns the text that a model is sent in place of the content.
    pub fn placeholder(self) -> &'static str {
        match self {
            Self::Superseded => "[left out: it was read again or changed later]",
            Self::Stale => "[left out: newer results follow]",
            Self::RetriedSuccessfully => "[left out: the call failed and was made again]",
            Self::Empty => "[nothing found]",
        }
    }
}
