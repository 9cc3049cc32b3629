//! Checks of the section `[auth]`.

use turnkit_net::Target;
use turnkit_server::JwtSettings;

use super::super::schema::JwtConfig;
use super::super::source::Source;
use super::super::{Config, ConfigError};

pub(super) fn check(config: &Config, source: &Source) -> Result<(), ConfigError> {
    if !config.auth.mode.accepts_tokens() {
        return Ok(());
    }
    let found = wrong(&config.auth.jwt);
    found.map_or(Ok(()), |(key, message)| Err(source.complaint(&format!("auth.jwt.{key}"), message)))
}

/// Returns the first key that cannot work, and why.
fn wrong(jwt: &JwtConfig) -> Option<(&'static str, String)> {
    if jwt.issuer.trim().is_empty() {
        let message = "tokens need an issuer: set it as the claim `iss` of tokens names it, such as \
                       issuer = \"https://login.example.com\"";
        return Some(("issuer", in_section(message)));
    }
    if jwt.audience.is_empty() || jwt.audience.iter().any(|name| name.trim().is_empty()) {
        let message = "tokens of other services must not be accepted here: set the name of this server in the claim \
                       `aud`, such as audience = \"turnkit\"";
        return Some(("audience", in_section(message)));
    }
    if jwt.jwks_url.is_some() && jwt.discovery_url.is_some() {
        return Some(("discovery_url", "`jwks_url` is set, too, which needs no discovery; keep one".to_owned()));
    }
    let addresses = [("jwks_url", jwt.jwks_url.as_ref()), ("discovery_url", jwt.discovery_url.as_ref())];
    let mut addresses: Vec<_> = addresses.into_iter().filter_map(|(key, url)| Some((key, url?))).collect();
    if addresses.is_empty() {
        addresses.push(("issuer", &jwt.issuer));
    }
    if let Some(wrong) = addresses.into_iter().find_map(|(key, url)| Some((key, wrong_address(key, url)?))) {
        return Some(wrong);
    }
    let claims = [
        ("tenant_claim", jwt.tenant_claim.as_deref().unwrap_or("tenant")),
        ("user_claim", jwt.user_claim.as_str()),
        ("scope_claim", jwt.scope_claim.as_str()),
    ];
    if let Some((key, _)) = claims.into_iter().find(|(_, claim)| claim.trim().is_empty()) {
        return Some((key, "expected the name of a claim; leave it out for the default".to_owned()));
    }
    let longest = JwtSettings::MAX_LEEWAY.as_secs();
    (jwt.leeway_s > longest)
        .then(|| ("leeway_s", format!("expected at most {longest} seconds; synchronise the clocks")))
}

/// Returns why keys cannot be read from this address.
fn wrong_address(key: &str, url: &str) -> Option<String> {
    let instead = if key == "issuer" { "; if it is no address, set jwks_url" } else { "" };
    match Target::new(url) {
        Err(error) => Some(format!("{error}{instead}")),
        Ok(target) if target.is_exposed() => {
            let why = "others on the network could replace keys that are read without encryption: use https:";
            Some(format!("{why}{instead}"))
        }
        Ok(_) => None,
    }
}

/// Adds the section to a message about a key that may be absent, and then has no place of its own.
fn in_section(message: &str) -> String {
    format!("[auth.jwt]: {message}")
}
