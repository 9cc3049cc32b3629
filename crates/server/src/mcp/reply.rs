//! The replies to requests.

use serde_json::Value;

use super::call::Call;

/// The reply to a request.
pub(super) enum Reply {
    /// The response.
    Message(Value),
    /// A call in progress, whose messages end with the response.
    Call(Box<Call>),
}
