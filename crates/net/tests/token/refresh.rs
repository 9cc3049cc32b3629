//! When tokens are requested, and by how many requests.

use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::join_all;
use turnkit_net::{TokenError, TokenSource};

use crate::identity_provider::{IdentityProvider, Reply};
use crate::{LIFE, PATIENCE, pass, settings, source, text, tokens};

/// Waits until calls return another token than `old`, and returns it.
async fn replaced(tokens: &TokenSource, old: &str) -> String {
    let replaced = async {
        loop {
            let token = text(tokens.token().await);
            if token != old {
                return token;
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, replaced).await.unwrap()
}

/// Calls until the provider has this number of requests, and has answered them. Every call gets `token` at once.
async fn requested(provider: &IdentityProvider, number: usize, tokens: &TokenSource, token: &str) {
    let requested = async {
        while provider.requests().len() < number || !provider.is_idle() {
            assert_eq!(tokens.token().now_or_never().map(text).as_deref(), Some(token));
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, requested).await.unwrap();
}

#[tokio::test]
async fn fifty_callers_share_one_request_at_the_start_and_at_expiry() {
    let provider = IdentityProvider::start([]).await;
    let tokens = tokens(&provider);
    for number in 1..=3 {
        let given = join_all((0..50).map(|_| tokens.token())).await;
        let expected = format!("token-{number}");
        assert!(given.iter().all(|token| token.as_ref().unwrap().as_str() == expected), "{given:?}");
        assert_eq!(provider.requests().len(), number);
        pass(LIFE).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn callers_on_several_threads_share_one_request() {
    let provider = IdentityProvider::start([]).await;
    let tokens = std::sync::Arc::new(tokens(&provider));
    let mut callers = tokio::task::JoinSet::new();
    for _ in 0..50 {
        let tokens = tokens.clone();
        callers.spawn(async move { text(tokens.token().await) });
    }
    assert!(callers.join_all().await.iter().all(|token| token == "token-1"));
    assert_eq!(provider.requests().len(), 1);
}

#[tokio::test]
async fn a_caller_that_stops_waiting_does_not_end_the_request_of_others() {
    let provider = IdentityProvider::start([]).await;
    let tokens = tokens(&provider);
    assert!(tokens.token().now_or_never().is_none());
    assert_eq!(text(tokens.token().await), "token-1");
    assert_eq!(provider.requests().len(), 1);
}

#[tokio::test]
async fn a_token_is_replaced_in_the_background_after_four_fifths_of_its_life() {
    let provider = IdentityProvider::start([]).await;
    let tokens = tokens(&provider);
    assert_eq!(text(tokens.token().await), "token-1");
    pass(LIFE * 3 / 4).await;
    assert_eq!(text(tokens.token().await), "token-1");
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert_eq!(provider.requests().len(), 1);
    pass(LIFE / 20).await;
    // The caller does not wait for the new token.
    let now = tokens.token().now_or_never();
    assert_eq!(now.map(text).as_deref(), Some("token-1"));
    assert_eq!(replaced(&tokens, "token-1").await, "token-2");
    assert_eq!(provider.requests().len(), 2);
}

#[tokio::test]
async fn a_valid_token_is_used_while_its_replacement_fails() {
    let provider = IdentityProvider::start([]).await;
    let tokens = tokens(&provider);
    assert_eq!(text(tokens.token().await), "token-1");
    provider.push([Reply::json(500, ""), Reply::error(400, "invalid_scope")]);
    pass(LIFE * 17 / 20).await;
    for requests in [2, 3] {
        requested(&provider, requests, &tokens, "token-1").await;
        pass(Duration::from_secs(5)).await;
    }
    assert_eq!(replaced(&tokens, "token-1").await, "token-4");
}

#[tokio::test]
async fn an_expired_token_is_not_used_when_its_replacement_fails() {
    let provider = IdentityProvider::start([]).await;
    let tokens = tokens(&provider);
    assert_eq!(text(tokens.token().await), "token-1");
    provider.push([Reply::json(500, "")]);
    pass(LIFE).await;
    assert!(matches!(tokens.token().await, Err(TokenError::Unavailable { status: 500, .. })));
    pass(Duration::from_secs(1)).await;
    assert_eq!(text(tokens.token().await), "token-3");
}

#[tokio::test]
async fn a_token_of_a_provider_with_a_wrong_clock_is_used_for_a_second() {
    for expires_in in ["0", "0.2", "1"] {
        let provider = IdentityProvider::start([Reply::token("short", expires_in)]).await;
        let tokens = tokens(&provider);
        assert_eq!(text(tokens.token().await), "short");
        pass(Duration::from_secs(1)).await;
        assert_eq!(text(tokens.token().await), "token-2", "{expires_in}");
        assert_eq!(provider.requests().len(), 2);
    }
}

#[tokio::test]
async fn a_refused_token_is_replaced_once_for_all_its_requests() {
    let provider = IdentityProvider::start([]).await;
    let tokens = tokens(&provider);
    let first = tokens.token().await.unwrap();
    assert!((0..50).all(|_| tokens.refused(&first)));
    let given = join_all((0..50).map(|_| tokens.token())).await;
    assert!(given.iter().all(|token| token.as_ref().unwrap().as_str() == "token-2"), "{given:?}");
    // A late response to a request with the old token.
    assert!(tokens.refused(&first));
    assert_eq!(text(tokens.token().await), "token-2");
    assert_eq!(provider.requests().len(), 2);
}

#[tokio::test]
async fn a_server_that_refuses_every_token_causes_a_request_every_ten_seconds_at_most() {
    let provider = IdentityProvider::start([]).await;
    let tokens = tokens(&provider);
    let first = tokens.token().await.unwrap();
    assert!(tokens.refused(&first));
    let second = tokens.token().await.unwrap();
    assert!(!tokens.refused(&second));
    assert_eq!(text(tokens.token().await), "token-2");
    pass(Duration::from_secs(10)).await;
    assert!(tokens.refused(&second));
    assert_eq!(text(tokens.token().await), "token-3");
    assert_eq!(provider.requests().len(), 3);
}

#[tokio::test]
async fn a_refused_token_that_the_provider_issues_again_is_not_replaced_again() {
    let provider = IdentityProvider::start([Reply::token("same", "600"), Reply::token("same", "600")]).await;
    let tokens = tokens(&provider);
    let first = tokens.token().await.unwrap();
    assert!(tokens.refused(&first));
    let second = tokens.token().await.unwrap();
    pass(Duration::from_secs(60)).await;
    assert!(second == first && !tokens.refused(&second));
    assert_eq!(text(tokens.token().await), "same");
    assert_eq!(provider.requests().len(), 2);
}

#[tokio::test]
async fn a_refused_token_is_not_used_when_its_replacement_fails() {
    let provider = IdentityProvider::start([]).await;
    let tokens = tokens(&provider);
    let first = tokens.token().await.unwrap();
    provider.push([Reply::error(401, "invalid_client")]);
    assert!(tokens.refused(&first));
    assert!(matches!(tokens.token().await, Err(TokenError::Refused { .. })));
    assert!(tokens.refused(&first));
    assert!(matches!(tokens.token().await, Err(TokenError::Refused { .. })));
    assert_eq!(provider.requests().len(), 2);
    pass(Duration::from_secs(1)).await;
    assert_eq!(text(tokens.token().await), "token-3");
}

#[tokio::test]
async fn a_source_that_is_dropped_ends_its_request() {
    let provider = IdentityProvider::start([Reply::Silence]).await;
    let tokens = source(&settings(&provider));
    assert!(tokens.token().now_or_never().is_none());
    let until = async |is_idle: bool| {
        while provider.requests().is_empty() || provider.is_idle() != is_idle {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, until(false)).await.unwrap();
    drop(tokens);
    tokio::time::timeout(PATIENCE, until(true)).await.unwrap();
}
