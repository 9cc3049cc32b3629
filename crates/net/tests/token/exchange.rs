//! Tokens in exchange for those of callers.

use std::time::Duration;

use turnkit_net::{SubjectToken, TokenEndpoint, TokenError, TokenGrant, TokenSource};

use crate::identity_provider::{IdentityProvider, Reply};
use crate::{pass, settings, source, text, tokens};

fn exchange(provider: &IdentityProvider) -> TokenSource {
    let mut settings = settings(provider);
    settings.grant = TokenGrant::Exchange;
    source(&settings)
}

#[tokio::test]
async fn each_caller_has_a_token_of_its_own() {
    let provider = IdentityProvider::start([]).await;
    let tokens = exchange(&provider);
    for (caller, expected) in [("ann", "token-1"), ("bob", "token-2"), ("ann", "token-1"), ("bob", "token-2")] {
        assert_eq!(text(tokens.token_for(SubjectToken::new(caller)).await), expected);
    }
    let requests = provider.requests();
    assert_eq!(requests.len(), 2);
    for (request, field) in requests.iter().zip(["&subject_token=ann&", "&subject_token=bob&"]) {
        assert!(request.body.contains(field), "{}", request.body);
    }
}

#[tokio::test]
async fn concurrent_requests_of_a_caller_share_one_exchange() {
    let provider = IdentityProvider::start([]).await;
    let tokens = exchange(&provider);
    let given = futures_util::future::join_all((0..50).map(|_| tokens.token_for(SubjectToken::new("ann")))).await;
    assert!(given.iter().all(|token| token.as_ref().unwrap().as_str() == "token-1"), "{given:?}");
    assert_eq!(provider.requests().len(), 1);
}

#[tokio::test]
async fn a_refused_token_is_replaced_for_its_caller_only() {
    let provider = IdentityProvider::start([]).await;
    let tokens = exchange(&provider);
    let (ann, bob) = (SubjectToken::new("ann"), SubjectToken::new("bob"));
    let refused = tokens.token_for(ann).await.unwrap();
    assert_eq!(text(tokens.token_for(bob).await), "token-2");
    assert!(tokens.refused(&refused));
    assert_eq!(text(tokens.token_for(bob).await), "token-2");
    let second = tokens.token_for(ann).await.unwrap();
    assert_eq!(second.as_str(), "token-3");
    assert!(!tokens.refused(&second));
}

#[tokio::test]
async fn an_expired_caller_is_sent_nowhere() {
    let provider = IdentityProvider::start([]).await;
    let tokens = exchange(&provider);
    let ann = SubjectToken::new("ann");
    assert_eq!(text(tokens.token_for(ann.valid_for(Duration::from_secs(60))).await), "token-1");
    let expired = tokens.token_for(ann.valid_for(Duration::ZERO)).await.unwrap_err();
    assert_eq!(expired, TokenError::SubjectTokenExpired { host: "127.0.0.1".to_owned() });
    assert_eq!(provider.requests().len(), 1);
}

#[tokio::test]
async fn a_token_is_forgotten_at_the_end_of_its_caller() {
    let provider = IdentityProvider::start([]).await;
    let tokens = exchange(&provider);
    let ann = SubjectToken::new("ann");
    assert_eq!(text(tokens.token_for(ann.valid_for(Duration::from_secs(60))).await), "token-1");
    assert_eq!(text(tokens.token_for(ann).await), "token-1");
    pass(Duration::from_secs(60)).await;
    assert_eq!(text(tokens.token_for(ann).await), "token-2");
}

#[tokio::test]
async fn an_answer_about_a_caller_does_not_stop_others_but_an_outage_does() {
    let (ann, bob, eve) = (SubjectToken::new("ann"), SubjectToken::new("bob"), SubjectToken::new("eve"));
    for (reply, expected, stops_others) in [
        (Reply::error(400, "invalid_grant"), "invalid_grant: because (sign in again", false),
        (Reply::error(400, "unauthorized_client"), "unauthorized_client", false),
        (Reply::error(400, "unsupported_grant_type"), "unsupported_grant_type", false),
        (Reply::json(503, ""), "answered with status 503", false),
        (Reply::json(429, ""), "answered with status 429", false),
        (Reply::json(200, "<html>"), "it is not a JSON object", false),
        (Reply::error(401, "invalid_client"), "invalid_client", true),
        (Reply::Bytes(Vec::new()), "is unreachable", true),
    ] {
        let provider = IdentityProvider::start([]).await;
        let tokens = exchange(&provider);
        assert_eq!(text(tokens.token_for(bob).await), "token-1");
        provider.push([reply]);
        for _ in 0..2 {
            let error = tokens.token_for(ann).await.unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
        assert_eq!(tokens.token_for(eve).await.is_err(), stops_others, "{expected}");
        assert_eq!(text(tokens.token_for(bob).await), "token-1");
        assert_eq!(provider.requests().len(), if stops_others { 2 } else { 3 }, "{expected}");
        pass(Duration::from_secs(1)).await;
        assert!(tokens.token_for(eve).await.is_ok() && tokens.token_for(ann).await.is_ok(), "{expected}");
    }
}

#[tokio::test]
async fn a_failed_discovery_stops_all_callers() {
    let provider = IdentityProvider::start([]).await;
    let page = "/.well-known/oauth-authorization-server/desk";
    provider.page(page, Reply::json(503, ""));
    let mut settings = settings(&provider);
    settings.endpoint = TokenEndpoint::Issuer(provider.url("/desk"));
    settings.grant = TokenGrant::Exchange;
    let tokens = source(&settings);
    for caller in ["ann", "bob"] {
        let failed = tokens.token_for(SubjectToken::new(caller)).await;
        assert!(matches!(failed, Err(TokenError::Unavailable { status: 503, .. })), "{failed:?}");
    }
    assert_eq!(provider.paths(), [page]);
}

#[tokio::test]
async fn a_source_without_exchange_has_one_token_and_one_with_it_needs_a_caller() {
    let provider = IdentityProvider::start([]).await;
    let missing = exchange(&provider).token().await.unwrap_err();
    assert_eq!(missing, TokenError::NoSubjectToken { host: "127.0.0.1".to_owned() });
    let tokens = tokens(&provider);
    for caller in ["ann", "bob"] {
        assert_eq!(text(tokens.token_for(SubjectToken::new(caller)).await), "token-1");
    }
    assert!(!provider.requests()[0].body.contains("ann"));
}
