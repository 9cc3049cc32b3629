//! Tests of valid tokens: who sends them, what they permit, and when they end.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use turnkit_core::ports::{CallerTokens as _, NoCallerToken};
use turnkit_core::{Scope, Timestamp};
use turnkit_server::{AuthMode, CallerTokenCache, JwtSettings};
use turnkit_testkit::{Gate, Reply, VirtualClock};

use crate::foreign::TwoProviders;
use crate::mcp_directory::Servers;
use crate::recordings::Recordings;
use crate::running::{Running, Setup};
use crate::token_issuer::{Issuer, SigningKey};

/// Starts a server with an in-memory store, so that only the test advances the time.
pub(crate) async fn server(auth: AuthMode) -> Running {
    Setup::always(Reply::text("Hello")).in_memory().auth(auth).run().await
}

/// Returns the claims of a token of ada that is valid for a week.
pub(crate) fn claims(issuer: &Issuer, server: &Running) -> Value {
    json!({ "iss": issuer.url, "aud": "turnkit", "sub": "ada", "exp": server.seconds() + 7 * 86_400 })
}

/// Lets time pass for the server.
pub(crate) async fn pass(duration: Duration) {
    tokio::time::pause();
    tokio::time::advance(duration).await;
    tokio::time::resume();
}

#[tokio::test]
async fn a_token_of_each_algorithm_is_accepted() {
    let key_of = |algorithm: &str| match algorithm {
        "ES256" => SigningKey::p256(algorithm),
        "ES384" => SigningKey::p384(algorithm),
        "EdDSA" => SigningKey::ed25519(algorithm),
        // A key that names no algorithm is for this one.
        "RS256" => SigningKey::rsa(algorithm),
        _ => SigningKey::rsa(algorithm).only_for(algorithm),
    };
    let algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA"];
    let keys: Vec<SigningKey> = algorithms.iter().map(|algorithm| key_of(algorithm)).collect();
    let issuer = Issuer::publishing(&keys.iter().collect::<Vec<_>>()).await;
    let server = server(AuthMode::Jwt(issuer.settings())).await;
    for (algorithm, key) in algorithms.iter().zip(&keys) {
        let client = server.bearer(key.token(algorithm, &claims(&issuer, &server)));
        for _ in 0..2 {
            assert_eq!(client.get("/api/v1/sessions").await.status, 200, "{algorithm}");
        }
    }
    assert_eq!(issuer.reads(), 1);
}

#[tokio::test]
async fn the_usual_forms_of_a_token_are_accepted() {
    let key = SigningKey::ed25519("a");
    let issuer = Issuer::publishing(&[&key]).await;
    let server = server(AuthMode::Jwt(issuer.settings())).await;
    let with = |name: &str, value: Value| {
        let mut claims = claims(&issuer, &server);
        claims[name] = value;
        key.token("EdDSA", &claims)
    };
    let header = |header: Value| key.token_with(&header, &claims(&issuer, &server));
    for (what, token) in [
        ("a list of audiences", with("aud", json!(["others", "turnkit"]))),
        ("expired within the leeway", with("exp", json!(server.seconds() - 50))),
        ("valid within the leeway", with("nbf", json!(server.seconds() + 50))),
        ("unknown claims", with("email", json!("ada@example.com"))),
        ("scopes of others", with("scope", json!("openid profile"))),
        ("no key named", header(json!({ "alg": "EdDSA" }))),
        ("an access token", header(json!({ "alg": "EdDSA", "kid": "a", "typ": "at+JWT" }))),
        ("the other name of the algorithm", header(json!({ "alg": "Ed25519", "kid": "a" }))),
    ] {
        let reply = server.bearer(token).get("/api/v1/sessions").await;
        assert_eq!(reply.status, 200, "{what}: {}", reply.body);
    }
}

