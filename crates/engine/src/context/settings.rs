//! Settings of what an agent's model is sent.

/// Which messages of a session an agent's model is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContextSettings {
    /// The most messages of a request; 0: no limit. Before a request has more, the oldest are left out, down to half as
    /// many, or summarised by the host's compactor if there is one. They stay in the session.
    pub max_messages: u32,
    /// The most tokens of a request and its answer; absent: the model's window.
    pub budget: Option<u32>,
    /// The share of these tokens in percent. Before a request fills more, contents of tool results are left out, or the
    /// oldest messages are summarised or left out.
    pub compact_at: u8,
    /// Whether the oldest messages are summarised before a request fills too much. If not, or if that fails and the request
    /// would not fit, they are left out.
    pub summarise: bool,
    /// How many of the newest messages stay besides a summary. Fewer stay if these would fill more than half of the room for
    /// messages, and two if the user asks for the summary.
    pub keep_messages: u32,
    /// When the contents of tool results are left out that are not needed any more. They stay in the session.
    pub pruning: Pruning,
    /// The number of newest tool results whose contents are sent when the agent prunes; 0: no limit. Contents of less than
    /// 50 tokens are not counted and stay.
    pub keep_results: u32,
    /// The share of the tokens in percent above which a turn that has ended has the oldest messages summarised in the
    /// background, before the next turn needs the room; 0: never. Without `summarise` it has no effect.
    pub precompact_at: u8,
    /// Whether the model writes a title of a session after its first answer, in the background. A title that the user gave
    /// the session stays.
    pub titles: bool,
}

/// When the contents of tool results are left out that are not needed any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pruning {
    /// Never.
    Never,
    /// Before a request would fill too much, if that makes enough room.
    Pressure,
    /// Also between two turns near the end of the session, and within a turn as soon as that is worth a miss of the
    /// provider's prompt cache.
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
