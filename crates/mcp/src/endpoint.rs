//! The way to a server.

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
use crate::settings::{McpServerSettings, Transport};
use crate::tokens::{TokenGrants, Tokens};

/// The way to a server on behalf of one owner.
#[derive(Clone)]
pub(crate) struct Endpoint {
    pub(crate) place: Place,
    /// The credentials that the server is given.
    pub(crate) secrets: Secrets,
}

/// The place where a server is reached.
#[derive(Clone)]
pub(crate) enum Place {
    Program { argv: Vec<String>, launch: LaunchSettings },
    Http { client: HttpClient, target: Arc<Target>, tokens: Option<Tokens> },
}

impl Endpoint {
    /// Checks that there is a token of the caller, if the server acts on behalf of callers.
    ///
    /// # Errors
    /// There is none, so the server cannot be used now.
    pub(crate) fn check_caller(&self) -> Result<(), NoCallerToken> {
        match &self.place {
            Place::Http { tokens: Some(tokens), .. } => tokens.check_caller(),
            Place::Program { .. } | Place::Http { tokens: None, .. } => Ok(()),
        }
    }

    /// Waits until there is an access token for the next request, if the server needs one. The time limit of a request
    /// begins afterwards: a slow identity provider says nothing about the server or the outcome of a call.
    ///
    /// # Errors
    /// There is no token, so no request could be sent.
    pub(crate) async fn wait_for_token(&self) -> Result<(), HttpFailure> {
        match &self.place {
            Place::Http { tokens: Some(tokens), .. } => tokens.token().await.map(drop),
            Place::Program { .. } | Place::Http { tokens: None, .. } => Ok(()),
        }
    }
}

impl McpServerSettings {
    /// Returns the way to the server on behalf of this owner.
    ///
    /// # Errors
    /// The requests name an owner, and there is none, or its name cannot be sent. The error contains the reason.
    pub(crate) fn endpoint(&self, scope: Option<&Scope>) -> Result<Endpoint, String> {
        let mut secrets = self.secrets();
        Ok(match &self.transport {
            Transport::Stdio { argv, launch } => {
                let place = Place::Program { argv: argv.clone(), launch: launch.clone() };
                Endpoint { place, secrets: Secrets::new(secrets) }
            }
            Transport::Http(server) => {
                let target = server.headers.sent_to(Target::clone(&server.target), scope, &self.credentials)?;
                let tokens = server.tokens.as_ref().map(|grants| grants.of(scope)).transpose()?;
                secrets.extend(target.secrets());
                secrets.extend(server.headers.secret_parts(&self.credentials));
                let secrets = Secrets::new(secrets).with_tokens(tokens.clone());
                let place = Place::Http { client: server.client.clone(), target: Arc::new(target), tokens };
                Endpoint { place, secrets }
            }
        })
    }

    /// Returns what identifies the server, without secrets: values of headers and of the environment, and the query of
    /// an address, which may hold a key.
    pub(crate) fn identity(&self) -> Value {
        let secrets = Secrets::new(self.secrets());
        match &self.transport {
            Transport::Stdio { argv, launch } => {
                let argv: Vec<_> = argv.iter().map(|word| secrets.removed(word.as_str())).collect();
                json!({ "argv": argv, "launch": launch.settings() })
            }
            Transport::Http(server) => {
                let headers: Vec<&str> = server.headers.names().collect();
                json!({ "url": server.public_url(&secrets), "headers": headers })
            }
        }
    }
}

impl Transport {
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
}
