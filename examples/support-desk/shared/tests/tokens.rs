//! The check of access tokens against an issuer that serves its keys over HTTP.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]

mod issuer;

use std::time::Duration;

use issuer::{Issuer, Key, encoded};
use jsonwebtoken::{Algorithm, EncodingKey};
use serde_json::{Value, json};
use support_desk_shared::{KeyError, KeySet, TokenError, TokenVerifier};

const AUDIENCE: &str = "ticketing";

/// A pause that no test outlives.
const LONG: Duration = Duration::from_secs(600);

fn verifier(issuer: &Issuer, pause: Duration) -> TokenVerifier {
    TokenVerifier::new(KeySet::new(issuer.url(), pause).unwrap(), vec![AUDIENCE.to_owned()])
}

/// Returns valid claims with some changes. A change to null removes a claim.
fn claims(issuer: &Issuer, changes: Value) -> Value {
    let now = jsonwebtoken::get_current_timestamp();
    let mut claims = json!({
        "iss": issuer.url(), "sub": "ana", "aud": ["organisations", AUDIENCE], "client_id": "support-desk",
        "iat": now, "nbf": now, "exp": now + 600,
    });
    for (name, value) in changes.as_object().unwrap() {
        claims[name] = value.clone();
    }
    claims.as_object_mut().unwrap().retain(|_, value| !value.is_null());
    claims
}

#[tokio::test]
async fn a_token_for_this_server_names_its_caller() {
    let key = Key::new("first");
    let issuer = Issuer::start([&key]).await;
    let verifier = verifier(&issuer, LONG);
    for audience in [json!([AUDIENCE]), json!(AUDIENCE), json!(["organisations", AUDIENCE])] {
        let token = key.sign(&claims(&issuer, json!({ "aud": audience })));
        let caller = verifier.verify(&token).await.unwrap();
        assert_eq!((caller.user.as_str(), caller.client.as_deref()), ("ana", Some("support-desk")));
    }
    assert_eq!(issuer.fetches(), 1, "the keys are cached");
}

#[tokio::test]
async fn a_token_with_a_wrong_claim_is_refused() {
    let key = Key::new("first");
    let issuer = Issuer::start([&key]).await;
    let verifier = verifier(&issuer, LONG);
    let now = jsonwebtoken::get_current_timestamp();
    let (lacks, content) = ("lacks one of the claims", "not that of an access token");
    for (changes, reason) in [
        (json!({ "iss": "http://127.0.0.1:1" }), "another issuer"),
        (json!({ "iss": format!("{}/", issuer.url()) }), "another issuer"),
        (json!({ "iss": null }), lacks),
        (json!({ "aud": "organisations" }), "another audience"),
        (json!({ "aud": ["organisations"] }), "another audience"),
        (json!({ "aud": "Ticketing" }), "another audience"),
        (json!({ "aud": [] }), "another audience"),
        (json!({ "aud": 7 }), lacks),
        (json!({ "aud": null }), lacks),
        (json!({ "exp": now - 60 }), "expired"),
        (json!({ "exp": 0 }), "expired"),
        (json!({ "exp": "tomorrow" }), lacks),
        (json!({ "exp": null }), lacks),
        (json!({ "nbf": now + 60 }), "not valid yet"),
        (json!({ "nbf": null }), lacks),
        (json!({ "sub": null }), content),
        (json!({ "sub": 7 }), content),
    ] {
        let error = verifier.verify(&key.sign(&claims(&issuer, changes.clone()))).await.unwrap_err();
        assert!(matches!(error, TokenError::Refused(_)), "{changes}: {error}");
        assert!(error.to_string().contains(reason), "{changes}: {error}");
    }
}

