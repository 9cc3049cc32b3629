//! An issuer for tests, whose tokens may be as wrong as a test wants.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, ECDSA_P384_SHA384_FIXED_SIGNING, EcdsaKeyPair};
use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::jwk::{AlgorithmParameters, Jwk};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};
use support_desk_shared::{RunningServer, bind};
use tokio_util::sync::CancellationToken;

/// A key with an id that a test chooses.
pub(crate) struct Key {
    private: EncodingKey,
    public: Jwk,
}

impl Key {
    pub(crate) fn new(id: &str) -> Self {
        let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new()).unwrap();
        let private = EncodingKey::from_ec_der(document.as_ref());
        let mut public = Jwk::from_encoding_key(&private, Algorithm::ES256).unwrap();
        public.common.key_id = Some(id.to_owned());
        Self { private, public }
    }

    pub(crate) fn public(&self) -> &Jwk {
        &self.public
    }

    pub(crate) fn sign(&self, claims: &Value) -> String {
        let id = self.public.common.key_id.clone().unwrap();
        self.sign_as(&id, Algorithm::ES256, claims)
    }

    /// Signs with another id in the header, or with a key for another algorithm.
    pub(crate) fn sign_as(&self, id: &str, algorithm: Algorithm, claims: &Value) -> String {
        if algorithm == Algorithm::ES256 {
            return signed(id, algorithm, claims, &self.private);
        }
        let other = EcdsaKeyPair::generate_pkcs8(&ECDSA_P384_SHA384_FIXED_SIGNING, &SystemRandom::new()).unwrap();
        signed(id, algorithm, claims, &EncodingKey::from_ec_der(other.as_ref()))
    }

    /// Signs with HS256 and the bytes of the public key, which a verifier must not take for a shared secret.
    pub(crate) fn sign_with_public_key(&self, claims: &Value) -> String {
        let AlgorithmParameters::EllipticCurve(point) = &self.public.algorithm else { panic!("another kind of key") };
        let mut secret = vec![4];
        secret.extend(URL_SAFE_NO_PAD.decode(&point.x).unwrap());
        secret.extend(URL_SAFE_NO_PAD.decode(&point.y).unwrap());
        self.sign_with_secret(&secret, claims)
    }

    /// Signs with HS256 and the JSON of the public key.
    pub(crate) fn sign_with_public_document(&self, claims: &Value) -> String {
        self.sign_with_secret(&serde_json::to_vec(&self.public).unwrap(), claims)
    }

    fn sign_with_secret(&self, secret: &[u8], claims: &Value) -> String {
        let id = self.public.common.key_id.clone().unwrap();
        signed(&id, Algorithm::HS256, claims, &EncodingKey::from_secret(secret))
    }

    /// Signs, and recommends the public key in the header.
    pub(crate) fn sign_with_key_in_header(&self, claims: &Value) -> String {
        let mut header = Header::new(Algorithm::ES256);
        header.kid = self.public.common.key_id.clone();
        header.jwk = Some(self.public.clone());
        encode(&header, claims, &self.private).unwrap()
    }
}

pub(crate) fn signed(id: &str, algorithm: Algorithm, claims: &Value, key: &EncodingKey) -> String {
    let mut header = Header::new(algorithm);
    header.kid = Some(id.to_owned());
    encode(&header, claims, key).unwrap()
}

/// Returns a part of a token.
pub(crate) fn encoded(part: &Value) -> String {
    URL_SAFE_NO_PAD.encode(part.to_string())
}

/// A server with a discovery document and keys.
pub(crate) struct Issuer {
    server: RunningServer,
    published: Arc<Published>,
}

struct Published {
    url: String,
    keys: Mutex<Value>,
    fetches: AtomicUsize,
}

impl Issuer {
    pub(crate) async fn start<const N: usize>(keys: [&Key; N]) -> Self {
        let listener = bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let published = Published { url, keys: Mutex::new(key_set(&keys)), fetches: AtomicUsize::new(0) };
        let published = Arc::new(published);
        let routes = Router::new()
            .route("/.well-known/openid-configuration", get(discovery))
            .route("/keys", get(published_keys))
            .with_state(Arc::clone(&published));
        let server = RunningServer::start(listener, routes, CancellationToken::new()).unwrap();
        Self { server, published }
    }

    pub(crate) fn url(&self) -> &str {
        self.server.url()
    }

    /// Returns how often the keys were fetched.
    pub(crate) fn fetches(&self) -> usize {
        self.published.fetches.load(Ordering::SeqCst)
    }

    pub(crate) fn publish_keys(&self, keys: &[&Key]) {
        self.publish(key_set(keys));
    }

    pub(crate) fn publish(&self, keys: Value) {
        *self.published.keys.lock().unwrap() = keys;
    }

    pub(crate) async fn stop(self) {
        self.server.stop().await;
    }
}

fn key_set(keys: &[&Key]) -> Value {
    json!({ "keys": keys.iter().map(|key| &key.public).collect::<Vec<_>>() })
}

async fn discovery(State(published): State<Arc<Published>>) -> Json<Value> {
    Json(json!({ "issuer": published.url, "jwks_uri": format!("{}/keys", published.url) }))
}

async fn published_keys(State(published): State<Arc<Published>>) -> Json<Value> {
    published.fetches.fetch_add(1, Ordering::SeqCst);
    Json(published.keys.lock().unwrap().clone())
}
