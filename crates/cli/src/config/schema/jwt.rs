//! The section `[auth.jwt]`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::value::{TextOrList, text_or_list};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct JwtConfig {
    /// The identity provider, exactly as the claim `iss` of its tokens names it: `https://login.example.com`.
    pub(crate) issuer: String,
    /// The name of this server in the claim `aud` of tokens, or several names: `"turnkit"`.
    #[serde(deserialize_with = "text_or_list")]
    #[schemars(with = "TextOrList")]
    pub(crate) audience: Vec<String>,
    /// The address of the keys of the identity provider, a JSON Web Key Set. Default: the address that its discovery
    /// document names.
    pub(crate) jwks_url: Option<String>,
    /// The address of the discovery document. Default: `/.well-known/openid-configuration` below the issuer.
    pub(crate) discovery_url: Option<String>,
    /// The claim with the tenant of the user. Default: all users are in one tenant, that of API keys.
    pub(crate) tenant_claim: Option<String>,
    /// The claim with the user.
    pub(crate) user_claim: String,
    /// The claim with the names of scopes, a text with spaces in between or a list. Names that turnkit does not know are
    /// ignored. A token without any has `chat`, `read` and `decide`.
    pub(crate) scope_claim: String,
    /// The tolerated difference between the clocks of this machine and of the identity provider, in seconds, at most 60.
    #[schemars(range(max = 60))]
    pub(crate) leeway_s: u64,
}

impl Default for JwtConfig {
    fn default() -> Self {
        Self {
            issuer: String::new(),
            audience: Vec::new(),
            jwks_url: None,
            discovery_url: None,
            tenant_claim: None,
            user_claim: "sub".to_owned(),
            scope_claim: "scope".to_owned(),
            leeway_s: 60,
        }
    }
}
