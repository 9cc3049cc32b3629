//! The body of an error response, with the fields that clients of OpenAI read.

use serde::Serialize;
use utoipa::ToSchema;

use super::ApiError;
use super::code::{ErrorCode, ErrorType};

/// The reason why a request was rejected. The request had no effect, unless the header `x-turn-id` names a turn: then
/// the turn was accepted, and only its events could not be sent.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErrorBody<'a> {
    #[schema(inline)]
    error: ErrorObject<'a>,
}

#[derive(Debug, Serialize, ToSchema)]
struct ErrorObject<'a> {
    // Fields without a doc comment are described by their types; with both, the document would contain both
    // descriptions.
    #[schema(inline)]
    code: ErrorCode,
    /// A description for people.
    message: &'a str,
    #[schema(inline)]
    r#type: ErrorType,
    /// The invalid field of the request, or null.
    #[schema(required)]
    param: Option<&'a str>,
    /// The id of the request in the server's log.
    request_id: &'a str,
    /// Whether the same request may succeed later.
    retryable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable = false)]
    details: Option<Details<'a>>,
}

/// Further details.
#[derive(Debug, Serialize, ToSchema)]
struct Details<'a> {
    /// The same as `param`.
    field: &'a str,
}

impl<'a> ErrorBody<'a> {
    pub(super) fn new(error: &'a ApiError, request_id: &'a str) -> Self {
        let param = error.field.as_deref();
        Self {
            error: ErrorObject {
                code: error.code,
                message: &error.message,
                r#type: error.code.error_type(),
                param,
                request_id,
                retryable: error.retryable,
                details: param.map(|field| Details { field }),
            },
        }
    }

    pub(crate) fn to_json(&self) -> String {
        // Serialization fails only for maps with keys that are not strings. This type has no maps.
        serde_json::to_string(self).unwrap_or_default()
    }
}
