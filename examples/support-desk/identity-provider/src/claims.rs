//! The claims of access tokens.

use serde::{Deserialize, Serialize};

/// The claims of an access token, as in RFC 9068.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Claims {
    pub(crate) iss: String,
    /// The user, or the client that got a token for itself.
    pub(crate) sub: String,
    pub(crate) aud: Vec<String>,
    pub(crate) client_id: String,
    pub(crate) iat: u64,
    pub(crate) nbf: u64,
    pub(crate) exp: u64,
    pub(crate) jti: String,
    /// The client that acts for the user, in a token of an exchange.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) act: Option<Actor>,
}

/// The client that acts for a user.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Actor {
    pub(crate) sub: String,
}
