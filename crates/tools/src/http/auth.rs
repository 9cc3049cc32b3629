//! The credentials of a request.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// The credentials of a request. They are never displayed.
#[derive(Clone)]
pub enum HttpAuth {
    /// A bearer token.
    Bearer(String),
    /// A user name and a password.
    Basic {
        /// The name of the user.
        user: String,
        /// The password.
        password: String,
    },
    /// A header that the server defines.
    Header {
        /// The name of the header.
        name: String,
        /// The value of the header.
        value: String,
    },
}

impl HttpAuth {
    /// Returns the name and the value of the header that is sent.
    pub fn header(&self) -> (&str, String) {
        match self {
            Self::Bearer(token) => ("authorization", format!("Bearer {token}")),
            Self::Basic { user, password } => {
                ("authorization", format!("Basic {}", STANDARD.encode(format!("{user}:{password}"))))
            }
            Self::Header { name, value } => (name, value.clone()),
        }
    }

    /// Returns the kind of credentials, with the user name or the header name but without the secret.
    pub(super) fn settings(&self) -> Value {
        match self {
            Self::Bearer(_) => json!("bearer"),
            Self::Basic { user, .. } => json!({ "user": user }),
            Self::Header { name, .. } => json!({ "header": name }),
        }
    }

    /// Returns the secret, both in plain form and as sent.
    pub(super) fn secrets(&self) -> Vec<String> {
        let (_, sent) = self.header();
        let secret = match self {
            Self::Bearer(secret) | Self::Basic { password: secret, .. } | Self::Header { value: secret, .. } => secret,
        };
        let encoded = sent.split_once(' ').map_or(sent.as_str(), |(_, encoded)| encoded);
        [encoded, secret].into_iter().filter(|secret| !secret.is_empty()).map(str::to_owned).collect()
    }
}

impl fmt::Debug for HttpAuth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(secret)")
    }
}
