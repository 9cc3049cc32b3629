//! The body of a refusal: ours, with what clients of OpenAI read beside it.

use serde::Serialize;
use utoipa::ToSchema;

use super::ApiError;
use super::code::{Code, ErrorType};

/// Why a request was refused. Nothing of it was done, unless the header `x-turn-id` names the turn it began, of which only
/// the events cannot be told.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErrorBody<'a> {
    #[schema(inline)]
    error: Refusal<'a>,
}

#[derive(Debug, Serialize, ToSchema)]
struct Refusal<'a> {
    // Fields without a comment are described by their types: the document would ask for both at once.
    #[schema(inline)]
    code: Code,
    /// A sentence for people.
    message: &'a str,
    #[schema(inline)]
    r#type: ErrorType,
    /// The field of the request that is wrong, if it is one.
    #[schema(required)]
    param: Option<&'a str>,
    /// Names the request in the server's log.
    request_id: &'a str,
    /// Whether the same request may succeed later.
    retryable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable = false)]
    details: Option<Details<'a>>,
}

/// What else there is to know.
#[derive(Debug, Serialize, ToSchema)]
struct Details<'a> {
    /// The same as `param`.
    field: &'a str,
}

impl<'a> ErrorBody<'a> {
    pub(super) fn of(error: &'a ApiError, request_id: &'a str) -> Self {
        let param = error.field.as_deref();
        Self {
            error: Refusal {
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
        // Fails only for maps whose keys are no texts, of which this has none.
        serde_json::to_string(self).unwrap_or_default()
    }
}
