//! Tests of forged, stale and malformed tokens: none is accepted.

use std::time::Duration;

use serde_json::{Value, json};
use turnkit_server::{AuthMode, JwtSettings};

use crate::running::Running;
use crate::token_issuer::{Issuer, SigningKey, encode};
use crate::tokens::{claims, pass, server};

/// A server, its issuer, and a valid token to start from.
struct Forge {
    server: Running,
    issuer: Issuer,
    rsa: SigningKey,
    p256: SigningKey,
    stranger: SigningKey,
}

impl Forge {
    async fn new() -> Self {
        let (rsa, p256, ed) = (SigningKey::rsa("rsa"), SigningKey::p256("ec"), SigningKey::ed25519("ed"));
        let issuer = Issuer::publishing(&[&rsa, &p256, &ed]).await;
        let server = server(AuthMode::Jwt(issuer.settings())).await;
        Self { server, issuer, rsa, p256, stranger: SigningKey::rsa("rsa") }
    }

    fn claims(&self) -> Value {
        claims(&self.issuer, &self.server)
    }

    fn valid(&self) -> String {
        self.rsa.token("RS256", &self.claims())
    }

    /// Signs the claims with one of them replaced.
    fn with(&self, claim: &str, value: Value) -> String {
        let mut claims = self.claims();
        claims[claim] = value;
        self.rsa.token("RS256", &claims)
    }

    fn without(&self, claim: &str) -> String {
        let mut claims = self.claims();
        claims.as_object_mut().unwrap().remove(claim);
        self.rsa.token("RS256", &claims)
    }

    /// Signs valid claims under a header with one field replaced.
    fn headed(&self, field: &str, value: Value) -> String {
        let mut header = json!({ "alg": "RS256", "kid": "rsa", "typ": "JWT" });
        header[field] = value;
        self.rsa.token_with(&header, &self.claims())
    }

