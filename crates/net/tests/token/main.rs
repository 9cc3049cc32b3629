//! Tests access tokens against an identity provider on this machine: the requests it gets, when it gets them, and the
//! error of each of its failures.
#![expect(clippy::unwrap_used, reason = "a failing helper is a failing test")]

mod discovery;
mod exchange;
mod failures;
mod identity_provider;
mod refresh;
mod requests;
mod secrets;

use std::time::Duration;

use turnkit_net::{AccessToken, ClientOptions, HttpClient, TokenEndpoint, TokenError, TokenSettings, TokenSource};

use identity_provider::IdentityProvider;

/// Time limit for events that should happen at once.
const PATIENCE: Duration = Duration::from_secs(10);
/// The life of the tokens of [`IdentityProvider`].
const LIFE: Duration = Duration::from_secs(600);

/// Returns the settings of a client of this provider.
fn settings(provider: &IdentityProvider) -> TokenSettings {
    TokenSettings::new(TokenEndpoint::Url(provider.url("/token")), "desk", "s3cret&more")
}

fn source(settings: &TokenSettings) -> TokenSource {
    TokenSource::new(settings, HttpClient::new(&ClientOptions::default())).unwrap()
}

/// Returns a source of tokens of the client itself.
fn tokens(provider: &IdentityProvider) -> TokenSource {
    source(&settings(provider))
}

/// Advances the clock of sources, and lets it continue from there.
async fn pass(time: Duration) {
    tokio::time::pause();
    tokio::time::advance(time).await;
    tokio::time::resume();
}

fn text(token: Result<AccessToken, TokenError>) -> String {
    token.unwrap().as_str().to_owned()
}
