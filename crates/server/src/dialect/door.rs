//! Where a protocol's turns are started.

use axum::http::StatusCode;

/// The address of a protocol, and what the OpenAPI document says about it.
pub(crate) struct Door {
    /// Where requests are posted.
    pub(crate) path: &'static str,
    /// What is done there, in a few words.
    pub(crate) summary: &'static str,
    /// What else there is to know.
    pub(crate) description: &'static str,
    /// The JSON Schema of a body.
    pub(crate) schema: &'static str,
    /// A body, as JSON.
    pub(crate) request: &'static str,
    /// How a client is told that its turn is accepted, as JSON, if it need not read the stream.
    pub(crate) receipt: Option<&'static str>,
    /// A stream.
    pub(crate) stream: &'static str,
    /// The status of a request that can be read and is wrong.
    pub(crate) wrong: StatusCode,
}
