//! The provider over HTTP, as a client sees it.
#![expect(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use reqwest::StatusCode;
use serde_json::{Value, json};
use support_desk_identity_provider::{Client, ProviderOptions, USERS, start};
use support_desk_shared::{KeySet, RunningServer, TokenVerifier};

const EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";
const ACCESS_TOKEN: &str = "urn:ietf:params:oauth:token-type:access_token";

/// A running provider, whose clock a test advances.
struct Provider {
    server: RunningServer,
    seconds: Arc<AtomicU64>,
    http: reqwest::Client,
}

impl Provider {
    async fn start() -> Self {
        let seconds = Arc::new(AtomicU64::new(jsonwebtoken::get_current_timestamp()));
        let read = Arc::clone(&seconds);
        let options = ProviderOptions {
            listen: "127.0.0.1:0".parse().unwrap(),
            client: Client { id: "support-desk".to_owned(), secret: "open sesame".to_owned() },
            token_life: 600,
            clock: Arc::new(move || read.load(Ordering::SeqCst)),
        };
        Self { server: start(options).await.unwrap(), seconds, http: reqwest::Client::new() }
    }

    /// Sends a form to a path, and returns the status and the body.
    async fn post(&self, path: &str, fields: &[(&str, &str)]) -> (StatusCode, Value) {
        let request = self.http.post(format!("{}{path}", self.server.url())).form(fields);
        let response = request.send().await.unwrap();
        (response.status(), response.json().await.unwrap())
    }

    /// Asks for a token with the credentials of the client.
    async fn token(&self, fields: &[(&str, &str)]) -> (StatusCode, Value) {
        let credentials = [("client_id", "support-desk"), ("client_secret", "open sesame")];
        self.post("/token", &[&credentials[..], fields].concat()).await
    }

    async fn get(&self, path: &str) -> Value {
        self.http.get(format!("{}{path}", self.server.url())).send().await.unwrap().json().await.unwrap()
    }

    fn verifier(&self, audience: &str) -> TokenVerifier {
        let keys = KeySet::new(self.server.url(), Duration::from_secs(600)).unwrap();
        TokenVerifier::new(keys, vec![audience.to_owned()])
    }

    async fn user_token(&self, user: &str) -> String {
        let (status, issued) = self.post("/login", &[("user", user), ("audience", "turnkit")]).await;
        assert_eq!(status, StatusCode::OK, "{issued}");
        issued["access_token"].as_str().unwrap().to_owned()
    }

    fn pass(&self, seconds: u64) {
        self.seconds.fetch_add(seconds, Ordering::SeqCst);
    }
}

#[tokio::test]
async fn client_credentials_give_one_token_for_several_audiences_and_resources() {
    let provider = Provider::start().await;
    let resource = "http://127.0.0.1:9000/mcp";
    let (status, issued) = provider
        .token(&[
            ("grant_type", "client_credentials"),
            ("audience", "ticketing"),
            ("audience", "organisations"),
            ("resource", resource),
        ])
        .await;
    assert_eq!(status, StatusCode::OK, "{issued}");
    assert_eq!((&issued["token_type"], &issued["expires_in"]), (&json!("Bearer"), &json!(600)));
    let token = issued["access_token"].as_str().unwrap();
    for audience in ["ticketing", "organisations", resource] {
        let caller = provider.verifier(audience).verify(token).await.unwrap();
        assert_eq!((caller.user.as_str(), caller.client.as_deref()), ("support-desk", Some("support-desk")));
    }
    assert!(provider.verifier("payroll").verify(token).await.is_err());
}

#[tokio::test]
async fn a_client_may_authenticate_in_its_header() {
    let provider = Provider::start().await;
    let request = provider.http.post(format!("{}/token", provider.server.url()));
    let fields = [("grant_type", "client_credentials"), ("audience", "ticketing")];
    let response = request.basic_auth("support-desk", Some("open sesame")).form(&fields).send().await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(response.headers()["cache-control"], "no-store");
}

