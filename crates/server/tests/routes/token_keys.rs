//! Tests of the keys that an issuer publishes: when they are read, and which are used.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::json;
use turnkit_server::{AuthMode, JwtSettings, KeySource};

use crate::token_issuer::{Issuer, SigningKey};
use crate::tokens::{claims, pass, server};

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);
const PATH: &str = "/api/v1/sessions";

#[tokio::test]
async fn a_thousand_unknown_keys_make_one_read_a_minute() {
    let key = SigningKey::ed25519("a");
    let issuer = Issuer::publishing(&[&key]).await;
    let server = server(AuthMode::Jwt(issuer.settings())).await;
    for minute in 1..=2 {
        for number in 0..1000 {
            let header = json!({ "alg": "EdDSA", "kid": format!("{minute}-{number}") });
            let status = server.bearer(key.token_with(&header, &claims(&issuer, &server))).get(PATH).await.status;
            assert!(status == 401 || status == 429, "{status}");
        }
        assert!(issuer.reads() <= 1 + minute, "{} reads in {minute} minutes", issuer.reads());
        pass(MINUTE).await;
    }
    assert_eq!(server.bearer(key.token("EdDSA", &claims(&issuer, &server))).get(PATH).await.status, 200);
}

#[tokio::test]
async fn fifty_requests_with_a_new_key_share_one_read() {
    let (old, new) = (SigningKey::ed25519("old"), SigningKey::ed25519("new"));
    let issuer = Issuer::publishing(&[&old]).await;
    let server = server(AuthMode::Jwt(issuer.settings())).await;
    let ask = |key: &SigningKey| {
        let client = server.bearer(key.token("EdDSA", &claims(&issuer, &server)));
        async move { client.get(PATH).await.status }
    };
    assert_eq!(join_all((0..50).map(|_| ask(&old))).await, [200; 50]);
    assert_eq!(issuer.reads(), 1);
    issuer.publish(&[&old, &new]);
    pass(MINUTE).await;
    assert_eq!(join_all((0..50).map(|_| ask(&new))).await, [200; 50]);
    assert_eq!(issuer.reads(), 2);
}

#[tokio::test]
async fn keys_are_replaced_without_a_restart_and_withdrawn_ones_stop_working() {
    let (old, new) = (SigningKey::rsa("old"), SigningKey::p256("new"));
    let issuer = Issuer::publishing(&[&old]).await;
    let server = server(AuthMode::Jwt(issuer.settings())).await;
    let old_token = server.bearer(old.token("RS256", &claims(&issuer, &server)));
    assert_eq!(old_token.get(PATH).await.status, 200);
    issuer.publish(&[&new]);
    pass(MINUTE).await;
    assert_eq!(old_token.get(PATH).await.status, 200, "the keys are still fresh");
    let new_token = server.bearer(new.token("ES256", &claims(&issuer, &server)));
    assert_eq!(new_token.get(PATH).await.status, 200);
    assert_eq!(old_token.get(PATH).await.status, 401, "also a token that was verified before");
    assert_eq!(new_token.get(PATH).await.status, 200);
}

#[tokio::test]
async fn the_last_keys_are_used_for_a_day_while_the_issuer_is_down() {
    let key = SigningKey::ed25519("a");
    let issuer = Issuer::publishing(&[&key]).await;
    let server = server(AuthMode::Jwt(issuer.settings())).await;
    let client = server.bearer(key.token("EdDSA", &claims(&issuer, &server)));
    assert_eq!(client.get(PATH).await.status, 200);
    issuer.set_down(true);
    for (hours, status) in [(1, 200), (22, 200), (2, 503)] {
        pass(HOUR * hours).await;
        let reply = client.get(PATH).await;
        assert_eq!(reply.status, status, "{}", reply.body);
        assert_eq!(reply.header("retry-after").is_empty(), status == 200, "{:?}", reply.headers);
    }
    issuer.set_down(false);
    pass(MINUTE).await;
    assert_eq!(client.get(PATH).await.status, 200);
}

