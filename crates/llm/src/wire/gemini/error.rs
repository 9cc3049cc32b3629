//! What kind of failure a response is. Decided here, once; nobody else reads a provider's words.

use std::time::Duration;

use serde::Deserialize;
use turnkit_core::{ProviderError, ProviderErrorKind as Kind};

use crate::wire::ErrorResponse;
use crate::wire::failure::{self, Words, kind_of_status};
use crate::wire::lenient::{Objects, Word};

/// The failure a response stands for.
pub(in crate::wire) fn classify(response: &ErrorResponse<'_>) -> ProviderError {
    let mut error = failure::of_response(response, |words| kind(words, Some(response.status)));
    refine(&mut error, &String::from_utf8_lossy(response.body));
    error
}

/// The failure an `error` object inside a successful response stands for.
pub(super) fn in_band(json: &str) -> ProviderError {
    let mut error = failure::in_band(json, |words| kind(words, words.status));
    refine(&mut error, json);
    error
}

fn kind(words: &Words, status: Option<u16>) -> Kind {
    let message = words.message.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| message.contains(word));
    match status {
        Some(400..=499) if words.begin_with(&["api key not valid", "api key expired"]) => Kind::KeyInvalid,
        Some(400 | 413) if says(&["token"]) && says(&["exceeds the maximum", "exceed the maximum"]) => {
            Kind::ContextOverflow
        }
        Some(403 | 429) if says(&["billing"]) && !says(&["quota"]) => Kind::Balance,
        Some(404) if says(&["model"]) => Kind::ModelNotFound,
        Some(499) => Kind::Overloaded,
        Some(status) => kind_of_status(status),
        None => Kind::Overloaded,
    }
}

#[derive(Deserialize)]
struct Details<'a> {
    #[serde(borrow, default)]
    details: Objects<Detail<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Detail<'a> {
    /// Of `RetryInfo`: seconds, such as `34.07s`.
    #[serde(borrow, default)]
    retry_delay: Word<'a>,
    /// Of `QuotaFailure`.
    #[serde(borrow, default)]
    violations: Objects<Violation<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Violation<'a> {
    #[serde(borrow, default)]
    quota_id: Word<'a>,
}

#[derive(Deserialize)]
struct Body<'a> {
    #[serde(borrow)]
    error: Details<'a>,
}

/// A limit says in its details how long to wait, and whether it is one of the day.
fn refine(error: &mut ProviderError, body: &str) {
    // The list first: an object could be read from a list, field by field.
    let listed = serde_json::from_str::<Vec<Body<'_>>>(body).ok().and_then(|list| list.into_iter().next());
    let whole = listed.or_else(|| serde_json::from_str(body).ok()).map(|body| body.error);
    let Some(Details { details }) = whole.or_else(|| serde_json::from_str(body).ok()) else { return };
    for detail in &details.0 {
        let of_day = |violation: &Violation<'_>| violation.quota_id.text().is_some_and(|id| id.contains("PerDay"));
        if error.kind == Kind::RateLimited && detail.violations.0.iter().any(of_day) {
            error.kind = Kind::Quota;
        }
        let seconds = detail.retry_delay.text().and_then(|delay| delay.strip_suffix('s')?.parse().ok());
        let delay = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        error.retry_after = error.retry_after.or(delay.map(|delay| delay.min(MAX_WAIT)));
    }
}

/// The longest wait a provider may ask for.
const MAX_WAIT: Duration = Duration::from_secs(300);

#[cfg(test)]
mod tests {
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
    fn a_status_and_its_words_make_a_kind() {
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
    fn a_limit_says_how_long_to_wait_and_whether_it_is_of_the_day() {
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
