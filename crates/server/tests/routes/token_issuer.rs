//! An identity provider on a free port of this machine, and the keys with which it signs tokens.

use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_ASN1_SIGNING, ECDSA_P256_SHA256_FIXED_SIGNING, ECDSA_P384_SHA384_FIXED_SIGNING, EcdsaKeyPair,
    EcdsaSigningAlgorithm, Ed25519KeyPair, KeyPair as _, RSA_PKCS1_SHA256, RSA_PKCS1_SHA384, RSA_PKCS1_SHA512,
    RSA_PSS_SHA256, RSA_PSS_SHA384, RSA_PSS_SHA512, RsaEncoding, RsaKeyPair, RsaPublicKeyComponents,
};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use turnkit_server::JwtSettings;

/// A private key, and its public part as the identity provider publishes it.
pub(crate) struct SigningKey {
    pub(crate) public: Value,
    pair: Pair,
}

enum Pair {
    Rsa(RsaKeyPair),
    /// The key, and the same key for signatures in DER.
    P256(EcdsaKeyPair, EcdsaKeyPair),
    P384(EcdsaKeyPair),
    Ed25519(Ed25519KeyPair),
}

impl SigningKey {
    pub(crate) fn rsa(kid: &str) -> Self {
        let pair = RsaKeyPair::generate(aws_lc_rs::rsa::KeySize::Rsa2048).unwrap();
        let RsaPublicKeyComponents { n, e } = RsaPublicKeyComponents::<Vec<u8>>::from(pair.public_key());
        Self { public: json!({ "kty": "RSA", "kid": kid, "n": encode(n), "e": encode(e) }), pair: Pair::Rsa(pair) }
    }

    pub(crate) fn p256(kid: &str) -> Self {
        let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap();
        let der = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, pair.to_pkcs8v1().unwrap().as_ref());
        Self { public: curve(kid, "P-256", &pair), pair: Pair::P256(pair, der.unwrap()) }
    }

    pub(crate) fn p384(kid: &str) -> Self {
        let algorithm: &'static EcdsaSigningAlgorithm = &ECDSA_P384_SHA384_FIXED_SIGNING;
        let pair = EcdsaKeyPair::generate(algorithm).unwrap();
        Self { public: curve(kid, "P-384", &pair), pair: Pair::P384(pair) }
    }

    pub(crate) fn ed25519(kid: &str) -> Self {
        let pair = Ed25519KeyPair::generate().unwrap();
        let x = encode(pair.public_key());
        Self { public: json!({ "kty": "OKP", "crv": "Ed25519", "kid": kid, "x": x }), pair: Pair::Ed25519(pair) }
    }

    /// Publishes the key for this algorithm only.
    pub(crate) fn only_for(mut self, algorithm: &str) -> Self {
        self.public["alg"] = json!(algorithm);
        self
    }

    /// Signs a message.
    pub(crate) fn sign(&self, algorithm: &str, message: &str) -> Vec<u8> {
        let (random, message) = (SystemRandom::new(), message.as_bytes());
        match &self.pair {
            Pair::Rsa(pair) => {
                let encoding: &'static dyn RsaEncoding = match algorithm {
                    "RS384" => &RSA_PKCS1_SHA384,
                    "RS512" => &RSA_PKCS1_SHA512,
                    "PS256" => &RSA_PSS_SHA256,
                    "PS384" => &RSA_PSS_SHA384,
                    "PS512" => &RSA_PSS_SHA512,
                    _ => &RSA_PKCS1_SHA256,
                };
                let mut signature = vec![0; pair.public_modulus_len()];
                pair.sign(encoding, &random, message, &mut signature).unwrap();
                signature
            }
            Pair::P256(_, der) if algorithm == "DER" => der.sign(&random, message).unwrap().as_ref().to_vec(),
            Pair::P256(pair, _) | Pair::P384(pair) => pair.sign(&random, message).unwrap().as_ref().to_vec(),
            Pair::Ed25519(pair) => pair.sign(message).as_ref().to_vec(),
        }
    }

    /// Returns a token of these claims, with the key's name in its header.
    pub(crate) fn token(&self, algorithm: &str, claims: &Value) -> String {
        self.token_with(&json!({ "alg": algorithm, "kid": self.public["kid"], "typ": "JWT" }), claims)
    }

    /// Returns a token with this header. It is signed as the header says, or else as the key usually signs.
    pub(crate) fn token_with(&self, header: &Value, claims: &Value) -> String {
        self.token_of(header["alg"].as_str().unwrap_or_default(), &header.to_string(), &claims.to_string())
    }

    /// Returns a token with exactly these bytes as its header and payload.
    pub(crate) fn token_of(&self, algorithm: &str, header: &str, payload: &str) -> String {
        let message = format!("{}.{}", encode(header), encode(payload));
        let signature = encode(self.sign(algorithm, &message));
        format!("{message}.{signature}")
    }
}