#[tokio::test]
async fn a_forged_token_is_refused() {
    let (key, other) = (Key::new("first"), Key::new("first"));
    let issuer = Issuer::start([&key]).await;
    let verifier = verifier(&issuer, Duration::ZERO);
    let claims = claims(&issuer, json!({}));
    let valid = key.sign(&claims);
    let [header, payload, signature] = valid.split('.').collect::<Vec<_>>()[..] else { panic!("{valid}") };
    let unsigned = |header: Value| format!("{}.{payload}.", encoded(&header));
    let other_user = encoded(&json!({ "sub": "ben", "iss": issuer.url(), "aud": AUDIENCE, "exp": u32::MAX, "nbf": 0 }));

    for (forgery, token) in [
        ("an empty text", String::new()),
        ("one part", "abc".to_owned()),
        ("no signature", format!("{header}.{payload}")),
        ("an empty signature", format!("{header}.{payload}.")),
        ("a fourth part", format!("{valid}.{signature}")),
        ("another payload", format!("{header}.{other_user}.{signature}")),
        ("the key of a stranger", other.sign(&claims)),
        ("the algorithm none", unsigned(json!({ "alg": "none", "kid": "first" }))),
        ("the algorithm None", unsigned(json!({ "alg": "None", "kid": "first" }))),
        ("no algorithm", unsigned(json!({ "kid": "first" }))),
        ("no key id", unsigned(json!({ "alg": "ES256" }))),
        ("a key id that is a number", unsigned(json!({ "alg": "ES256", "kid": 1 }))),
        ("the public key as a secret", key.sign_with_public_key(&claims)),
        ("the public key as a secret, in JSON", key.sign_with_public_document(&claims)),
        ("another algorithm of the same family", key.sign_as("first", Algorithm::ES384, &claims)),
        ("an unknown key id", key.sign_as("second", Algorithm::ES256, &claims)),
        ("a path as key id", key.sign_as("../../first", Algorithm::ES256, &claims)),
        ("a null byte in the key id", key.sign_as("first\0", Algorithm::ES256, &claims)),
        ("the key id in upper case", key.sign_as("FIRST", Algorithm::ES256, &claims)),
        ("a key in the header", other.sign_with_key_in_header(&claims)),
    ] {
        assert!(verifier.verify(&token).await.is_err(), "{forgery}");
    }
    assert!(verifier.verify(&valid).await.is_ok(), "the token that they were made from");
}

#[tokio::test]
async fn a_published_secret_or_a_key_without_an_algorithm_verifies_nothing() {
    let (key, secret) = (Key::new("first"), EncodingKey::from_secret(&[7; 32]));
    let issuer = Issuer::start([&key]).await;
    let mut nameless = serde_json::to_value(key.public()).unwrap();
    nameless.as_object_mut().unwrap().remove("alg");
    let shared = json!({ "kty": "oct", "kid": "shared", "alg": "HS256", "k": encoded_bytes(&[7; 32]) });
    issuer.publish(json!({ "keys": [nameless, shared] }));

    let verifier = verifier(&issuer, LONG);
    let claims = claims(&issuer, json!({}));
    for token in [key.sign(&claims), issuer::signed("shared", Algorithm::HS256, &claims, &secret)] {
        assert!(matches!(verifier.verify(&token).await, Err(TokenError::Algorithm)));
    }
}

fn encoded_bytes(bytes: &[u8]) -> String {
    use base64::Engine;
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes)
}

#[tokio::test]
async fn a_new_key_of_the_issuer_is_accepted_at_once() {
    let (first, second, third) = (Key::new("first"), Key::new("second"), Key::new("third"));
    let issuer = Issuer::start([&first]).await;
    let verifier = verifier(&issuer, LONG);
    let claims = claims(&issuer, json!({}));
    verifier.verify(&first.sign(&claims)).await.unwrap();
    for keys in [vec![&second, &first], vec![&third, &second]] {
        issuer.publish_keys(&keys);
        verifier.verify(&keys[0].sign(&claims)).await.unwrap();
    }
    assert_eq!(issuer.fetches(), 3);
    assert!(verifier.verify(&first.sign(&claims)).await.is_err(), "a key that the issuer has removed");
}

#[tokio::test]
async fn a_thousand_unknown_key_ids_make_one_fetch_in_a_pause() {
    let key = Key::new("first");
    let issuer = Issuer::start([&key]).await;
    let verifier = verifier(&issuer, LONG);
    let claims = claims(&issuer, json!({}));
    verifier.verify(&key.sign(&claims)).await.unwrap();
    for id in 0..1_000 {
        let token = key.sign_as(&format!("invented-{id}"), Algorithm::ES256, &claims);
        assert!(matches!(verifier.verify(&token).await, Err(TokenError::Key(KeyError::Unknown))));
    }
    assert_eq!(issuer.fetches(), 2);
    verifier.verify(&key.sign(&claims)).await.unwrap();
}

#[tokio::test]
async fn an_issuer_that_cannot_be_asked_is_not_the_fault_of_the_token() {
    let key = Key::new("first");
    let issuer = Issuer::start([&key]).await;
    let token = key.sign(&claims(&issuer, json!({})));

    let by_name = issuer.url().replace("127.0.0.1", "localhost");
    let renamed = TokenVerifier::new(KeySet::new(&by_name, LONG).unwrap(), vec![AUDIENCE.to_owned()]);
    let error = renamed.verify(&token).await.unwrap_err();
    assert!(matches!(error, TokenError::Key(KeyError::OtherIssuer { .. })), "{error}");

    let verifier = verifier(&issuer, LONG);
    issuer.stop().await;
    let error = verifier.verify(&token).await.unwrap_err();
    assert!(matches!(error, TokenError::Key(KeyError::Unreachable { .. })), "{error}");
}
