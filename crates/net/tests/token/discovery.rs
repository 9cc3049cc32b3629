//! Discovery of the token endpoint of an issuer.

use std::time::Duration;

use turnkit_net::{SubjectToken, TokenEndpoint, TokenError, TokenGrant};

use crate::identity_provider::{IdentityProvider, Reply};
use crate::{pass, settings, source, text};

const OAUTH: &str = "/.well-known/oauth-authorization-server/desk";
const OPENID: &str = "/desk/.well-known/openid-configuration";

/// Returns a source of the issuer at `/desk`.
fn of_issuer(provider: &IdentityProvider) -> turnkit_net::TokenSource {
    let mut settings = settings(provider);
    settings.endpoint = TokenEndpoint::Issuer(provider.url("/desk"));
    settings.grant = TokenGrant::Exchange;
    source(&settings)
}

fn metadata(issuer: &str, endpoint: &str) -> Reply {
    Reply::json(200, format!(r#"{{"issuer":"{issuer}","token_endpoint":"{endpoint}"}}"#))
}

#[tokio::test]
async fn the_endpoint_of_an_issuer_is_discovered_once_an_hour() {
    for (page, before) in [(OAUTH, vec![OAUTH]), (OPENID, vec![OAUTH, OPENID])] {
        let provider = IdentityProvider::start([]).await;
        provider.page(page, metadata(&provider.url("/desk"), &provider.url("/token")));
        let tokens = of_issuer(&provider);
        let callers = ["ann", "bob"].map(|caller| tokens.token_for(SubjectToken::new(caller)));
        let given = futures_util::future::join_all(callers).await;
        assert!(given.iter().all(Result::is_ok), "{given:?}");
        let mut expected = before.clone();
        expected.extend(["/token", "/token"]);
        assert_eq!(provider.paths(), expected);
        pass(Duration::from_secs(60 * 60)).await;
        assert!(tokens.token_for(SubjectToken::new("ann")).await.is_ok());
        expected.extend(before);
        expected.push("/token");
        assert_eq!(provider.paths(), expected);
    }
}

#[tokio::test]
async fn an_endpoint_that_fails_is_discovered_again() {
    let provider = IdentityProvider::start([]).await;
    let ann = SubjectToken::new("ann");
    provider.page(OAUTH, metadata(&provider.url("/desk"), &provider.url("/moved")));
    let tokens = of_issuer(&provider);
    provider.page("/moved", Reply::json(410, "gone"));
    assert!(matches!(tokens.token_for(ann).await, Err(TokenError::Malformed { .. })));
    provider.page(OAUTH, metadata(&provider.url("/desk"), &provider.url("/token")));
    pass(Duration::from_secs(1)).await;
    assert_eq!(text(tokens.token_for(ann).await), "token-4");
}

#[tokio::test]
async fn metadata_that_cannot_be_trusted_or_read_is_an_error_and_no_secret_is_sent() {
    let provider = IdentityProvider::start([]).await;
    let (issuer, endpoint) = (provider.url("/desk"), provider.url("/token"));
    let huge = format!(r#"{{"issuer":"{issuer}","token_endpoint":"{endpoint}","a":"{}"}}"#, "a".repeat(1024 * 1024));
    for (page, expected) in [
        (metadata(&provider.url("/desk/"), &endpoint), "its metadata is about another issuer; write `issuer` exactly"),
        (metadata("https://evil.example", &endpoint), "its metadata is about another issuer"),
        (metadata(&issuer, "http://10.0.0.1/token"), "the token_endpoint of its metadata must begin with https:"),
        (metadata(&issuer, "file:///bin/sh"), "the token_endpoint of its metadata is not a usable address"),
        (Reply::json(200, "<html>"), "its metadata is not a JSON object with `issuer` and `token_endpoint`"),
        (Reply::json(200, huge), "it is larger than 65536 bytes"),
        (Reply::Endless, "it is larger than 65536 bytes"),
        (Reply::with(302, "location: /token\r\n", ""), "status 302 leads to another address, which is not followed"),
        (Reply::json(403, ""), "status 404 where an issuer has its metadata; configure `token_url` instead"),
    ] {
        provider.page(OAUTH, page);
        let error = of_issuer(&provider).token_for(SubjectToken::new("ann")).await.unwrap_err();
        assert!(matches!(error, TokenError::Malformed { .. }), "{error:?}");
        assert!(error.to_string().contains(expected), "{error}");
    }
    let requests = provider.requests();
    assert!(requests.iter().all(|request| request.body.is_empty() && request.header("authorization").is_none()));
}