/// Encodes bytes as the parts of a token are.
pub(crate) fn encode(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

fn curve(kid: &str, name: &str, pair: &EcdsaKeyPair) -> Value {
    // The first byte says that both coordinates follow.
    let point = &pair.public_key().as_ref()[1..];
    let (x, y) = point.split_at(point.len() / 2);
    json!({ "kty": "EC", "crv": name, "kid": kid, "x": encode(x), "y": encode(y) })
}

/// An identity provider that runs until it is dropped.
pub(crate) struct Issuer {
    pub(crate) url: String,
    state: Arc<Mutex<Published>>,
    _serving: JoinSet<()>,
}

struct Published {
    keys: Vec<Value>,
    /// The issuer that the discovery document names.
    issuer: String,
    is_down: bool,
    reads: usize,
}

impl Issuer {
    pub(crate) async fn publishing(keys: &[&SigningKey]) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let published = Published { keys: Vec::new(), issuer: url.clone(), is_down: false, reads: 0 };
        let (state, mut serving) = (Arc::new(Mutex::new(published)), JoinSet::new());
        let (shared, address) = (Arc::clone(&state), url.clone());
        serving.spawn(async move {
            loop {
                let (socket, _) = listener.accept().await.unwrap();
                // A client may disconnect before it has the response.
                let _ = answer(socket, &shared, &address).await;
            }
        });
        let issuer = Self { url, state, _serving: serving };
        issuer.publish(keys);
        issuer
    }

    /// Replaces the published keys.
    pub(crate) fn publish(&self, keys: &[&SigningKey]) {
        self.state.lock().unwrap().keys = keys.iter().map(|key| key.public.clone()).collect();
    }

    /// Makes every request fail, or succeed again.
    pub(crate) fn set_down(&self, is_down: bool) {
        self.state.lock().unwrap().is_down = is_down;
    }

    /// Makes the discovery document name another issuer.
    pub(crate) fn claim_to_be(&self, issuer: &str) {
        self.state.lock().unwrap().issuer = issuer.to_owned();
    }

    /// Returns how often the keys were requested.
    pub(crate) fn reads(&self) -> usize {
        self.state.lock().unwrap().reads
    }

    /// Returns the settings of a server that accepts tokens of this issuer.
    pub(crate) fn settings(&self) -> JwtSettings {
        JwtSettings::new(self.url.as_str(), ["turnkit"])
    }
}

async fn answer(socket: TcpStream, state: &Mutex<Published>, url: &str) -> std::io::Result<()> {
    let mut socket = BufReader::new(socket);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if socket.read_line(&mut head).await? == 0 {
            return Ok(());
        }
    }
    let response = {
        let mut state = state.lock().unwrap();
        let is_discovery = head.starts_with("GET /.well-known/openid-configuration ");
        state.reads += usize::from(!is_discovery);
        let body = match is_discovery {
            true => json!({ "issuer": state.issuer, "jwks_uri": format!("{url}/keys") }).to_string(),
            false => json!({ "keys": state.keys }).to_string(),
        };
        let status = if state.is_down { "503 Service Unavailable" } else { "200 OK" };
        format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}", body.len())
    };
    socket.write_all(response.as_bytes()).await?;
    socket.shutdown().await
}