#[tokio::test]
async fn user_tenant_and_scopes_are_those_of_the_claims() {
    let key = SigningKey::ed25519("a");
    let issuer = Issuer::publishing(&[&key]).await;
    let settings = JwtSettings {
        tenant_claim: Some("org".to_owned()),
        user_claim: "uid".to_owned(),
        scope_claim: "scp".to_owned(),
        ..issuer.settings()
    };
    let server = server(AuthMode::Jwt(settings)).await;
    let client = |org: Value, uid: Value, scp: Value| {
        let mut claims = claims(&issuer, &server);
        (claims["org"], claims["uid"], claims["scp"]) = (org, uid, scp);
        server.bearer(key.token("EdDSA", &claims))
    };
    let everything = || json!("chat read");
    let ada = client(json!("acme"), json!("ada"), everything());
    let (_, session) = ada.run_turn(None, "Hello").await;
    let path = format!("/api/v1/sessions/{session}");
    for (org, uid, status) in [("acme", "ada", 200), ("acme", "bob", 404), ("other", "ada", 404)] {
        assert_eq!(client(json!(org), json!(uid), everything()).get(&path).await.status, status, "{org} {uid}");
    }
    for (scp, status) in [
        (json!("read"), 200),
        (json!(["read", "metrics"]), 200),
        (json!(""), 200),
        (json!("chat"), 403),
        (json!(["decide"]), 403),
        (json!(1), 401),
        (json!(["read", 1]), 401),
    ] {
        assert_eq!(client(json!("acme"), json!("ada"), scp.clone()).get(&path).await.status, status, "{scp}");
    }
    for (org, uid) in [
        (json!("local"), json!("ada")),
        (json!(1), json!("ada")),
        (json!(""), json!("ada")),
        (json!("acme"), Value::Null),
    ] {
        assert_eq!(client(org.clone(), uid.clone(), everything()).get(&path).await.status, 401, "{org} {uid}");
    }
    let mut without = claims(&issuer, &server);
    without["uid"] = json!("ada");
    assert_eq!(server.bearer(key.token("EdDSA", &without)).get(&path).await.status, 401, "without a tenant");
}

#[tokio::test]
async fn a_token_with_admin_creates_keys_of_users_but_not_of_the_servers_machine() {
    let key = SigningKey::ed25519("a");
    let issuer = Issuer::publishing(&[&key]).await;
    let server = server(AuthMode::ApiKeyOrJwt(issuer.settings())).await;
    let mut claims = claims(&issuer, &server);
    claims["scope"] = json!("admin");
    let admin = server.bearer(key.token("EdDSA", &claims));
    for (body, status, user) in [
        (json!({ "name": "own" }), 201, json!("ada")),
        (json!({ "name": "other", "user": "bob" }), 201, json!("bob")),
        (json!({ "name": "machine", "user": "local" }), 403, Value::Null),
    ] {
        let made = admin.post("/api/v1/keys", &body).await;
        assert_eq!((made.status, &made.json()["user"]), (status, &user), "{body}: {}", made.body);
    }
}

#[tokio::test]
async fn an_administrator_of_another_tenant_neither_sees_nor_changes_the_state_of_providers() {
    let key = SigningKey::ed25519("a");
    let issuer = Issuer::publishing(&[&key]).await;
    let of_tenants = JwtSettings { tenant_claim: Some("org".to_owned()), ..issuer.settings() };
    for (settings, status) in [(issuer.settings(), 200), (of_tenants, 403)] {
        let setup = Setup::always(Reply::text("Hello")).providers(TwoProviders).in_memory();
        let server = setup.auth(AuthMode::Jwt(settings)).run().await;
        let mut claims = claims(&issuer, &server);
        (claims["org"], claims["scope"]) = (json!("acme"), json!("admin read"));
        let admin = server.bearer(key.token("EdDSA", &claims));
        let listed = admin.get("/api/v1/providers").await.json();
        assert_eq!(listed["data"][0]["id"], "first", "{listed}");
        assert_eq!(listed["data"][0]["frozen"].is_object(), status == 200, "{listed}");
        let thawed = admin.request("POST", "/api/v1/providers/first/thaw").send().await;
        assert_eq!(thawed.status, status, "{}", thawed.body);
        let thawed = server.operator().request("POST", "/api/v1/providers/first/thaw").send().await;
        assert_eq!(thawed.status, 200, "{}", thawed.body);
    }
}

