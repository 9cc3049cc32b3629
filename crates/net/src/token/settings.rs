//! The settings of a source of access tokens.

use std::fmt;
use std::time::Duration;

/// How access tokens are requested, and for which servers.
///
/// ```
/// use turnkit_net::{ClientAuth, TokenEndpoint, TokenSettings};
///
/// let endpoint = TokenEndpoint::Url("https://login.example/oauth/token".to_owned());
/// let mut settings = TokenSettings::new(endpoint, "support-desk", "the secret of this client");
/// settings.client_auth = ClientAuth::Post;
/// settings.audience = vec!["tickets".to_owned(), "organisations".to_owned()];
/// ```
#[derive(Clone)]
pub struct TokenSettings {
    /// Where tokens are requested.
    pub endpoint: TokenEndpoint,
    /// On whose behalf tokens are issued.
    pub grant: TokenGrant,
    /// The id of this client at the identity provider.
    pub client_id: String,
    /// The secret of this client.
    pub client_secret: String,
    /// Where requests have the id and the secret.
    pub client_auth: ClientAuth,
    /// The names of the servers that accept the token. Each is a field `audience` of the request.
    pub audience: Vec<String>,
    /// The addresses of the servers that accept the token. Each is a field `resource` of the request (RFC 8707).
    pub resource: Vec<String>,
    /// The scopes of the token.
    pub scope: Vec<String>,
    /// Time limit of a request, including the discovery of the endpoint.
    pub timeout: Duration,
}

impl TokenSettings {
    /// Returns settings for tokens of the client itself, without audience, resource and scope, and with a time limit of
    /// ten seconds.
    pub fn new(endpoint: TokenEndpoint, client_id: impl Into<String>, client_secret: impl Into<String>) -> Self {
        Self {
            endpoint,
            grant: TokenGrant::ClientCredentials,
            client_id: client_id.into(),
            client_secret: client_secret.into(),
            client_auth: ClientAuth::Basic,
            audience: Vec::new(),
            resource: Vec::new(),
            scope: Vec::new(),
            timeout: Duration::from_secs(10),
        }
    }
}

/// Shows no secret, and only the kind of the endpoint, whose address could contain one.
impl fmt::Debug for TokenSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenSettings")
            .field("endpoint", &self.endpoint)
            .field("grant", &self.grant)
            .field("client_id", &self.client_id)
            .field("client_auth", &self.client_auth)
            .field("audience", &self.audience)
            .field("resource", &self.resource)
            .field("scope", &self.scope)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}

/// The address of an identity provider: `https:`, or `http:` on this machine.
#[derive(Clone, PartialEq, Eq)]
pub enum TokenEndpoint {
    /// The address of the token endpoint.
    Url(String),
    /// The issuer of the tokens. Its metadata (RFC 8414 or OpenID Connect Discovery) has the address of the endpoint.
    Issuer(String),
}

impl fmt::Debug for TokenEndpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Url(_) => "Url(..)",
            Self::Issuer(_) => "Issuer(..)",
        })
    }
}

/// On whose behalf an identity provider issues tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TokenGrant {
    /// The client itself (`client_credentials`): all callers share one token.
    #[default]
    ClientCredentials,
    /// A caller, whose own token is exchanged for the access token (RFC 8693).
    Exchange,
}

/// The place of the id and the secret of a client in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ClientAuth {
    /// The `authorization` header, with both encoded as in RFC 6749, section 2.3.1.
    #[default]
    Basic,
    /// Fields of the form.
    Post,
}
