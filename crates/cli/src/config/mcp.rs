//! The settings of MCP servers: how servers of the configuration are reached.

use std::sync::Arc;
use std::time::Duration;

use turnkit_core::ports::CallerTokens;
use turnkit_mcp::{Credentials, HttpServer, InvalidSettings, McpServerSettings, Transport, Trust};
use turnkit_net::{
    ClientAuth, ClientOptions, HttpClient, Target, TokenEndpoint, TokenError, TokenGrant, TokenSettings, TokenSource,
};
use turnkit_tools::{HttpAuth, LaunchSettings};

use super::schema::{ClientAuthConfig, ClientConfig, McpAuthConfig, McpConfig, McpTrustConfig, Secret};

/// The reason why a server cannot be used: the key that is wrong, and a sentence.
pub(crate) type InvalidServer = (String, String);

const AUTHORIZATION: &str = "authorization";

/// The access tokens of a server.
pub(crate) enum ServerTokens {
    /// Those of turnkit itself.
    Own(Arc<TokenSource>),
    /// Those in exchange for the tokens of callers.
    Exchanged(Arc<TokenSource>, Arc<dyn CallerTokens>),
}

/// Checks everything about a server that can be checked without reaching it.
pub(super) fn check(server: &McpConfig) -> Result<(), InvalidServer> {
    let client = HttpClient::new(&ClientOptions::default());
    let transport = match (&server.command, &server.url) {
        (Some(_), Some(_)) => return Err(wrong("url", "it has both a `command` and a `url`; keep one")),
        (None, None) => return Err(wrong("name", "it needs a `command`, the words of a program, or a `url`")),
        (Some(argv), None) => {
            check_keys_of_programs(server)?;
            let launch =
                LaunchSettings { folder: Default::default(), environment: Default::default(), launcher: Vec::new() };
            Transport::Stdio { argv: argv.clone(), launch }
        }
        (None, Some(url)) => {
            if !server.env.is_empty() {
                return Err(wrong("env", "only a server with a `command` has an environment"));
            }
            let tokens =
                client_of(server).map(|(auth, grant)| token_source(auth, grant, client.clone())).transpose()?;
            // Whose tokens they are makes no difference to the settings.
            let tokens = tokens.map(|source| ServerTokens::Own(Arc::new(source)));
            Transport::Http(http_server(server, url, client, tokens)?)
        }
    };
    settings(server, transport).map(drop)
}

fn check_keys_of_programs(server: &McpConfig) -> Result<(), InvalidServer> {
    let given = [("headers", !server.headers.is_empty()), ("auth", server.auth.is_some())];
    match given.into_iter().find(|(_, is_given)| *is_given) {
        Some((key, _)) => {
            let why = format!("only a server with a `url` has `{key}`; give credentials to a program in its `env`");
            Err(wrong(key, why))
        }
        None => Ok(()),
    }
}

/// Returns the client of an identity provider that gets the access tokens of a server, if it needs any, and on whose
/// behalf.
pub(crate) fn client_of(server: &McpConfig) -> Option<(&ClientConfig, TokenGrant)> {
    match &server.auth {
        Some(McpAuthConfig::ClientCredentials(client)) => Some((client, TokenGrant::ClientCredentials)),
        Some(McpAuthConfig::Exchange(client)) => Some((client, TokenGrant::Exchange)),
        _ => None,
    }
}

/// Reports whether a server needs the tokens of callers.
pub(crate) fn needs_callers(server: &McpConfig) -> bool {
    matches!(server.auth, Some(McpAuthConfig::Exchange(_)))
}

/// Returns a source of access tokens, whose requests `http` sends.
pub(crate) fn token_source(
    client: &ClientConfig,
    grant: TokenGrant,
    http: HttpClient,
) -> Result<TokenSource, InvalidServer> {
    let endpoint = match (&client.token_url, &client.issuer) {
        (Some(_), Some(_)) => return Err(wrong("auth.issuer", "`auth` has both `token_url` and `issuer`; keep one")),
        (None, None) => return Err(wrong("auth", "`auth` needs a `token_url` or an `issuer`")),
        (Some(url), None) => TokenEndpoint::Url(url.clone()),
        (None, Some(issuer)) => TokenEndpoint::Issuer(issuer.clone()),
    };
    let Secret(secret) = &client.client_secret;
    let settings = TokenSettings {
        grant,
        client_auth: match client.client_auth {
            ClientAuthConfig::Basic => ClientAuth::Basic,
            ClientAuthConfig::Post => ClientAuth::Post,
        },
        audience: client.audience.clone(),
        resource: client.resource.clone(),
        scope: client.scope.clone(),
        ..TokenSettings::new(endpoint, client.client_id.clone(), secret.clone())
    };
    TokenSource::new(&settings, http).map_err(|error| match &error {
        TokenError::Setting { field, .. } => (format!("auth.{field}"), format!("`auth`: {error}")),
        _ => ("auth".to_owned(), format!("`auth`: {error}")),
    })
}