#[tokio::test]
async fn a_wrong_request_for_a_token_has_an_error_of_oauth() {
    let provider = Provider::start().await;
    let (grant, audience) = (("grant_type", "client_credentials"), ("audience", "ticketing"));
    let exchange = ("grant_type", EXCHANGE);
    let (forged, kind) = (("subject_token", "a.b.c"), ("subject_token_type", ACCESS_TOKEN));
    for (fields, code) in [
        (&[audience][..], "invalid_request"),
        (&[grant, grant, audience], "invalid_request"),
        (&[("grant_type", "password"), audience], "unsupported_grant_type"),
        (&[grant], "invalid_target"),
        (&[grant, ("resource", "mcp")], "invalid_target"),
        (&[exchange, audience, kind], "invalid_request"),
        (&[exchange, audience, forged], "invalid_request"),
        (&[exchange, audience, forged, ("subject_token_type", "saml")], "invalid_request"),
        (&[exchange, audience, forged, kind], "invalid_grant"),
    ] {
        let (status, error) = provider.token(fields).await;
        assert_eq!((status, &error["error"]), (StatusCode::BAD_REQUEST, &json!(code)), "{fields:?}: {error}");
    }
    let wrong = [grant, audience, ("client_id", "support-desk"), ("client_secret", "wrong")];
    let (status, error) = provider.post("/token", &wrong).await;
    assert_eq!((status, &error["error"]), (StatusCode::UNAUTHORIZED, &json!("invalid_client")));
    assert_eq!(provider.get("/statistics").await["refused"], json!(10));
}

#[tokio::test]
async fn a_token_of_a_user_is_exchanged_for_one_that_names_the_user() {
    let provider = Provider::start().await;
    for user in USERS {
        let subject = provider.user_token(user).await;
        let (status, issued) = provider
            .token(&[
                ("grant_type", EXCHANGE),
                ("subject_token", &subject),
                ("subject_token_type", ACCESS_TOKEN),
                ("audience", "ticketing"),
            ])
            .await;
        assert_eq!(status, StatusCode::OK, "{issued}");
        assert_eq!(issued["issued_token_type"], json!(ACCESS_TOKEN));
        let token = issued["access_token"].as_str().unwrap();
        let caller = provider.verifier("ticketing").verify(token).await.unwrap();
        assert_eq!((caller.user.as_str(), caller.client.as_deref()), (user, Some("support-desk")));
    }
    let (status, error) = provider.post("/login", &[("user", "mallory"), ("audience", "turnkit")]).await;
    assert_eq!((status, &error["error"]), (StatusCode::BAD_REQUEST, &json!("invalid_grant")));
}

#[tokio::test]
async fn an_exchanged_token_does_not_outlive_the_token_of_the_user() {
    let provider = Provider::start().await;
    let subject = provider.user_token("ana").await;
    provider.pass(400);
    let (_, issued) = provider
        .token(&[
            ("grant_type", EXCHANGE),
            ("subject_token", &subject),
            ("subject_token_type", ACCESS_TOKEN),
            ("audience", "ticketing"),
        ])
        .await;
    assert_eq!(issued["expires_in"], json!(200));
}

#[tokio::test]
async fn tokens_of_a_retired_key_are_valid_until_they_expire() {
    let provider = Provider::start().await;
    let verifier = provider.verifier("ticketing");
    let fields = [("grant_type", "client_credentials"), ("audience", "ticketing")];
    let issue = async || {
        let (_, issued) = provider.token(&fields).await;
        issued["access_token"].as_str().unwrap().to_owned()
    };
    let keys = async || provider.get("/jwks").await["keys"].as_array().unwrap().len();

    let before = issue().await;
    verifier.verify(&before).await.unwrap();
    let (status, rotated) = provider.post("/rotate", &[]).await;
    assert_eq!(status, StatusCode::OK, "{rotated}");
    let after = issue().await;
    for token in [&before, &after] {
        verifier.verify(token).await.unwrap();
        provider.verifier("ticketing").verify(token).await.unwrap();
    }
    assert_eq!(keys().await, 2);
    provider.pass(600);
    assert_eq!(keys().await, 1);
    assert!(provider.verifier("ticketing").verify(&before).await.is_err());
}

#[tokio::test]
async fn the_discovery_document_leads_to_the_endpoints() {
    let provider = Provider::start().await;
    let document = provider.get("/.well-known/openid-configuration").await;
    let url = provider.server.url();
    assert_eq!(document["issuer"], json!(url));
    assert_eq!(document["token_endpoint"], json!(format!("{url}/token")));
    assert_eq!(document["jwks_uri"], json!(format!("{url}/jwks")));
}