    /// Signs exactly these bytes as the payload.
    fn with_payload(&self, payload: &str) -> String {
        self.rsa.token_of("RS256", r#"{"alg":"RS256","kid":"rsa"}"#, payload)
    }

    /// Returns the valid token with one part replaced.
    fn spliced(&self, index: usize, part: &str) -> String {
        let token = self.valid();
        let mut parts: Vec<&str> = token.split('.').collect();
        parts[index] = part;
        parts.join(".")
    }

    /// Signs with an algorithm that needs no private key: the header, the payload and the result of `sign`.
    fn unsigned(&self, algorithm: &str, sign: impl Fn(&str) -> Vec<u8>) -> String {
        let header = json!({ "alg": algorithm, "kid": "rsa" }).to_string();
        let message = format!("{}.{}", encode(header), encode(self.claims().to_string()));
        format!("{message}.{}", encode(sign(&message)))
    }
}

fn hmac(key: &[u8], message: &str) -> Vec<u8> {
    let key = aws_lc_rs::hmac::Key::new(aws_lc_rs::hmac::HMAC_SHA256, key);
    aws_lc_rs::hmac::sign(&key, message.as_bytes()).as_ref().to_vec()
}

/// Returns what each token is, and the token.
fn forged(forge: &Forge) -> Vec<(&'static str, String)> {
    let nothing = |_: &str| Vec::new();
    let now = forge.server.seconds();
    let payload = forge.claims().to_string();
    let public = forge.rsa.public.clone();
    let modulus = public["n"].as_str().unwrap().to_owned();
    let foreign_key = json!({ "alg": "RS256", "kid": "rsa", "jwk": forge.stranger.public });
    let mut everyone = forge.claims();
    everyone["sub"] = json!("root");
    let twice = |claim: &str, value: i64| {
        let text = forge.claims().to_string();
        format!("{{\"{claim}\":{value},{}", &text[1..])
    };
    vec![
        ("no algorithm", forge.unsigned("none", nothing)),
        ("no algorithm, capitalised", forge.unsigned("None", nothing)),
        ("no algorithm, in capitals", forge.unsigned("NONE", nothing)),
        ("no algorithm, mixed", forge.unsigned("nOnE", nothing)),
        ("an empty algorithm", forge.unsigned("", nothing)),
        ("HS256 with the modulus as its secret", forge.unsigned("HS256", |message| hmac(modulus.as_bytes(), message))),
        ("HS256 with the key as its secret", {
            let secret = public.to_string();
            forge.unsigned("HS256", |message| hmac(secret.as_bytes(), message))
        }),
        ("HS256 with an empty secret", forge.unsigned("HS256", |message| hmac(b"", message))),
        ("an unknown algorithm", forge.unsigned("RS1", nothing)),
        ("an algorithm in small letters", forge.headed("alg", json!("rs256"))),
        ("an algorithm that is a list", forge.headed("alg", json!(["RS256"]))),
        ("PS256 under a key for RS256", forge.rsa.token("PS256", &forge.claims())),
        ("RS512 under a key for RS256", forge.rsa.token("RS512", &forge.claims())),
        ("RS256 under an EC key", forge.rsa.token_with(&json!({ "alg": "RS256", "kid": "ec" }), &forge.claims())),
        ("ES256 under an RSA key", forge.p256.token_with(&json!({ "alg": "ES256", "kid": "rsa" }), &forge.claims())),
        ("ES256 with a signature in DER", {
            let header = r#"{"alg":"ES256","kid":"ec"}"#;
            forge.p256.token_of("DER", header, &forge.claims().to_string())
        }),
        ("a key name that leads to a file", forge.headed("kid", json!("../../etc/passwd"))),
        ("a key name that is an address", forge.headed("kid", json!("https://evil.example/keys"))),
        ("a key name with SQL", forge.headed("kid", json!("rsa' OR '1'='1"))),
        ("a key name that is a number", forge.headed("kid", json!(1))),
        ("a key name that is empty", forge.headed("kid", json!(""))),
        ("a key name in capitals", forge.headed("kid", json!("RSA"))),
        ("no key name among several keys", forge.rsa.token_with(&json!({ "alg": "RS256" }), &forge.claims())),
        ("a critical extension", forge.headed("crit", json!(["exp"]))),
        ("no critical extensions", forge.headed("crit", json!([]))),
        ("critical extensions that are null", forge.headed("crit", Value::Null)),
        ("a compressed payload", forge.headed("zip", json!("DEF"))),
        ("a nested token", forge.headed("cty", json!("JWT"))),
        ("a token for a logout", forge.headed("typ", json!("logout+jwt"))),
        ("a proof of possession", forge.headed("typ", json!("dpop+jwt"))),
        ("a foreign key in the header", forge.stranger.token_with(&foreign_key, &forge.claims())),
        ("a key from an address in the header", {
            let header = json!({ "alg": "RS256", "kid": "rsa", "jku": "https://evil.example/keys" });
            forge.stranger.token_with(&header, &forge.claims())
        }),
        ("a certificate from an address in the header", {
            let header = json!({ "alg": "RS256", "kid": "rsa", "x5u": "https://evil.example/certificate" });
            forge.stranger.token_with(&header, &forge.claims())
        }),
        ("another key with the same name", forge.stranger.token("RS256", &forge.claims())),
        ("another issuer", forge.with("iss", json!("https://evil.example"))),
        ("the issuer with a slash", forge.with("iss", json!(format!("{}/", forge.issuer.url)))),
        ("a list of issuers", forge.with("iss", json!([forge.issuer.url]))),
        ("no issuer", forge.without("iss")),
        ("another audience", forge.with("aud", json!("others"))),
        ("a list of other audiences", forge.with("aud", json!(["others", "turnkit2"]))),
        ("an empty list of audiences", forge.with("aud", json!([]))),
        ("an audience in an object", forge.with("aud", json!({ "turnkit": true }))),
        ("no audience", forge.without("aud")),
        ("no expiry", forge.without("exp")),
        ("an expiry that is null", forge.with("exp", Value::Null)),
        ("an expiry that is a text", forge.with("exp", json!((now + 600).to_string()))),
        ("an expiry that is a fraction", forge.with("exp", json!(now as f64 + 600.5))),
        ("an expiry in another age", forge.with("exp", json!(1e30))),
        ("a negative expiry", forge.with("exp", json!(-1))),
        ("an expiry before the leeway", forge.with("exp", json!(now - 61))),
        ("an expiry of long ago", forge.with("exp", json!(0))),
        ("not valid for a week", forge.with("nbf", json!(now + 6 * 86_400))),
        ("a beginning that is a text", forge.with("nbf", json!("0"))),
        ("no user", forge.without("sub")),
        ("an empty user", forge.with("sub", json!(""))),
        ("a blank user", forge.with("sub", json!(" "))),
        ("a user that is a number", forge.with("sub", json!(1))),
        ("a user with control characters", forge.with("sub", json!("ada\r\nroot"))),
        ("the user of the server's machine", forge.with("sub", json!("local"))),
        ("a user with a long name", forge.with("sub", json!("a".repeat(129)))),
        ("a changed payload", forge.spliced(1, &encode(everyone.to_string()))),
        ("a changed header", forge.spliced(0, &encode(r#"{"alg":"RS256","kid":"rsa"}"#))),
        ("an empty signature", forge.spliced(2, "")),
        ("an empty payload", forge.spliced(1, "")),
        ("a signature with padding", format!("{}==", forge.valid())),
        ("a payload with padding", forge.spliced(1, &format!("{}=", encode(&payload)))),
        ("white space inside", forge.valid().replacen('.', ". ", 1)),
        ("two parts", forge.valid().rsplit_once('.').unwrap().0.to_owned()),
        ("four parts", format!("{}.{}", forge.valid(), encode("more"))),
        ("five parts, as of an encrypted token", format!("{}.{}.{}", forge.valid(), encode("a"), encode("b"))),
        ("only dots", "..".to_owned()),
        ("a payload that is no JSON", forge.with_payload("exp=9999999999")),
        ("a payload that is a list", forge.with_payload(&format!("[{payload}]"))),
        ("a payload that is a text", forge.with_payload("\"ada\"")),
        ("two payloads", forge.with_payload(&format!("{payload}{payload}"))),
        ("two expiries", forge.with_payload(&twice("exp", 1))),
        ("two expiries, both valid", forge.with_payload(&twice("exp", now + 600))),
        ("a header that is no JSON", forge.rsa.token_of("RS256", "RS256", &payload)),
        ("two algorithms", forge.rsa.token_of("RS256", r#"{"alg":"none","alg":"RS256","kid":"rsa"}"#, &payload)),
        ("the same claims written differently", forge.spliced(1, &encode(payload.replace("\":", "\": ")))),
    ]
}

#[tokio::test]
async fn forged_stale_and_malformed_tokens_are_refused() {
    let forge = Forge::new().await;
    let cases = forged(&forge);
    assert!(cases.len() > 60, "{}", cases.len());
    for (what, token) in cases {
        let reply = forge.server.bearer(token).get("/api/v1/sessions").await;
        assert_eq!((reply.status, reply.code().as_str()), (401, "unauthenticated"), "{what}: {}", reply.body);
        let challenge = reply.header("www-authenticate");
        assert!(challenge.starts_with("Bearer realm=\"turnkit\", error=\"invalid_token\""), "{what}: {challenge}");
        assert!(reply.body.contains("the token is not valid or has expired"), "{what}: {}", reply.body);
        // Otherwise, the many failures of one address would be paused.
        pass(Duration::from_secs(61)).await;
    }
    let reply = forge.server.bearer(forge.valid()).get("/api/v1/sessions").await;
    assert_eq!(reply.status, 200, "the token they start from is valid: {}", reply.body);
}

#[tokio::test]
async fn no_token_has_the_names_of_the_servers_machine() {
    let key = SigningKey::ed25519("a");
    let issuer = Issuer::publishing(&[&key]).await;
    let settings = JwtSettings { tenant_claim: Some("org".to_owned()), ..issuer.settings() };
    let server = server(AuthMode::Jwt(settings)).await;
    for (tenant, user, status) in
        [("acme", "ada", 200), ("acme", "local", 401), ("local", "ada", 401), ("local", "local", 401)]
    {
        let mut claims = claims(&issuer, &server);
        (claims["org"], claims["sub"]) = (json!(tenant), json!(user));
        let reply = server.bearer(key.token("EdDSA", &claims)).get("/api/v1/sessions").await;
        assert_eq!(reply.status, status, "{tenant} {user}: {}", reply.body);
    }
}

#[tokio::test]
async fn no_change_of_one_character_is_accepted() {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/~";
    let key = SigningKey::ed25519("a");
    let issuer = Issuer::publishing(&[&key]).await;
    let server = server(AuthMode::Jwt(issuer.settings())).await;
    let valid = key.token("EdDSA", &claims(&issuer, &server));
    for (place, byte) in valid.bytes().enumerate() {
        for step in [1, 7, 31] {
            let at = ALPHABET.iter().position(|known| *known == byte).unwrap();
            let mut changed = valid.clone().into_bytes();
            changed[place] = ALPHABET[(at + step) % ALPHABET.len()];
            let changed = String::from_utf8(changed).unwrap();
            let status = server.bearer(changed.clone()).get("/api/v1/sessions").await.status;
            // After many failures, an address gets 429, once its token was found invalid.
            assert!(status == 401 || status == 429, "{status}: {changed}");
        }
    }
    assert_eq!(server.bearer(valid).get("/api/v1/sessions").await.status, 200);
}

#[tokio::test]
async fn invalid_tokens_count_as_failures_of_their_address_but_expired_ones_and_unknown_keys_do_not() {
    let forge = Forge::new().await;
    let expired = forge.server.bearer(forge.with("exp", json!(forge.server.seconds() - 100)));
    let unknown = forge.server.bearer(forge.headed("kid", json!("new")));
    for _ in 0..20 {
        assert_eq!(expired.get("/api/v1/sessions").await.status, 401);
        assert_eq!(unknown.get("/api/v1/sessions").await.status, 401);
    }
    let foreign = forge.server.bearer(forge.stranger.token("RS256", &forge.claims()));
    let mut last = 401;
    for _ in 0..20 {
        last = foreign.get("/api/v1/sessions").await.status;
    }
    assert_eq!(last, 429);
    assert_eq!(forge.server.bearer(forge.valid()).get("/api/v1/sessions").await.status, 200);
    assert_eq!(expired.get("/api/v1/sessions").await.status, 401, "its client still learns why");
}
