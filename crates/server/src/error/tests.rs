use axum::http::header;
use axum::response::IntoResponse;
use serde_json::json;
use turnkit_core::StoreError;

use super::*;

#[test]
fn permanent_errors_are_not_retryable() {
    for (error, code, retryable) in [
        (StoreError::Unavailable("locked".to_owned()), "unavailable", true),
        (StoreError::Full("disk".to_owned()), "storage_full", true),
        (StoreError::Corrupt("page 7".to_owned()), "unavailable", false),
    ] {
        let refusal = ApiError::from(error);
        let body = json!(refusal.body(""));
        assert_eq!((&body["error"]["code"], &body["error"]["retryable"]), (&json!(code), &json!(retryable)));
        let waits = refusal.into_response().headers().contains_key(header::RETRY_AFTER);
        assert_eq!(waits, retryable && code == "unavailable", "{code}");
    }
}

/// Each code with its status, its type, and whether the request may be retried.
const CODES: &str = "\
invalid_json 400 invalid_request_error
unauthenticated 401 authentication_error
forbidden 403 permission_error
host_not_allowed 403 permission_error
origin_not_allowed 403 permission_error
not_found 404 invalid_request_error
method_not_allowed 405 invalid_request_error
timeout 408 invalid_request_error retryable
session_busy 409 invalid_request_error retryable
already_decided 409 invalid_request_error
definition_changed 409 invalid_request_error
too_late 410 invalid_request_error
stream_expired 410 invalid_request_error
body_too_large 413 invalid_request_error
unsupported_media_type 415 invalid_request_error
invalid_request 422 invalid_request_error
key_reused 422 invalid_request_error
session_deleted 410 invalid_request_error
rate_limited 429 rate_limit_error retryable
queue_full 429 rate_limit_error retryable
unavailable 503 server_error retryable
storage_full 507 server_error retryable
";

#[test]
fn every_code_has_its_status_its_type_and_its_word() {
    let line = |code: ErrorCode| {
        let (error, status) = (ApiError::new(code, "why"), code.status().as_u16());
        let body = json!(error.body("id"));
        let r#type = body["error"]["type"].as_str().unwrap();
        assert_eq!(body["error"]["code"], code.as_str());
        assert_eq!(error.into_response().status(), status);
        let retryable = if body["error"]["retryable"] == true { " retryable" } else { "" };
        format!("{} {status} {type}{retryable}\n", code.as_str())
    };
    assert_eq!(ErrorCode::ALL.map(line).concat(), CODES);
}

#[test]
fn the_body_of_a_refusal_names_the_field_in_both_vocabularies() {
    assert_eq!(
        ApiError::field("route.tier", "must be idle, normal or critical").body("id").to_json(),
        r#"{"error":{"code":"invalid_request","message":"route.tier: must be idle, normal or critical","type":"invalid_request_error","param":"route.tier","request_id":"id","retryable":false,"details":{"field":"route.tier"}}}"#
    );
    assert_eq!(
        ApiError::new(ErrorCode::Unauthenticated, "send a key").body("id").to_json(),
        r#"{"error":{"code":"unauthenticated","message":"send a key","type":"authentication_error","param":null,"request_id":"id","retryable":false}}"#
    );
}
