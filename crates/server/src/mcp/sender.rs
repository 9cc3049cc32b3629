//! The sender of a message, and the way by which the message came.

use axum::http::HeaderMap;
use uuid::Uuid;

use crate::app::App;
use crate::auth::Principal;

/// The sender of a message.
pub(super) struct Sender<'a> {
    pub(super) app: &'a App,
    pub(super) principal: &'a Principal,
    /// The connection of the client, on which each id of a request is used once. Absent for clients without one.
    pub(super) connection: Option<Uuid>,
    /// The headers of the message; empty if it did not come over HTTP.
    pub(super) headers: &'a HeaderMap,
    pub(super) disconnect: Disconnect,
}

/// The meaning of a response that the client closes before its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Disconnect {
    /// The client cancels the call.
    Cancels,
    /// The client left, and the turn continues.
    Leaves,
}
