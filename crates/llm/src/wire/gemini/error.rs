//! Classifies error responses. No other code of this wire interprets the text of errors.

use turnkit_core::{ProviderError, ProviderErrorKind as Kind};

use crate::wire::ErrorResponse;
use crate::wire::failure::{self, ErrorText, kind_of_status};

/// Returns the error for a response.
pub(in crate::wire) fn classify(response: &ErrorResponse<'_>) -> ProviderError {
    failure::of_response(response, |text| kind(text, Some(response.status)))
}

/// Returns the error for an `error` object inside a successful response.
pub(super) fn in_band(json: &str) -> ProviderError {
    failure::in_band(json, |text| kind(text, text.status))
}

fn kind(text: &ErrorText, status: Option<u16>) -> Kind {
    let message = text.message.to_lowercase();
    let contains_any = |words: &[&str]| words.iter().any(|word| message.contains(word));
    match status {
        Some(400..=499) if text.begins_with(&["api key not valid", "api key expired"]) => Kind::KeyInvalid,
        Some(400 | 413) if contains_any(&["token"]) && contains_any(&["exceeds the maximum", "exceed the maximum"]) => {
            Kind::ContextOverflow
        }
        Some(403 | 429) if contains_any(&["billing"]) && !contains_any(&["quota"]) => Kind::Balance,
        Some(429) if text.is_daily => Kind::Quota,
        Some(400 | 404) if text.means_missing_model(status) => Kind::ModelNotFound,
        Some(499) => Kind::Overloaded,
        Some(status) => kind_of_status(status),
        None => Kind::Overloaded,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};
    use turnkit_core::ProviderErrorKind::*;

    use super::*;

    fn failed(status: u16, message: &str, details: Value) -> ProviderError {
        let body = json!({ "error": { "code": status, "message": message, "status": "X", "details": details } });
        let listed = json!([body]).to_string();
        let error = classify(&ErrorResponse { status, retry_after: None, body: body.to_string().as_bytes() });
        assert_eq!(classify(&ErrorResponse { status, retry_after: None, body: listed.as_bytes() }), error);
        let inside = in_band(&body["error"].to_string());
        assert_eq!((inside.kind, inside.retry_after), (error.kind, error.retry_after), "{body}");
        error
    }

    #[test]
    fn status_and_text_map_to_a_kind() {
        for (status, message, expected) in [
            (400, "API key not valid. Please pass a valid API key.", KeyInvalid),
            (400, "API key expired. Please renew the API key.", KeyInvalid),
            (
                400,
                "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
                ContextOverflow,
            ),
            (400, "Unable to submit request because it has a temperature value of 1000", BadRequest),
            (401, "Request had invalid authentication credentials.", Auth),
            (403, "Permission denied on resource project x.", Auth),
            (403, "This API method requires billing to be enabled.", Balance),
            (404, "models/x is not found for API version v1beta", ModelNotFound),
            (404, "Requested entity was not found.", BadRequest),
            (429, "Resource has been exhausted (e.g. check quota).", RateLimited),
            (429, "You exceeded your current quota, please check your plan and billing details.", RateLimited),
            (499, "The operation was cancelled.", Overloaded),
            (500, "An internal error has occurred.", Overloaded),
            (503, "The model is overloaded. Please try again later.", Overloaded),
            (504, "Deadline expired before operation could complete.", Overloaded),
        ] {
            assert_eq!(failed(status, message, json!([])).kind, expected, "{status} {message}");
        }
        let page = classify(&ErrorResponse { status: 502, retry_after: None, body: b"<html>Bad Gateway</html>" });
        assert_eq!(page.kind, Overloaded);
    }

    #[test]
    fn a_limit_states_its_wait_and_whether_it_is_daily() {
        let details = |quota: &str, delay: &str| json!([{ "violations": [{ "quotaId": quota }] }, 7, { "retryDelay": delay }, { "retryDelay": "9s" }]);
        for (quota, delay, kind, wait) in [
            ("GenerateRequestsPerMinutePerProject", "34.5s", RateLimited, Some(34_500)),
            ("GenerateRequestsPerDayPerProject", "1000000s", Quota, Some(300_000)),
            ("", "soon", RateLimited, Some(9_000)),
        ] {
            let error = failed(429, "Resource has been exhausted", details(quota, delay));
            assert_eq!((error.kind, error.retry_after), (kind, wait.map(Duration::from_millis)), "{quota}");
        }
    }
}
