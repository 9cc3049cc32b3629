//! Token requests, as they are sent.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use turnkit_net::{
    ClientAuth, ClientOptions, HttpClient, SubjectToken, Target, TokenEndpoint, TokenError, TokenGrant, TokenSettings,
    TokenSource,
};

use crate::identity_provider::{IdentityProvider, Request};
use crate::{source, text};

/// Settings with characters that forms, headers and both must encode.
fn settings(provider: &IdentityProvider, client_auth: ClientAuth) -> TokenSettings {
    let endpoint = TokenEndpoint::Url(provider.url("/token"));
    let mut settings = TokenSettings::new(endpoint, "desk: 1", "s/cr&t=é+%");
    settings.client_auth = client_auth;
    settings.audience = vec!["tickets".to_owned(), "https://organisations.example/".to_owned()];
    settings.resource = vec!["https://tickets.example/mcp".to_owned(), "https://organisations.example/mcp".to_owned()];
    settings.scope = vec!["read".to_owned(), "tickets:write".to_owned()];
    settings
}

const TARGETS: &str = "audience=tickets&audience=https%3A%2F%2Forganisations.example%2F\
    &resource=https%3A%2F%2Ftickets.example%2Fmcp&resource=https%3A%2F%2Forganisations.example%2Fmcp\
    &scope=read+tickets%3Awrite";

async fn sent(settings: &TokenSettings, provider: &IdentityProvider) -> Request {
    let subject = SubjectToken::new("caller.token+/=");
    assert_eq!(text(source(settings).token_for(subject).await), "token-1");
    let request = provider.requests().remove(0);
    assert!(request.head.starts_with("POST /token HTTP/1.1\r\n"), "{}", request.head);
    assert_eq!(request.header("content-type"), Some("application/x-www-form-urlencoded"));
    assert_eq!(request.header("accept"), Some("application/json"));
    request
}

#[tokio::test]
async fn a_client_is_named_in_a_header_with_its_id_and_secret_encoded() {
    let provider = IdentityProvider::start([]).await;
    let request = sent(&settings(&provider, ClientAuth::Basic), &provider).await;
    let credentials = STANDARD.encode("desk%3A+1:s%2Fcr%26t%3D%C3%A9%2B%25");
    assert_eq!(request.header("authorization"), Some(format!("Basic {credentials}").as_str()));
    assert_eq!(request.body, format!("grant_type=client_credentials&{TARGETS}"));
}

#[tokio::test]
async fn a_client_is_named_in_the_form_if_its_provider_wants_that() {
    let provider = IdentityProvider::start([]).await;
    let request = sent(&settings(&provider, ClientAuth::Post), &provider).await;
    assert_eq!(request.header("authorization"), None);
    let client = "client_id=desk%3A+1&client_secret=s%2Fcr%26t%3D%C3%A9%2B%25";
    assert_eq!(request.body, format!("grant_type=client_credentials&{client}&{TARGETS}"));
}

#[tokio::test]
async fn an_exchange_has_the_token_of_the_caller() {
    let provider = IdentityProvider::start([]).await;
    let mut settings = settings(&provider, ClientAuth::Basic);
    settings.grant = TokenGrant::Exchange;
    let request = sent(&settings, &provider).await;
    let grant = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange";
    let kind = "urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Aaccess_token";
    let subject = format!("subject_token=caller.token%2B%2F%3D&subject_token_type={kind}");
    assert_eq!(request.body, format!("grant_type={grant}&{TARGETS}&{subject}"));
}

#[tokio::test]
async fn settings_that_are_not_used_are_not_sent() {
    let provider = IdentityProvider::start([]).await;
    let endpoint = TokenEndpoint::Url(provider.url("/token"));
    let request = sent(&TokenSettings::new(endpoint, "desk", "s3cret"), &provider).await;
    assert_eq!(request.body, "grant_type=client_credentials");
}

#[tokio::test]
async fn a_token_is_the_header_of_a_request() {
    let provider = IdentityProvider::start([]).await;
    let token = source(&settings(&provider, ClientAuth::Basic)).token().await.unwrap();
    let target = Target::new(&provider.url("/tickets")).unwrap();
    let target = token.authorize(target.secret_header("authorization", "Bearer old").unwrap());
    HttpClient::new(&ClientOptions::default()).get(&target).await.unwrap();
    assert_eq!(provider.requests().last().unwrap().header("authorization"), Some("Bearer token-1"));
    assert_eq!(target.secrets(), ["token-1"]);
}

#[test]
fn settings_that_cannot_be_used_are_rejected_at_once() {
    type Change = fn(&mut TokenSettings);
    let cases: [(Change, &str); 5] = [
        (|settings| settings.client_id.clear(), "`client_id` must not be empty"),
        (|settings| settings.client_secret.clear(), "`client_secret` must not be empty"),
        (
            |settings| settings.endpoint = TokenEndpoint::Url("http://login.example/s3cret".to_owned()),
            "`token_url` must begin with https:, unless it is on this machine",
        ),
        (
            |settings| settings.endpoint = TokenEndpoint::Issuer("http://login.example/s3cret".to_owned()),
            "`issuer` must begin with https:, unless it is on this machine",
        ),
        (
            |settings| settings.endpoint = TokenEndpoint::Url("https://desk:s3cret@login.example".to_owned()),
            "`token_url` must not contain a user or a password: use `client_id` and `client_secret`",
        ),
    ];
    for (change, expected) in cases {
        let endpoint = TokenEndpoint::Url("https://login.example/token".to_owned());
        let mut settings = TokenSettings::new(endpoint, "desk", "s3cret");
        change(&mut settings);
        let refused = TokenSource::new(&settings, HttpClient::new(&ClientOptions::default())).unwrap_err();
        assert!(matches!(refused, TokenError::Setting { .. }), "{refused:?}");
        assert_eq!(refused.to_string(), expected);
    }
}