#[tokio::test]
async fn without_keys_a_token_is_not_called_invalid() {
    let key = SigningKey::ed25519("a");
    let issuer = Issuer::publishing(&[&key]).await;
    issuer.set_down(true);
    let server = server(AuthMode::Jwt(issuer.settings())).await;
    let client = server.bearer(key.token("EdDSA", &claims(&issuer, &server)));
    for _ in 0..20 {
        let reply = client.get(PATH).await;
        assert_eq!((reply.status, reply.code().as_str()), (503, "unavailable"), "{}", reply.body);
        assert!((1..=5).contains(&reply.header("retry-after").parse::<u32>().unwrap()));
    }
    assert_eq!(server.bearer("no.token").get(PATH).await.status, 401, "what is no token is refused all the same");
    assert_eq!(server.operator().get(PATH).await.status, 200, "the operator needs no issuer");
    issuer.set_down(false);
    pass(Duration::from_secs(5)).await;
    assert_eq!(client.get(PATH).await.status, 200);
}

#[tokio::test]
async fn keys_are_read_from_the_configured_address_and_only_of_the_configured_issuer() {
    let key = SigningKey::ed25519("a");
    let issuer = Issuer::publishing(&[&key]).await;
    let known = |path: &str| format!("{}{path}", issuer.url);
    for (source, claimed, status) in [
        (KeySource::Issuer, None, 200),
        (KeySource::Issuer, Some("https://evil.example"), 503),
        (KeySource::Discovery(known("/.well-known/openid-configuration")), None, 200),
        (KeySource::KeySet(known("/keys")), Some("https://evil.example"), 200),
        // No connection is opened to an address whose answer others could replace.
        (KeySource::KeySet("http://192.0.2.1/keys".to_owned()), None, 503),
    ] {
        issuer.claim_to_be(claimed.unwrap_or(&issuer.url));
        let settings = JwtSettings { key_source: source.clone(), ..issuer.settings() };
        let server = server(AuthMode::Jwt(settings)).await;
        let reply = server.bearer(key.token("EdDSA", &claims(&issuer, &server))).get(PATH).await;
        assert_eq!(reply.status, status, "{source:?}: {}", reply.body);
    }
}

#[tokio::test]
async fn several_keys_without_a_name_replace_none_that_have_one() {
    let (named, mut first, mut second) = (SigningKey::ed25519("a"), SigningKey::rsa("b"), SigningKey::p256("c"));
    for key in [&mut first, &mut second] {
        key.public.as_object_mut().unwrap().remove("kid");
    }
    let issuer = Issuer::publishing(&[&named]).await;
    let server = server(AuthMode::Jwt(issuer.settings())).await;
    let client = server.bearer(named.token("EdDSA", &claims(&issuer, &server)));
    assert_eq!(client.get(PATH).await.status, 200);
    for (keys, status) in [(&[&first, &second][..], 200), (&[&first, &named], 200), (&[&first], 401)] {
        issuer.publish(keys);
        pass(MINUTE * 10).await;
        assert_eq!(client.get(PATH).await.status, status, "{} keys", keys.len());
    }
}

#[tokio::test]
async fn keys_for_other_uses_verify_no_token() {
    let key = SigningKey::rsa("a");
    for (field, value) in [
        ("use", json!("enc")),
        ("key_ops", json!(["encrypt"])),
        ("alg", json!("RSA-OAEP")),
        ("alg", json!("HS256")),
        ("alg", json!("ES256")),
        ("kty", json!("oct")),
    ] {
        let (mut changed, other) = (SigningKey::ed25519("a"), SigningKey::ed25519("other"));
        changed.public = key.public.clone();
        changed.public[field] = value.clone();
        let issuer = Issuer::publishing(&[&changed, &other]).await;
        let server = server(AuthMode::Jwt(issuer.settings())).await;
        let refused = server.bearer(key.token("RS256", &claims(&issuer, &server))).get(PATH).await;
        assert_eq!(refused.status, 401, "{field}: {value}");
    }
}
