//! Checks that the keys of the identity provider can be read.

use super::finding::Finding;
use crate::config::Resolved;
use crate::wiring::token_settings;

const CHECK: &str = "tokens";

/// Reads the keys, if the server accepts tokens.
pub(super) async fn examine(resolved: &Resolved) -> Option<Finding> {
    if !resolved.config.auth.mode.accepts_tokens() {
        return None;
    }
    let settings = token_settings(resolved);
    Some(match settings.count_keys().await {
        Ok(count) => Finding::ok(CHECK, format!("{}: keys that verify tokens: {count}", settings.issuer)),
        Err(error) => Finding::fail(CHECK, error.to_string())
            .with_remedy("are issuer, jwks_url and discovery_url of [auth.jwt] right, and is the provider running?"),
    })
}
