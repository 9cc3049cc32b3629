//! The place where a server is reached.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use turnkit_core::Scope;
use turnkit_core::ports::NoCallerToken;
use turnkit_net::{HttpClient, Target};
use turnkit_process::LaunchSettings;

use crate::headers::Varies;
use crate::http_failure::HttpFailure;
use crate::secrets::Secrets;
use crate::settings::Transport;
use crate::tokens::{TokenGrants, Tokens};

/// Words in the name of a field of a query that mark a credential.
const NAMES: [&str; 5] = ["authorization", "key", "password", "secret", "token"];

/// The place where a server is reached on behalf of one owner.
#[derive(Clone)]
pub(crate) enum Endpoint {
    Program { argv: Vec<String>, launch: LaunchSettings },
    Http { client: HttpClient, target: Arc<Target>, tokens: Option<Tokens> },
}

impl Endpoint {
    /// Returns the credentials that the server is given. Each variable of a program may be one, except the path to
    /// programs.
    pub(crate) fn secrets(&self) -> Secrets {
        match self {
            Self::Program { launch, .. } => {
                let variables = launch.environment.iter().filter(|(name, _)| *name != "PATH");
                Secrets::new(variables.map(|(_, value)| value.clone()).collect())
            }
            Self::Http { target, tokens, .. } => {
                let in_query = secrets_in_query(&target.url());
                Secrets::new([target.secrets(), in_query].concat()).with_tokens(tokens.clone())
            }
        }
    }

    /// Checks that there is a token of the caller, if the server acts on behalf of callers.
    ///
    /// # Errors
    /// There is none, so the server cannot be used now.
    pub(crate) fn check_caller(&self) -> Result<(), NoCallerToken> {
        match self {
            Self::Http { tokens: Some(tokens), .. } => tokens.check_caller(),
            Self::Program { .. } | Self::Http { tokens: None, .. } => Ok(()),
        }
    }

    /// Waits until there is an access token for the next request, if the server needs one. The time limit of a request
    /// begins afterwards: a slow identity provider says nothing about the server or the outcome of a call.
    ///
    /// # Errors
    /// There is no token, so no request could be sent.
    pub(crate) async fn wait_for_token(&self) -> Result<(), HttpFailure> {
        match self {
            Self::Http { tokens: Some(tokens), .. } => tokens.token().await.map(drop),
            Self::Program { .. } | Self::Http { tokens: None, .. } => Ok(()),
        }
    }
}

/// Returns the values in the query of an address whose names mark them as credentials. Others, such as the name of a
/// project, occur in results too.
fn secrets_in_query(url: &str) -> Vec<String> {
    let fields = url.split_once('?').map_or("", |(_, query)| query).split('&');
    let named = fields.filter_map(|field| field.split_once('='));
    let is_secret = |name: &str| NAMES.iter().any(|word| name.to_ascii_lowercase().contains(word));
    named.filter(|(name, _)| is_secret(name)).map(|(_, value)| value.to_owned()).collect()
}

impl Transport {
    /// Returns the place where the server is reached on behalf of this owner.
    ///
    /// # Errors
    /// The requests name an owner, and there is none, or its name cannot be sent. The error contains the reason.
    pub(crate) fn endpoint(&self, scope: Option<&Scope>) -> Result<Endpoint, String> {
        Ok(match self {
            Self::Stdio { argv, launch } => Endpoint::Program { argv: argv.clone(), launch: launch.clone() },
            Self::Http(server) => {
                let target = server.headers.sent_to(Target::clone(&server.target), scope)?;
                let tokens = server.tokens.as_ref().map(|grants| grants.of(scope)).transpose()?;
                Endpoint::Http { client: server.client.clone(), target: Arc::new(target), tokens }
            }
        })
    }

    /// Returns the part of a scope by which connections differ.
    pub(crate) fn varies(&self) -> Varies {
        match self {
            Self::Stdio { .. } => Varies::Never,
            Self::Http(server) if server.acts_for_callers() => Varies::ByUser,
            Self::Http(server) => server.headers.varies(),
        }
    }

    /// Checks that there is a token of this owner, if the server acts on behalf of callers.
    ///
    /// # Errors
    /// There is none, so the server cannot be used now.
    pub(crate) fn check_caller(&self, owner: &Scope) -> Result<(), NoCallerToken> {
        match self {
            Self::Stdio { .. } => Ok(()),
            Self::Http(server) => server.tokens.as_ref().map_or(Ok(()), |tokens| tokens.check_caller(owner)),
        }
    }

    /// Returns the longest time that a request waits for its access token.
    pub(crate) fn longest_token_wait(&self) -> Duration {
        match self {
            Self::Stdio { .. } => Duration::ZERO,
            Self::Http(server) => server.tokens.as_ref().map_or(Duration::ZERO, TokenGrants::longest_wait),
        }
    }

    /// Returns what identifies the server, without secrets: values of headers and of the environment, and the query of
    /// an address, which may hold a key.
    pub(crate) fn identity(&self) -> Value {
        match self {
            Self::Stdio { argv, launch } => json!({ "argv": argv, "launch": launch.settings() }),
            Self::Http(server) => {
                json!({ "url": server.url_without_query(), "headers": server.headers.names().collect::<Vec<_>>() })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_a_query_are_credentials_if_their_names_say_so() {
        for (url, expected) in [
            ("https://a.example/mcp", &[][..]),
            ("https://a.example/mcp?project=desk-tickets&flag", &[]),
            ("https://a.example/mcp?project=desk&API_KEY=abc%2F1&access_token=def", &["abc%2F1", "def"]),
        ] {
            assert_eq!(secrets_in_query(url), expected, "{url}");
        }
    }
}
