//! The addresses of a protocol.

use axum::response::Response;
use turnkit_core::TurnView;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

use super::{Head, Reader, TurnSubmission};
use crate::error::ApiError;

/// An address at which turns are started in a protocol. Requests are posted to it.
pub(crate) struct Endpoint {
    /// The path, as a pattern of the router.
    pub(crate) path: &'static str,
    /// Reads a request: its head and its body. One request is always read the same way.
    pub(crate) decode: fn(&Head<'_>, &[u8]) -> Result<TurnSubmission, ApiError>,
    /// Writes the answer to a submission that asks for [`Answer::Whole`](super::Answer), once the turn is over. An
    /// endpoint without it answers with a receipt, as soon as the turn is accepted.
    pub(crate) whole: Option<fn(&Reader, &TurnView) -> Response>,
    /// The form of a refusal. The guards write the usual body unless this sets a content type.
    pub(crate) refuse: fn(ApiError) -> Response,
    /// What the OpenAPI document says about it.
    pub(crate) docs: EndpointDocs,
}

/// What the OpenAPI document says about an endpoint.
pub(crate) struct EndpointDocs {
    /// The name of the operation, which no other has.
    pub(crate) operation_id: &'static str,
    /// What is done there, in a few words.
    pub(crate) summary: &'static str,
    /// What else there is to know.
    pub(crate) description: &'static str,
    /// The schema of a body: [`schema_of`] the type that is read.
    pub(crate) schema: fn(&mut Components) -> RefOr<Schema>,
    /// A body, as JSON.
    pub(crate) request: &'static str,
    /// A receipt as JSON, if there are receipts.
    pub(crate) receipt: Option<&'static str>,
    /// A stream.
    pub(crate) stream: &'static str,
}

/// Schemas by their names in the document.
pub(crate) type Components = Vec<(String, RefOr<Schema>)>;

/// Returns the schema of `T`, and adds those it refers to.
pub(crate) fn schema_of<T: ToSchema>(components: &mut Components) -> RefOr<Schema> {
    T::schemas(components);
    T::schema()
}
