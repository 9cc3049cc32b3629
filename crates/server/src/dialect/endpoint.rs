//! The endpoints of a protocol.

use axum::response::Response;
use turnkit_core::TurnView;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

use super::{Head, StreamContext, TurnSubmission};
use crate::error::ApiError;

/// An endpoint of a protocol that starts turns. Requests are posted to it.
pub(crate) struct Endpoint {
    /// The path, as a pattern of the router.
    pub(crate) path: &'static str,
    /// Decodes a request from its head and its body. The same request is always decoded to the same submission.
    pub(crate) decode: fn(&Head<'_>, &[u8]) -> Result<TurnSubmission, ApiError>,
    /// Writes the response to a submission that asks for [`Answer::Whole`](super::Answer), once the turn has ended. An
    /// endpoint without this function responds with a receipt as soon as the turn is accepted.
    pub(crate) whole: Option<fn(&StreamContext, &TurnView) -> Response>,
    /// Writes an error response. If it sets no content type, the guards add the standard body.
    pub(crate) error_response: fn(ApiError) -> Response,
    /// The endpoint's part of the OpenAPI document.
    pub(crate) docs: EndpointDocs,
}

/// The description of an endpoint in the OpenAPI document.
pub(crate) struct EndpointDocs {
    /// The unique name of the operation.
    pub(crate) operation_id: &'static str,
    /// A summary of a few words.
    pub(crate) summary: &'static str,
    /// The full description.
    pub(crate) description: &'static str,
    /// The schema of the request body, usually [`schema_of`] the type that reads it.
    pub(crate) schema: fn(&mut Components) -> RefOr<Schema>,
    /// An example of a body, as JSON.
    pub(crate) request: &'static str,
    /// An example of a receipt, as JSON, if the endpoint sends receipts.
    pub(crate) receipt: Option<&'static str>,
    /// An example of a stream.
    pub(crate) stream: &'static str,
}

/// Schemas by their names in the document.
pub(crate) type Components = Vec<(String, RefOr<Schema>)>;

/// Returns the schema of `T` and adds the schemas it refers to.
pub(crate) fn schema_of<T: ToSchema>(components: &mut Components) -> RefOr<Schema> {
    T::schemas(components);
    T::schema()
}
