//! A turn as its log tells it.

use std::sync::Arc;

use super::Chunk;
use crate::{ClientCaps, Entry, SessionId, TurnId};

/// The log of one turn with the messages it refers to.
#[derive(Debug, Clone)]
pub struct LoggedTurn {
    /// The session.
    pub session: SessionId,
    /// The turn.
    pub turn: TurnId,
    /// Its number in the session.
    pub number: u32,
    /// What the client that asked for it can do.
    pub caps: ClientCaps,
    /// Its messages, the user's first. A queued turn has only that one.
    pub messages: Vec<Arc<Entry>>,
    /// Its log, in order.
    pub chunks: Vec<Chunk>,
}
