//! Settings of what an agent's model is sent.

/// Which messages of a session an agent's model is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ContextSettings {
    /// The most messages of a request; 0: no limit. Before a request has more, the oldest are left out, down to half as
    /// many. They stay in the session.
    pub max_messages: u32,
}
