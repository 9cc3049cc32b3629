use std::time::Duration;

use super::*;
use turnkit_core::ProviderErrorKind::{self as Kind, *};

/// OpenAI's message for an ordinary rate limit of a new account.
const ADD_A_PAYMENT_METHOD: &str = "Rate limit reached for gpt-5-mini. Please add a payment method to your account to \
    increase your rate limit. Visit https://platform.openai.com/account/billing to add a payment method.";

fn body(code: &str, kind: &str, message: &str) -> String {
    serde_json::json!({"error": {"code": code, "type": kind, "message": message}}).to_string()
}

fn check(status: u16, body: &str, expected: Kind) {
    let error = classify(&ErrorResponse { status, retry_after: None, body: body.as_bytes() });
    assert_eq!(error.kind, expected, "{status} {body}");
    assert_eq!(error.status, Some(status));
}

#[test]
fn status_and_text_map_to_a_kind() {
    let said = |message| body("", "", message);
    for (status, words, expected) in [
        (301, String::new(), BadResponse),
        (400, said("Invalid value for 'temperature'"), BadRequest),
        (400, body("context_length_exceeded", "invalid_request_error", "too long"), ContextOverflow),
        (400, said("This model's maximum context length is 8192 tokens."), ContextOverflow),
        (400, body("400", "too_many_prompt_tokens", "The total length of all messages is too long."), ContextOverflow),
        (400, body("content_filter", "", "The response was filtered"), ContentFilter),
        (400, said("filtered due to the prompt triggering Azure OpenAI's content management policy"), ContentFilter),
        (400, said("API key not valid. Please pass a valid API key."), KeyInvalid),
        (400, format!("[{}]", said("API key not valid. Please pass a valid API key.")), KeyInvalid),
        (400, body("insufficient_quota", "", ""), Quota),
        (400, said("The model `x` does not exist"), ModelNotFound),
        (400, said("x is not a valid model ID"), ModelNotFound),
        (400, body("invalid_image_url", "invalid_request_error", "Error while downloading the image"), BadRequest),
        (400, body("tool_use_failed", "invalid_request_error", "Failed to call a function."), MalformedCall),
        (400, "not JSON".to_owned(), BadRequest),
        (401, String::new(), Auth),
        (401, body("invalid_api_key", "invalid_request_error", "Incorrect API key provided"), KeyInvalid),
        (401, r#"{"detail":"Invalid API Key"}"#.to_owned(), KeyInvalid),
        (401, said("Your API key has expired"), KeyInvalid),
        (401, said("Missing Authentication header"), Auth),
        (401, said("Unauthorized"), Auth),
        (402, said("Insufficient Balance"), Balance),
        (402, String::new(), Balance),
        (403, String::new(), Auth),
        (403, said("You exceeded your monthly limit"), Quota),
        (403, said("Quota reached"), Quota),
        (403, said("You have insufficient permissions for this operation. Missing scopes: model.request."), Auth),
        (403, said("Insufficient credits"), Balance),
        (403, said("Billing is not active"), Balance),
        (403, said("The API key was revoked"), KeyInvalid),
        (403, said("Your chosen model requires moderation and your input was flagged"), ContentFilter),
        (404, body("model_not_found", "invalid_request_error", "no access"), ModelNotFound),
        (404, body("DeploymentNotFound", "", "The API deployment does not exist."), ModelNotFound),
        (404, "<html>Not Found</html>".to_owned(), BadRequest),
        (405, String::new(), BadRequest),
        (408, String::new(), Overloaded),
        (409, String::new(), Overloaded),
        (413, String::new(), ContextOverflow),
        (413, body("rate_limit_exceeded", "tokens", "Request too large for model"), ContextOverflow),
        (422, said("messages: field required"), BadRequest),
        (429, String::new(), RateLimited),
        (429, body("rate_limit_exceeded", "requests", "Rate limit reached"), RateLimited),
        (429, body("rate_limit_exceeded", "requests", ADD_A_PAYMENT_METHOD), RateLimited),
        (429, body("", "tokens", ADD_A_PAYMENT_METHOD), RateLimited),
        (429, body("insufficient_quota", "insufficient_quota", "You exceeded your current quota"), Quota),
        (429, said("You exceeded your current quota, please check your plan and billing details."), Quota),
        (429, said("account balance is too low"), Balance),
        (429, body("engine_overloaded", "", "busy"), Overloaded),
        (500, String::new(), Overloaded),
        (500, body("", "exceed_context_size_error", "the request exceeds the available context size"), ContextOverflow),
        (502, "<html>Bad Gateway</html>".to_owned(), Overloaded),
        (503, said("The server is overloaded"), Overloaded),
        (504, String::new(), Overloaded),
        (529, body("", "overloaded_error", "Overloaded"), Overloaded),
        (600, String::new(), BadResponse),
    ] {
        check(status, &words, expected);
    }
}

#[test]
fn a_failure_inside_a_stream_is_known_by_its_words_or_the_status_it_claims() {
    for (error, expected) in [
        (r#"{"message":"slow down","type":"rate_limit_error"}"#, RateLimited),
        (r#"{"message":"add a payment method to increase it","code":"rate_limit_exceeded"}"#, RateLimited),
        (r#"{"message":"Provider returned error","code":429}"#, RateLimited),
        (r#"{"message":"upstream","code":"502"}"#, Overloaded),
        (r#"{"message":"bad schema","type":"invalid_request_error","status_code":400}"#, BadRequest),
        (r#"{"message":"bad schema","type":"invalid_request_error"}"#, BadRequest),
        (r#"{"message":"no","type":"authentication_error"}"#, Auth),
        (r#"{"message":"gone","code":"insufficient_quota"}"#, Quota),
        (r#"{"message":"filtered","code":"content_filter","status":400}"#, ContentFilter),
        (r#"{"message":"The server had an error"}"#, Overloaded),
        (r#""just a sentence""#, Overloaded),
        ("{}", Overloaded),
        ("true", Overloaded),
    ] {
        assert_eq!(in_band(error).kind, expected, "{error}");
    }
}

#[test]
fn error_messages_give_advice_and_never_repeat_a_key() {
    let body = body("invalid_api_key", "", "Incorrect API key provided: sk-proj-1234567890");
    let error = classify(&ErrorResponse { status: 401, retry_after: None, body: body.as_bytes() });
    assert_eq!(error.message, "the provider does not accept the API key (HTTP 401)");
    assert_eq!(error.code.as_deref(), Some("invalid_api_key"));

    let retry_after = Some(Duration::from_secs(2));
    let error = classify(&ErrorResponse { status: 400, retry_after, body: b"no" });
    assert_eq!(error.message, "the provider refused the request (HTTP 400): no");
    assert_eq!(error.retry_after, retry_after);

    let error = classify(&ErrorResponse { status: 502, retry_after: None, body: b"<html>nginx</html>" });
    assert_eq!(error.message, "the provider cannot serve at the moment (HTTP 502)");
}

#[test]
fn an_answer_from_the_wrong_address_asks_whether_base_url_is_right() {
    let message =
        |status: u16, body: &str| classify(&ErrorResponse { status, retry_after: None, body: body.as_bytes() }).message;
    let moved = "the provider answered with a redirect, which is not followed; is base_url right? (HTTP 302)";
    assert_eq!(message(302, "<html>Found</html>"), moved);
    let invalid_url = body("", "invalid_request_error", "Invalid URL (POST /chat/completions)");
    let nothing = "the provider has nothing at this address; is base_url right?";
    assert_eq!(message(404, &invalid_url), format!("{nothing} (HTTP 404): Invalid URL (POST /chat/completions)"));
    assert_eq!(message(405, ""), format!("{nothing} (HTTP 405)"));
    for (status, body) in [(404, body("model_not_found", "", "")), (400, invalid_url), (500, String::new())] {
        assert!(!message(status, &body).contains("base_url"), "{status} {body}");
    }
    assert!(!in_band(r#"{"message":"no such route","code":404}"#).message.contains("base_url"));
}
