//! What only its holder knows.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// A key in clear. It is shown once and kept nowhere.
pub(crate) struct Secret(String);

impl Secret {
    /// A new one, of 256 random bits: `tk_` and 43 characters.
    pub(crate) fn random() -> Self {
        Self(format!("tk_{}", URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>())))
    }

    /// The key, to be handed to whom it belongs to.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// What the key is stored and looked up as.
    pub(crate) fn sha256(&self) -> [u8; 32] {
        sha256(self.0.as_bytes())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// The fingerprint of a credential.
pub(super) fn sha256(credential: &[u8]) -> [u8; 32] {
    Sha256::digest(credential).into()
}
