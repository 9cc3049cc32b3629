//! The caller of a request.

use serde::Deserialize;

/// The caller of a request, as its verified token names it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Caller {
    /// The user. For a token that a client got for itself, this is the id of the client.
    #[serde(rename = "sub")]
    pub user: String,
    /// The id of the client that the token was issued to.
    #[serde(rename = "client_id")]
    pub client: Option<String>,
}
