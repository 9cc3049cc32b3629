//! The capabilities of clients.

/// The capabilities of the client that requested a turn. By default it has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClientCaps {
    /// The client can answer questions and approve calls. Without this, the turn runs headless.
    pub interact: bool,
    /// The client can resume the turn's event stream after a disconnect.
    pub resume: bool,
}
