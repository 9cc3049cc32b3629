//! What a client can do.

/// What the client that asked for a turn is able to do; by default, nothing but ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClientCaps {
    /// It can answer questions and approve calls. Without it the turn runs headless.
    pub interact: bool,
    /// It can come back to the turn after a disconnect.
    pub resume: bool,
}
