//! What tells the tools of two configurations apart.

use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// SHA-256 of the settings that say what a tool does. Values that may be secrets are not among them: they change without the tool
/// doing anything else, and the hash of a short one could be guessed.
pub(crate) fn fingerprint(settings: &Value) -> [u8; 32] {
    // Objects keep their keys in order.
    Sha256::digest(settings.to_string()).into()
}