#[tokio::test]
async fn an_administrator_of_another_tenant_neither_sees_nor_reconnects_mcp_servers() {
    let key = SigningKey::ed25519("a");
    let issuer = Issuer::publishing(&[&key]).await;
    let of_tenants = JwtSettings { tenant_claim: Some("org".to_owned()), ..issuer.settings() };
    for (settings, status) in [(issuer.settings(), 200), (of_tenants, 403)] {
        let setup = Setup::always(Reply::text("Hello")).mcp_servers(Servers::default()).in_memory();
        let server = setup.auth(AuthMode::Jwt(settings)).run().await;
        let mut claims = claims(&issuer, &server);
        (claims["org"], claims["scope"]) = (json!("acme"), json!("admin read"));
        for (client, status) in [(&server.bearer(key.token("EdDSA", &claims)), status), (&server.operator(), 200)] {
            assert_eq!(client.get("/api/v1/mcp").await.status, status);
            let connected = client.request("POST", "/api/v1/mcp/tickets/reconnect").send().await;
            assert_eq!(connected.status, status, "{}", connected.body);
        }
    }
}

#[tokio::test]
async fn an_administrator_of_another_tenant_sees_no_recordings() {
    let key = SigningKey::ed25519("a");
    let issuer = Issuer::publishing(&[&key]).await;
    let of_tenants = JwtSettings { tenant_claim: Some("org".to_owned()), ..issuer.settings() };
    for (settings, status) in [(issuer.settings(), 200), (of_tenants, 403)] {
        let setup = Setup::always(Reply::text("Hello")).recordings(Recordings::default()).in_memory();
        let server = setup.auth(AuthMode::Jwt(settings)).run().await;
        let mut claims = claims(&issuer, &server);
        (claims["org"], claims["scope"]) = (json!("acme"), json!("admin read"));
        let admin = server.bearer(key.token("EdDSA", &claims));
        assert_eq!(admin.get("/api/v1/recordings").await.status, status);
        assert_eq!(server.operator().get("/api/v1/recordings").await.status, 200);
    }
}

#[tokio::test]
async fn keys_and_tokens_are_accepted_as_the_mode_says() {
    let key = SigningKey::ed25519("a");
    let issuer = Issuer::publishing(&[&key]).await;
    for (auth, accepts_keys, accepts_tokens) in [
        (AuthMode::ApiKey, true, false),
        (AuthMode::Jwt(issuer.settings()), false, true),
        (AuthMode::ApiKeyOrJwt(issuer.settings()), true, true),
    ] {
        let server = server(auth.clone()).await;
        let status = |accepted| if accepted { 200 } else { 401 };
        let token = server.bearer(key.token("EdDSA", &claims(&issuer, &server)));
        assert_eq!(token.get("/api/v1/sessions").await.status, status(accepts_tokens), "{auth:?}");
        assert_eq!(server.user("ada").await.get("/api/v1/sessions").await.status, status(accepts_keys), "{auth:?}");
        assert_eq!(server.operator().get("/api/v1/sessions").await.status, 200, "{auth:?}");
        assert_eq!(server.client.get("/api/v1/sessions").await.status, 401, "{auth:?}");
    }
}

