//! The tokens that a server accepts.

use std::time::Duration;

use turnkit_net::Proxy;

/// The tokens of an identity provider that a server accepts, and how it reads them: signed JSON Web Tokens, whose keys
/// the identity provider publishes.
///
/// ```
/// use turnkit_server::{AuthMode, JwtSettings, Settings};
///
/// let tokens = JwtSettings::new("https://login.example.com", ["turnkit"]);
/// let settings = Settings { auth: AuthMode::Jwt(tokens), ..Settings::default() };
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JwtSettings {
    /// The `iss` of tokens, exactly as tokens contain it.
    pub issuer: String,
    /// The audiences of this server: a token must name one of them in `aud`.
    pub audiences: Vec<String>,
    /// Where the keys of the issuer are published.
    pub key_source: KeySource,
    /// The claim with the tenant of the user. If `None`, all users are in the tenant of API keys.
    pub tenant_claim: Option<String>,
    /// The claim with the user.
    pub user_claim: String,
    /// The claim with the names of scopes: a string with spaces in between, or a list.
    pub scope_claim: String,
    /// The tolerated difference between the clocks of this machine and of the issuer, at most [`Self::MAX_LEEWAY`].
    pub leeway: Duration,
    /// The proxy through which the issuer is reached.
    pub proxy: Option<Proxy>,
}

/// Where the keys of an issuer are published. Addresses begin with `https:`, except for loopback hosts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeySource {
    /// At the address that the discovery document names, which is at `/.well-known/openid-configuration` below the
    /// issuer.
    Issuer,
    /// At the address that this discovery document names.
    Discovery(String),
    /// At this address, as a JSON Web Key Set.
    KeySet(String),
}

impl JwtSettings {
    /// The largest leeway.
    pub const MAX_LEEWAY: Duration = Duration::from_secs(60);

    /// Creates settings for the tokens of `issuer`, with the usual names of claims.
    pub fn new(issuer: impl Into<String>, audiences: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            issuer: issuer.into(),
            audiences: audiences.into_iter().map(Into::into).collect(),
            key_source: KeySource::Issuer,
            tenant_claim: None,
            user_claim: "sub".to_owned(),
            scope_claim: "scope".to_owned(),
            leeway: Self::MAX_LEEWAY,
            proxy: None,
        }
    }
}