/// Returns the way to a server at this address. `tokens` has its access tokens, if it needs any.
pub(crate) fn http_server(
    server: &McpConfig,
    url: &str,
    client: HttpClient,
    tokens: Option<ServerTokens>,
) -> Result<HttpServer, InvalidServer> {
    let target = Target::new(url).map_err(|error| wrong("url", error.to_string()))?;
    let mut http = HttpServer::new(client, target);
    for (name, Secret(value)) in &server.headers {
        http = http.with_header(name, value).map_err(|error| (format!("headers.{name}"), error.to_string()))?;
    }
    let Some((name, value)) = credentials(server)? else { return Ok(http) };
    if server.headers.keys().any(|header| header.eq_ignore_ascii_case(&name)) {
        return Err(wrong("auth", format!("both `headers` and `auth` set the header `{name}`; keep one")));
    }
    match tokens {
        Some(ServerTokens::Own(source)) => return Ok(http.with_tokens(source)),
        Some(ServerTokens::Exchanged(source, callers)) => return Ok(http.with_exchange(source, callers)),
        None => {}
    }
    http.with_header(&name, &value).map_err(|error| {
        let why = match error {
            InvalidSettings::Header { why, .. } => why,
            other => other.to_string(),
        };
        wrong("auth", format!("`auth` cannot be sent: {why}"))
    })
}

/// Returns the name and the value of the header with the credentials, whose value is empty if it is an access token.
fn credentials(server: &McpConfig) -> Result<Option<(String, String)>, InvalidServer> {
    let Some(auth) = &server.auth else { return Ok(None) };
    let auth = match auth.clone() {
        McpAuthConfig::Bearer { token } => HttpAuth::Bearer(token.0),
        McpAuthConfig::Basic { user, password } => HttpAuth::Basic { user, password: password.0 },
        McpAuthConfig::Header { name, value } => HttpAuth::Header { name, value: value.0 },
        McpAuthConfig::ClientCredentials(_) | McpAuthConfig::Exchange(_) => {
            return Ok(Some((AUTHORIZATION.to_owned(), String::new())));
        }
        McpAuthConfig::AuthorizationCode => {
            let why = "servers that need a person to sign in are not supported yet; use `client_credentials`, or a \
                       token as `bearer`";
            return Err(wrong("auth.type", why));
        }
    };
    let (name, value) = auth.header();
    Ok(Some((name.to_owned(), value)))
}

/// Returns the settings of a server that is reached in this way.
pub(crate) fn settings(server: &McpConfig, transport: Transport) -> Result<McpServerSettings, InvalidServer> {
    let mut settings = McpServerSettings::new(&server.name, transport).map_err(|error| {
        let key = match error {
            InvalidSettings::Name(_) => "name",
            InvalidSettings::NoProgram => "command",
            InvalidSettings::Header { .. } => "headers",
        };
        wrong(key, error.to_string())
    })?;
    settings.credentials = known_credentials(server);
    settings.trust = match server.trust {
        McpTrustConfig::None => Trust::None,
        McpTrustConfig::Annotations => Trust::Annotations,
        McpTrustConfig::Full => Trust::Full,
    };
    settings.defer = server.defer;
    settings.timeout = server.timeout_s.map_or(settings.timeout, Duration::from_secs);
    Ok(settings)
}

/// Returns the credentials in the settings of a server that the configuration marks as such: the secrets of `auth`, and
/// values of variables.
fn known_credentials(server: &McpConfig) -> Credentials {
    let of_auth = match &server.auth {
        Some(
            McpAuthConfig::Bearer { token: secret }
            | McpAuthConfig::Basic { password: secret, .. }
            | McpAuthConfig::Header { value: secret, .. },
        ) => Some(secret),
        _ => None,
    };
    Credentials::new(of_auth.into_iter().chain(&server.filled).map(|Secret(value)| value.clone()))
}

fn wrong(key: &str, why: impl Into<String>) -> InvalidServer {
    (key.to_owned(), why.into())
}
