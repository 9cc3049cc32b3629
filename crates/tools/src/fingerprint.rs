//! Fingerprints of tool settings.

use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// Returns the SHA-256 of the settings that determine a tool's behaviour. Values that may be secrets are excluded: they
/// can change without a change of behaviour, and the hash of a short secret could be guessed.
pub(crate) fn fingerprint(settings: &Value) -> [u8; 32] {
    // JSON objects keep their keys sorted, so equal settings have equal text.
    Sha256::digest(settings.to_string()).into()
}
