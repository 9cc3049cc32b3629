//! Token requests.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use url::form_urlencoded::{Serializer, byte_serialize};

use super::settings::{ClientAuth, TokenGrant, TokenSettings};
use crate::{NetError, Target};

const CLIENT_CREDENTIALS: &str = "client_credentials";
const EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";
const ACCESS_TOKEN: &str = "urn:ietf:params:oauth:token-type:access_token";

/// The parts that all requests of a source have in common, encoded once.
pub(super) struct TokenRequest {
    /// The form without the token to exchange.
    form: String,
    /// The value of the `authorization` header, if the client does not identify itself in the form.
    authorization: Option<String>,
    /// The secret of the client, in all forms in which it is sent.
    secrets: Vec<String>,
}

impl TokenRequest {
    pub(super) fn new(settings: &TokenSettings) -> Self {
        let (id, secret) = (settings.client_id.as_str(), settings.client_secret.as_str());
        let credentials = STANDARD.encode(format!("{}:{}", encoded(id), encoded(secret)));
        let authorization = match settings.client_auth {
            ClientAuth::Basic => Some(format!("Basic {credentials}")),
            ClientAuth::Post => None,
        };
        let secrets = vec![secret.to_owned(), encoded(secret), credentials];
        Self { form: form(settings), authorization, secrets }
    }

    /// Returns an endpoint with the headers of a request.
    pub(super) fn target(&self, endpoint: Target) -> Result<Target, NetError> {
        let target = endpoint
            .header("content-type", "application/x-www-form-urlencoded")?
            .header("accept", "application/json")?;
        match &self.authorization {
            Some(value) => target.secret_header("authorization", value),
            None => Ok(target),
        }
    }

    /// Returns the body of a request, with the token to exchange if there is one.
    pub(super) fn body(&self, subject: Option<&str>) -> Bytes {
        let mut form = Serializer::new(self.form.clone());
        if let Some(token) = subject {
            form.append_pair("subject_token", token).append_pair("subject_token_type", ACCESS_TOKEN);
        }
        form.finish().into()
    }

    /// Returns the secrets of a request that its response must not bring into an error.
    pub(super) fn secrets(&self, subject: Option<&str>) -> Vec<String> {
        let of_subject = subject.into_iter().flat_map(|token| [token.to_owned(), encoded(token)]);
        self.secrets.iter().cloned().chain(of_subject).collect()
    }
}

fn form(settings: &TokenSettings) -> String {
    let mut form = Serializer::new(String::new());
    form.append_pair(
        "grant_type",
        match settings.grant {
            TokenGrant::ClientCredentials => CLIENT_CREDENTIALS,
            TokenGrant::Exchange => EXCHANGE,
        },
    );
    if settings.client_auth == ClientAuth::Post {
        form.append_pair("client_id", &settings.client_id).append_pair("client_secret", &settings.client_secret);
    }
    for name in &settings.audience {
        form.append_pair("audience", name);
    }
    for address in &settings.resource {
        form.append_pair("resource", address);
    }
    if !settings.scope.is_empty() {
        form.append_pair("scope", &settings.scope.join(" "));
    }
    form.finish()
}

/// Encodes a text as in a form.
fn encoded(text: &str) -> String {
    byte_serialize(text.as_bytes()).collect()
}
