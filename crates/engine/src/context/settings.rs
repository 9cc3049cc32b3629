//! Settings of an agent's model requests.

/// Limits on the messages of a session that are sent to an agent's model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContextSettings {
    /// The maximum number of messages of a request; 0: no limit. Before a request exceeds it, the oldest messages are
    /// left out, down to half the limit, or summarised by the host's compactor if there is one. They stay in the
    /// session.
    pub max_messages: u32,
    /// The token limit of a request together with its answer. Absent: the model's window.
    pub budget: Option<u32>,
    /// The share of this limit in percent that a request may fill. Before a request fills more, contents of tool
    /// results are left out, or the oldest messages are summarised or left out.
    pub compact_at: u8,
    /// Whether the oldest messages are summarised before a request fills too much of the limit. If not, or if the
    /// summary fails and the request would not fit, they are left out.
    pub summarise: bool,
    /// The number of newest messages that stay after a summary. Fewer stay if these would fill more than half of the
    /// room for messages. Two stay if the user asks for the summary.
    pub keep_messages: u32,
    /// The pruning policy for contents of tool results that are no longer needed. Pruned contents stay in the session.
    pub pruning: Pruning,
    /// The number of newest tool results whose contents are sent when the agent prunes; 0: no limit. Contents of less
    /// than 50 tokens do not count and stay.
    pub keep_results: u32,
    /// The share of the limit in percent above which the oldest messages are summarised in the background after a turn,
    /// before the next turn needs the room; 0: never. Has no effect without `summarise`.
    pub precompact_at: u8,
    /// Whether the model writes a title for a session in the background after its first answer. A title that the user
    /// set is kept.
    pub titles: bool,
}

/// The pruning policy: when contents of tool results that are no longer needed are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pruning {
    /// Never.
    Never,
    /// Before a request would fill too much of the limit, if pruning makes enough room.
    Pressure,
    /// Also between two turns, near the end of the session, and within a turn as soon as the saving is worth a miss of
    /// the provider's prompt cache.
    Always,
}

impl Default for ContextSettings {
    fn default() -> Self {
        Self {
            max_messages: 0,
            budget: None,
            compact_at: 85,
            summarise: true,
            keep_messages: 10,
            pruning: Pruning::Pressure,
            keep_results: 0,
            precompact_at: 75,
            titles: false,
        }
    }
}
