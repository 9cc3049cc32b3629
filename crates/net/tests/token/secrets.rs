//! No output contains a secret or a token, whatever an identity provider answers.

use std::fmt::{Debug, Display};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use turnkit_net::{ClientAuth, SubjectToken, TokenEndpoint, TokenGrant, TokenSettings};

use crate::identity_provider::{IdentityProvider, Reply};
use crate::source;

const SECRET: &str = "cl1ent/s3cret";
const SUBJECT: &str = "subj3ct.t0ken+";

/// The secrets, in all forms in which they are sent.
fn secrets() -> [String; 5] {
    let credentials = STANDARD.encode("desk:cl1ent%2Fs3cret");
    [SECRET, "cl1ent%2Fs3cret", SUBJECT, "subj3ct.t0ken%2B", &credentials].map(str::to_owned)
}

fn settings(provider: &IdentityProvider, client_auth: ClientAuth) -> TokenSettings {
    let mut settings = TokenSettings::new(TokenEndpoint::Url(provider.url("/token")), "desk", SECRET);
    settings.grant = TokenGrant::Exchange;
    settings.client_auth = client_auth;
    settings.timeout = Duration::from_secs(2);
    settings
}

/// Returns replies that contain `secret` in every place that could end up in an error.
fn replies(secret: &str) -> Vec<Reply> {
    let json = |fields: &str| Reply::json(200, format!("{{{fields}}}"));
    let refusal = |status, code: &str, description: &str| {
        Reply::json(status, format!(r#"{{"error":"{code}","error_description":"{description}"}}"#))
    };
    vec![
        refusal(401, "invalid_client", secret),
        refusal(400, "invalid_target", &format!("{}{secret}", "é".repeat(195))),
        refusal(400, "invalid_grant", &format!("\\u0000{secret}\\r\\n{secret}")),
        refusal(400, secret, secret),
        refusal(200, secret, ""),
        refusal(500, secret, secret),
        json(&format!(r#""{secret}":"{secret}""#)),
        json(&format!(r#""access_token":"{secret} ""#)),
        json(&format!(r#""access_token":"t","token_type":"{secret}""#)),
        json(&format!(r#""access_token":"t","expires_in":"{secret}""#)),
        Reply::json(200, secret),
        Reply::json(404, secret),
        Reply::with(302, &format!("location: https://evil.example/?{secret}\r\n"), secret),
        Reply::with(200, &format!("content-encoding: {secret}\r\n"), "x"),
        Reply::with(200, "content-encoding: gzip\r\n", &format!("\u{1f}{secret}")),
        Reply::Bytes(format!("HTTP/1.1 {secret}\r\n\r\n").into_bytes()),
        Reply::Bytes(format!("HTTP/1.1 200 OK\r\n{secret}\r\n\r\n").into_bytes()),
        Reply::Bytes(format!("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{secret}\r\n").into_bytes()),
        Reply::Bytes(secret.into()),
    ]
}

#[track_caller]
fn check(shown: &(impl Debug + Display)) {
    check_text(&format!("{shown} {shown:?} {shown:#?}"));
}

#[track_caller]
fn check_text(text: &str) {
    // The letters, so that no other encoding hides a secret.
    for part in ["s3cret", "subj3ct", "t0ken"] {
        assert!(!text.contains(part), "{text}");
    }
    assert!(secrets().iter().all(|secret| !text.contains(secret)), "{text}");
}

#[tokio::test]
async fn no_error_contains_a_secret_that_the_provider_sends_back() {
    for secret in secrets() {
        for reply in replies(&secret) {
            for client_auth in [ClientAuth::Basic, ClientAuth::Post] {
                let provider = IdentityProvider::start([reply.clone()]).await;
                let tokens = source(&settings(&provider, client_auth));
                check(&tokens.token_for(SubjectToken::new(SUBJECT)).await.unwrap_err());
            }
        }
    }
}

#[tokio::test]
async fn no_type_shows_its_secrets() {
    let provider = IdentityProvider::start([Reply::token("issued.t0ken", "600")]).await;
    let settings = settings(&provider, ClientAuth::Post);
    let (tokens, subject) = (source(&settings), SubjectToken::new(SUBJECT));
    let token = tokens.token_for(subject).await.unwrap();
    assert_eq!(token.as_str(), "issued.t0ken");
    check_text(&format!("{settings:?} {tokens:?} {subject:?} {token:?} {:#?}", (&settings, &tokens, &subject, &token)));
    check(&tokens.token().await.unwrap_err());
    check(&tokens.token_for(subject.valid_for(Duration::ZERO)).await.unwrap_err());
}
