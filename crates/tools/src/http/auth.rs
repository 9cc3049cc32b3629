//! The credentials of a request.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// The credentials of a request. They are shown nowhere.
#[derive(Clone)]
pub enum HttpAuth {
    /// A token.
    Bearer(String),
    /// A user with a password.
    Basic {
        /// The name of the user.
        user: String,
        /// The password.
        password: String,
    },
    /// A header of the server's own.
    Header {
        /// The name of the header.
        name: String,
        /// Its value.
        value: String,
    },
}

impl HttpAuth {
    /// The header that is sent: its name and its value.
    pub(super) fn header(&self) -> (&str, String) {
        match self {
            Self::Bearer(token) => ("authorization", format!("Bearer {token}")),
            Self::Basic { user, password } => {
                ("authorization", format!("Basic {}", STANDARD.encode(format!("{user}:{password}"))))
            }
            Self::Header { name, value } => (name, value.clone()),
        }
    }

    /// The kind of credentials, and whose they are, without the secret.
    pub(super) fn settings(&self) -> Value {
        match self {
            Self::Bearer(_) => json!("bearer"),
            Self::Basic { user, .. } => json!({ "user": user }),
            Self::Header { name, .. } => json!({ "header": name }),
        }
    }

    /// The secret, as it is and as it is sent.
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