#[tokio::test]
async fn the_newest_valid_token_of_each_user_is_kept_for_tools_and_nothing_else() {
    let (key, forger) = (SigningKey::ed25519("a"), SigningKey::ed25519("a"));
    let issuer = Issuer::publishing(&[&key]).await;
    let start = Timestamp::from_millis(1_800_000_000_000);
    let kept = Arc::new(CallerTokenCache::new(Arc::new(VirtualClock::following_tokio(start))));
    let setup = Setup::always(Reply::text("Hello")).in_memory().keeping_tokens(Arc::clone(&kept));
    let server = setup.auth(AuthMode::ApiKeyOrJwt(issuer.settings())).run().await;
    let token = |key: &SigningKey, user: &str, issued: i64, expires: i64| {
        let mut claims = claims(&issuer, &server);
        claims["sub"] = json!(user);
        (claims["iat"], claims["exp"]) = (json!(server.seconds() + issued), json!(server.seconds() + expires));
        key.token("EdDSA", &claims)
    };
    let (_, api_key) = server.key("ada").await;
    let (first, second) = (token(&key, "ada", -20, 600), token(&key, "ada", -10, 500));
    let ada = Scope::new("local", "ada");
    // What is sent, the status, and the token of ada that is kept then.
    for (what, sent, status, expected) in [
        ("a key", &api_key, 200, Err(NoCallerToken::Missing)),
        ("a forged token", &token(&forger, "ada", -1, 600), 401, Err(NoCallerToken::Missing)),
        ("an expired token", &token(&key, "ada", -900, -300), 401, Err(NoCallerToken::Missing)),
        ("one expired within the leeway", &token(&key, "ada", -900, -30), 200, Err(NoCallerToken::Expired)),
        ("a token", &first, 200, Ok(&first)),
        ("a newer token", &second, 200, Ok(&second)),
        ("the older one again", &first, 200, Ok(&second)),
        ("the token of another user", &token(&key, "bob", 0, 600), 200, Ok(&second)),
        ("a key again", &api_key, 200, Ok(&second)),
    ] {
        let reply = server.bearer(sent.as_str()).get("/api/v1/sessions").await;
        assert_eq!(reply.status, status, "{what}: {}", reply.body);
        let newest = kept.newest(&ada).map(|token| token.as_str().to_owned());
        assert_eq!(newest.as_ref(), expected.as_ref().copied(), "{what}");
    }
}

#[tokio::test]
async fn streams_end_with_their_token_and_others_continue() {
    let key = SigningKey::ed25519("a");
    let issuer = Issuer::publishing(&[&key]).await;
    let gate = Gate::new();
    let settings = JwtSettings { leeway: Duration::ZERO, ..issuer.settings() };
    let setup = Setup::always(Reply::new().say("Hello ").wait(&gate).say("there")).in_memory();
    let server = setup.auth(AuthMode::Jwt(settings)).run().await;
    let until = |seconds: i64| {
        let mut claims = claims(&issuer, &server);
        claims["exp"] = json!(server.seconds() + seconds);
        server.bearer(key.token("EdDSA", &claims))
    };
    let (short, long) = (until(30), until(600));
    let (turn, session) = short.say(None, "Hello").await;
    let (turn, session) = (format!("/api/v1/turns/{turn}/events"), format!("/api/v1/sessions/{session}/events"));
    let mut of_turn = short.follow(&format!("{turn}?dialect=named"), None).await;
    let mut of_relay = short.follow(&format!("{turn}?dialect=relay"), None).await;
    let mut of_session = short.follow(&session, None).await;
    let mut other = long.follow(&turn, None).await;
    for stream in [&mut of_turn, &mut of_relay, &mut of_session, &mut other] {
        stream.until(|frame| frame.data.contains("Hello ")).await;
    }
    pass(Duration::from_secs(31)).await;
    let end = of_turn.rest().await;
    assert!(end.iter().any(|frame| frame.data.contains("the token has expired")), "{end:?}");
    let end = of_relay.rest().await;
    assert_eq!(end.last().unwrap().json()["code"], "key_revoked", "{end:?}");
    of_session.rest().await;
    let expired = short.get("/api/v1/sessions").await;
    assert_eq!((expired.status, expired.code().as_str()), (401, "unauthenticated"));
    assert!(expired.header("www-authenticate").ends_with("error_description=\"the token has expired\""));
    gate.open();
    let rest = other.rest().await;
    assert_eq!(rest.last().unwrap().json()["status"], "completed", "the turn and other streams continue");
}
