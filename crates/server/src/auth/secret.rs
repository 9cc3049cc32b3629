//! The secret of a key.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// A key in plain text. It is shown once and never stored.
pub(crate) struct Secret(String);

impl Secret {
    /// Creates a key of 256 random bits: `tk_` and 43 characters.
    pub(crate) fn random() -> Self {
        Self(format!("tk_{}", URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>())))
    }

    /// Returns the key in plain text, to be handed to its owner.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// Returns the fingerprint by which the key is stored and looked up.
    pub(crate) fn sha256(&self) -> [u8; 32] {
        sha256(self.0.as_bytes())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Returns the fingerprint of a credential.
pub(super) fn sha256(credential: &[u8]) -> [u8; 32] {
    Sha256::digest(credential).into()
}
