//! Tests access tokens against a server that stands in for Google.
#![expect(clippy::unwrap_used, reason = "a failed expectation is how a test speaks")]

use std::fs;

use tempfile::TempDir;
use turnkit_net::{GoogleError, GoogleTokens};
use turnkit_testkit::FakeUpstream;
use turnkit_testkit::google::service_account;

async fn tokens(lifetimes: &[u32]) -> (FakeUpstream, GoogleTokens, TempDir) {
    let upstream = FakeUpstream::start([]).await.unwrap();
    upstream.push_tokens(lifetimes.iter().copied());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("account.json");
    fs::write(&file, service_account(&format!("{}/token", upstream.base_url())).unwrap()).unwrap();
    let tokens = GoogleTokens::from_service_account(&file).unwrap();
    (upstream, tokens, folder)
}

#[tokio::test]
async fn a_token_is_kept_until_shortly_before_it_expires() {
    // A token with ten seconds left counts as expired.
    let (upstream, tokens, _folder) = tokens(&[10, 3600]).await;
    for expected in ["token-1", "token-2", "token-2", "token-2"] {
        assert_eq!(&*tokens.token().await.unwrap(), expected);
    }
    assert_eq!(upstream.requests().len(), 2);
    let asked = String::from_utf8(upstream.requests().remove(0).body).unwrap();
    assert!(
        asked.starts_with("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="),
        "{asked}"
    );
}

#[tokio::test]
async fn concurrent_callers_share_one_token_request() {
    let (upstream, tokens, _folder) = tokens(&[3600, 3600]).await;
    let many = (0..50).map(|_| tokens.token());
    let given = futures_util::future::join_all(many).await;
    assert!(given.iter().all(|token| token.as_deref() == Ok("token-1")), "{given:?}");
    assert_eq!(upstream.requests().len(), 1);
}

#[tokio::test]
async fn a_rejected_token_is_replaced_once_for_all_its_requests() {
    let (upstream, tokens, _folder) = tokens(&[3600, 3600, 3600]).await;
    assert_eq!(tokens.token().await.as_deref(), Ok("token-1"));
    futures_util::future::join_all((0..10).map(|_| tokens.forget("token-1"))).await;
    let given = futures_util::future::join_all((0..10).map(|_| tokens.token())).await;
    assert!(given.iter().all(|token| token.as_deref() == Ok("token-2")), "{given:?}");
    tokens.forget("token-1").await;
    assert_eq!(tokens.token().await.as_deref(), Ok("token-2"));
    assert_eq!(upstream.requests().len(), 2);
}

#[tokio::test]
async fn a_rejected_account_is_an_error_and_may_be_retried() {
    let (upstream, tokens, _folder) = tokens(&[]).await;
    assert_eq!(tokens.token().await, Err(GoogleError::Unreachable("token request failed".to_owned())));
    upstream.push_tokens([3600]);
    assert_eq!(tokens.token().await.as_deref(), Ok("token-1"));
}

#[test]
fn an_invalid_service_account_file_is_rejected_without_its_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("account.json");
    for (text, said) in [
        (r#"{"type":"authorized_user","refresh_token":"hidden"}"#, "only `service_account` is read from a file"),
        ("hidden", "not the JSON of a service account's key"),
    ] {
        fs::write(&file, text).unwrap();
        let refused = GoogleTokens::from_service_account(&file).unwrap_err().to_string();
        assert!(refused.contains(said) && refused.contains("account.json") && !refused.contains("hidden"), "{refused}");
    }
    assert!(GoogleTokens::from_service_account(&folder.path().join("none")).is_err());
}
