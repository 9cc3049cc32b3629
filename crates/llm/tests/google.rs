//! Tests a provider that requires access tokens of Google Cloud.
#![expect(clippy::unwrap_used, reason = "a failing helper is a failing test")]

use std::sync::Arc;

use serde_json::json;
use turnkit_core::ports::{CallContext, LlmProvider};
use turnkit_core::{
    ChatRequest, History, Message, ModelName, Params, ProviderError, ProviderErrorKind, ToolChoice, TurnId,
};
use turnkit_llm::{Endpoint, Provider, Wire};
use turnkit_testkit::google::service_account;
use turnkit_testkit::{FakeUpstream, Response};

/// Returns the outcome of a call with this upstream script, and the tokens that it used.
async fn asked(script: impl IntoIterator<Item = Response>) -> (Result<(), ProviderError>, Vec<String>) {
    let upstream = FakeUpstream::start(script).await.unwrap();
    upstream.push_tokens([3600, 3600, 3600]);
    let account = service_account(&format!("{}/token", upstream.base_url())).unwrap();
    let answered = asked_with(&account, &upstream).await;
    let requests = upstream.requests();
    let shown = requests.iter().filter_map(|request| request.header("authorization").map(str::to_owned)).collect();
    (answered, shown)
}

/// Returns the outcome of a call with this account.
async fn asked_with(account: &str, upstream: &FakeUpstream) -> Result<(), ProviderError> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("account.json");
    std::fs::write(&file, account).unwrap();
    let endpoint = Endpoint {
        vendor: Some("vertex".to_owned()),
        base_url: Some(upstream.base_url()),
        settings: [("project".to_owned(), "p".to_owned())].into(),
        credentials: Some(file),
        models: vec![ModelName("small".into())],
        ..Endpoint::new("main", Wire::Gemini)
    };
    let request = ChatRequest {
        model: None,
        instructions: None,
        history: History::of([Message::user("hi")]),
        tools: Arc::new([]),
        params: Params::default(),
        tool_choice: ToolChoice::Auto,
        route: None,
    };
    let call = CallContext { turn: TurnId::default(), step: 1, attempt: 1 };
    Provider::new(endpoint).unwrap().stream(request, &call).await.map(drop)
}

fn refused() -> Response {
    Response::status(401, "the token was revoked")
}

fn text() -> Response {
    let content = json!({ "parts": [{ "text": "Hello." }], "role": "model" });
    Response::stream().event(&json!({ "candidates": [{ "content": content, "finishReason": "STOP" }] }))
}

#[tokio::test]
async fn a_token_that_is_refused_is_replaced_once() {
    let (answered, shown) = asked([refused(), text()]).await;
    assert_eq!((answered, shown), (Ok(()), vec!["Bearer token-1".to_owned(), "Bearer token-2".to_owned()]));
    let (answered, shown) = asked([refused(), refused(), text()]).await;
    assert_eq!((answered.unwrap_err().status, shown.len()), (Some(401), 2));
}

#[tokio::test]
async fn another_rejection_keeps_the_token_and_no_error_contains_one() {
    let (answered, shown) = asked([Response::status(400, "what is token-1 doing here?")]).await;
    let error = answered.unwrap_err();
    assert!(error.message.contains("what is *** doing here?"), "{error}");
    assert_eq!(shown.len(), 1);
    let in_band = Response::stream().event(&json!({ "error": { "code": 500, "message": "token-1 broke" } }));
    let error = asked([in_band]).await.0.unwrap_err();
    assert!(error.message.contains("*** broke"), "{error}");
}

#[tokio::test]
async fn an_unavailable_token_is_temporary_and_a_missing_account_is_not() {
    let upstream = FakeUpstream::start([]).await.unwrap();
    // An address without a listener.
    let nowhere = FakeUpstream::start([]).await.unwrap().base_url();
    let account = |base_url: &str| service_account(&format!("{base_url}/token")).unwrap();
    let mut without_key: serde_json::Value = serde_json::from_str(&account(&nowhere)).unwrap();
    without_key["private_key"] = json!("no key");
    for (account, expected) in [
        (account(&nowhere), ProviderErrorKind::Network),
        (account(&upstream.base_url()), ProviderErrorKind::Network),
        (without_key.to_string(), ProviderErrorKind::Auth),
    ] {
        let error = asked_with(&account, &upstream).await.unwrap_err();
        assert_eq!(error.kind, expected, "{error}");
    }
}
