//! Settings of what an agent's model is sent.

/// Which messages of a session an agent's model is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContextSettings {
    /// The most messages of a request; 0: no limit. Before a request has more, the oldest are left out, down to half as
    /// many. They stay in the session.
    pub max_messages: u32,
    /// The most tokens of a request and its answer; absent: the model's window.
    pub budget: Option<u32>,
    /// The share of these tokens in percent. Before a request fills more, the oldest messages are left out.
    pub compact_at: u8,
}

impl Default for ContextSettings {
    fn default() -> Self {
        Self { max_messages: 0, budget: None, compact_at: 85 }
    }
}
