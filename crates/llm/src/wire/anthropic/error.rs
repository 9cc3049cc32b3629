//! Classifies error responses. No other code of this wire interprets the text of errors.

use turnkit_core::{ProviderError, ProviderErrorKind as Kind};

use crate::wire::ErrorResponse;
use crate::wire::failure::{self, ErrorText, kind_of_status};

/// Returns the error for a response.
pub(in crate::wire) fn classify(response: &ErrorResponse<'_>) -> ProviderError {
    failure::of_response(response, |text| kind(text, Some(response.status)))
}

/// Returns the error for an `error` object inside a successful response.
pub(super) fn in_band(error: &str) -> ProviderError {
    failure::in_band(error, |text| kind(text, text.status))
}

/// The type of the error decides. Compatible servers without a type are classified by status.
fn kind(text: &ErrorText, status: Option<u16>) -> Kind {
    let message = text.message.to_lowercase();
    let contains_any = |words: &[&str]| words.iter().any(|word| message.contains(word));
    match text.kind.as_str() {
        "invalid_request_error" | "request_too_large" | ""
            if contains_any(&["prompt is too long", "context limit", "context window"]) =>
        {
            Kind::ContextOverflow
        }
        "request_too_large" => Kind::ContextOverflow,
        "not_found_error" | "invalid_request_error" | "" if text.means_missing_model(status) => Kind::ModelNotFound,
        "invalid_request_error" if text.begins_with(&["your credit balance"]) => Kind::Balance,
        "invalid_request_error" if text.begins_with(&["you have reached your"]) && contains_any(&["usage limits"]) => {
            Kind::Quota
        }
        "invalid_request_error" => Kind::BadRequest,
        "authentication_error" if contains_any(&["invalid"]) => Kind::KeyInvalid,
        "authentication_error" | "permission_error" => Kind::Auth,
        "billing_error" => Kind::Balance,
        "rate_limit_error" => Kind::RateLimited,
        "api_error" | "overloaded_error" | "timeout_error" => Kind::Overloaded,
        _ => status.map_or(Kind::Overloaded, kind_of_status),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnkit_core::ProviderErrorKind::*;

    fn body(kind: &str, message: &str) -> String {
        serde_json::json!({ "type": "error", "error": { "type": kind, "message": message } }).to_string()
    }

    #[test]
    fn the_type_or_else_the_status_maps_to_a_kind() {
        for (status, body, expected) in [
            (400, body("invalid_request_error", "prompt is too long: 208310 tokens > 200000 maximum"), ContextOverflow),
            (
                400,
                body("invalid_request_error", "input length and `max_tokens` exceed context limit: 1 + 2 > 2"),
                ContextOverflow,
            ),
            (400, body("invalid_request_error", "Your credit balance is too low to access the API."), Balance),
            (400, body("invalid_request_error", "You have reached your specified API usage limits."), Quota),
            (400, body("invalid_request_error", "messages: text content blocks must be non-empty"), BadRequest),
            (401, body("authentication_error", "invalid x-api-key"), KeyInvalid),
            (401, body("authentication_error", "x-api-key header is required"), Auth),
            (403, body("permission_error", "Your API key does not have permission"), Auth),
            (402, body("billing_error", "no payment"), Balance),
            (404, body("not_found_error", "model: this-model-does-not-exist-12345"), ModelNotFound),
            (404, body("not_found_error", "Not Found"), BadRequest),
            (413, body("request_too_large", "Request exceeds the maximum size"), ContextOverflow),
            (429, body("rate_limit_error", "This request would exceed your rate limit"), RateLimited),
            (500, body("api_error", "Internal server error"), Overloaded),
            (529, body("overloaded_error", "Overloaded"), Overloaded),
            (529, String::new(), Overloaded),
            (502, "<html>Bad Gateway</html>".to_owned(), Overloaded),
            (401, "{}".to_owned(), Auth),
            (429, "slow down".to_owned(), RateLimited),
            (301, String::new(), BadResponse),
        ] {
            let error = classify(&ErrorResponse { status, retry_after: None, body: body.as_bytes() });
            assert_eq!((error.kind, error.status), (expected, Some(status)), "{status} {body}");
        }
    }

    #[test]
    fn a_failure_inside_an_answer_is_known_by_its_type() {
        for (error, expected) in [
            (r#"{"type":"overloaded_error","message":"Overloaded"}"#, Overloaded),
            (r#"{"type":"rate_limit_error","message":"slow down"}"#, RateLimited),
            (r#"{"type":"invalid_request_error","message":"no"}"#, BadRequest),
            (r#"{"type":"new_error","message":"no"}"#, Overloaded),
            ("{}", Overloaded),
        ] {
            assert_eq!(in_band(error).kind, expected, "{error}");
        }
    }
}
