//! The errors of identity providers that fail, refuse, or break their protocol.

use std::time::Duration;

use tokio::net::TcpListener;
use turnkit_net::{NetError, Refusal, RefusalCode, TokenEndpoint, TokenError, TokenSettings};

use crate::identity_provider::{IdentityProvider, Reply};
use crate::{PATIENCE, pass, settings, source, text, tokens};

/// Returns the error for a reply, after checking that one request was sent.
async fn error_of(reply: Reply) -> TokenError {
    let provider = IdentityProvider::start([reply]).await;
    let error = tokio::time::timeout(PATIENCE, tokens(&provider).token()).await.unwrap().unwrap_err();
    assert_eq!(provider.paths(), ["/token"], "{error}");
    error
}

#[tokio::test]
async fn an_unusable_answer_is_an_error_that_says_what_is_wrong() {
    let huge = format!(r#"{{"access_token":"{}"}}"#, "a".repeat(10 * 1024 * 1024));
    let elsewhere = "location: /elsewhere\r\n";
    for (reply, expected) in [
        (
            Reply::json(200, "<html>sign in</html>"),
            "it is not a JSON object; is this the address of the token endpoint?",
        ),
        (Reply::json(204, ""), "it is not a JSON object"),
        (Reply::json(200, "{}"), "it has no access_token"),
        (Reply::token("two words", "600"), "has characters that a header cannot carry"),
        (Reply::token("t", "-1"), "its expires_in is not a number of seconds"),
        (Reply::json(404, "<html>"), "status 404 without an OAuth error; is this the address of the token endpoint?"),
        (Reply::with(302, elsewhere, ""), "status 302 leads to another address, which is not followed"),
        (Reply::with(307, elsewhere, ""), "status 307 leads to another address, which is not followed"),
        (Reply::json(200, huge), "it is larger than 65536 bytes"),
        (Reply::Endless, "it is larger than 65536 bytes"),
        (Reply::with(200, "content-encoding: zip\r\n", "PK"), "its content-encoding is not supported"),
    ] {
        let error = error_of(reply).await;
        assert!(matches!(&error, TokenError::Malformed { host, .. } if host == "127.0.0.1"), "{error:?}");
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[tokio::test]
async fn a_refusal_has_its_code_its_explanation_and_a_way_out() {
    for (status, name, code, way_out) in [
        (401, "invalid_client", RefusalCode::InvalidClient, "check `client_id`, `client_secret` and `client_auth`"),
        (400, "invalid_target", RefusalCode::InvalidTarget, "check `audience` and `resource`"),
        (400, "invalid_scope", RefusalCode::InvalidScope, "check `scope`"),
        (400, "unauthorized_client", RefusalCode::UnauthorizedClient, "allow this client this grant"),
        (403, "access_denied", RefusalCode::Other("access_denied".to_owned()), "its log may say more"),
    ] {
        let error = error_of(Reply::error(status, name)).await;
        let (host, said) = ("127.0.0.1".to_owned(), error.to_string());
        let refusal = Refusal { code, description: Some("because".to_owned()) };
        assert_eq!(error, TokenError::Refused { host, refusal });
        assert!(said.contains(&format!("the identity provider 127.0.0.1 issued no token: {name}: because")), "{said}");
        assert!(said.contains(way_out), "{said}");
    }
}

#[tokio::test]
async fn a_provider_that_fails_is_named_with_its_status() {
    for status in [408, 429, 500, 502, 503] {
        let error = error_of(Reply::error(status, "server_error")).await;
        assert_eq!(error, TokenError::Unavailable { host: "127.0.0.1".to_owned(), status });
    }
}

#[tokio::test]
async fn a_provider_that_is_down_is_unreachable() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = TokenEndpoint::Url(format!("http://{}/token", listener.local_addr().unwrap()));
    drop(listener);
    let error = source(&TokenSettings::new(endpoint, "desk", "s3cret")).token().await.unwrap_err();
    assert_eq!(error, TokenError::Unreachable { host: "127.0.0.1".to_owned(), error: NetError::Refused });
    for broken in ["", "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{\"access_token\":\"t\""] {
        let error = error_of(Reply::Bytes(broken.into())).await;
        assert!(matches!(error, TokenError::Unreachable { error: NetError::Incomplete, .. }), "{error:?}");
    }
}

#[tokio::test]
async fn a_provider_that_is_slow_is_waited_for_within_the_time_limit() {
    let provider = IdentityProvider::start([Reply::Silence]).await;
    let mut settings = settings(&provider);
    settings.timeout = Duration::from_millis(50);
    let error = source(&settings).token().await.unwrap_err();
    assert_eq!(error, TokenError::Timeout { host: "127.0.0.1".to_owned(), limit: settings.timeout });
}

#[tokio::test]
async fn a_failing_provider_gets_one_request_at_a_time_with_growing_pauses() {
    let provider = IdentityProvider::start([500, 502, 503].map(|status| Reply::json(status, ""))).await;
    let tokens = tokens(&provider);
    for (requests, pause, expected) in [(1, 1, 500), (2, 2, 502), (3, 4, 503)] {
        let failed = futures_util::future::join_all((0..50).map(|_| tokens.token())).await;
        let is_expected =
            |error: &TokenError| matches!(error, TokenError::Unavailable { status, .. } if *status == expected);
        assert!(failed.iter().all(|token| token.as_ref().is_err_and(is_expected)), "{failed:?}");
        assert!(tokens.token().await.is_err_and(|error| is_expected(&error)));
        assert_eq!(provider.requests().len(), requests);
        pass(Duration::from_secs(pause)).await;
    }
    assert_eq!(text(tokens.token().await), "token-4");
}

#[tokio::test]
async fn a_secret_that_was_replaced_at_the_provider_is_named_and_works_again_later() {
    let provider = IdentityProvider::start([]).await;
    let tokens = tokens(&provider);
    let token = tokens.token().await.unwrap();
    provider.push([Reply::error(401, "invalid_client")]);
    assert!(tokens.refused(&token));
    let error = tokens.token().await.unwrap_err().to_string();
    assert!(error.contains("invalid_client") && error.contains("`client_secret`"), "{error}");
    pass(Duration::from_secs(1)).await;
    assert_eq!(text(tokens.token().await), "token-3");
}
