//! The place where a server is reached.

use std::sync::Arc;

use serde_json::{Value, json};
use turnkit_core::Scope;
use turnkit_net::{HttpClient, Target};
use turnkit_process::LaunchSettings;

use crate::headers::Varies;
use crate::secrets::Secrets;
use crate::settings::Transport;
use crate::tokens::Tokens;

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
    /// The headers name an owner, and there is none, or its name cannot be sent. The error contains the reason.
    pub(crate) fn endpoint(&self, scope: Option<&Scope>) -> Result<Endpoint, String> {
        Ok(match self {
            Self::Stdio { argv, launch } => Endpoint::Program { argv: argv.clone(), launch: launch.clone() },
            Self::Http(server) => {
                let target = server.headers.sent_to(Target::clone(&server.target), scope)?;
                let tokens = server.tokens.clone().map(Tokens::new);
                Endpoint::Http { client: server.client.clone(), target: Arc::new(target), tokens }
            }
        })
    }

    /// Returns the part of a scope by which connections differ.
    pub(crate) fn varies(&self) -> Varies {
        match self {
            Self::Stdio { .. } => Varies::Never,
            Self::Http(server) => server.headers.varies(),
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
