//! Access tokens of an identity provider (OAuth 2.0), for requests to servers that accept them.

mod access_token;
mod address;
mod answer;
mod backoff;
mod discovery;
mod endpoint;
mod error;
mod identity_provider;
mod refresh;
mod refusal;
mod request;
mod response;
mod settings;
mod slot;
mod subject_token;
mod subjects;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::HttpClient;
use identity_provider::IdentityProvider;
use slot::Slot;
use subjects::Subjects;

pub use access_token::AccessToken;
pub use error::TokenError;
pub use refusal::{Refusal, RefusalCode};
pub use settings::{ClientAuth, TokenEndpoint, TokenGrant, TokenSettings};
pub use subject_token::SubjectToken;

/// Source of access tokens, which it keeps in memory only.
///
/// A token is requested when it is first needed. Concurrent callers share the request, and a caller that stops waiting
/// does not end it. After 80 % of a token's life, the next call requests another one in the background and returns the
/// old one, which is also used while that fails. A token whose identity provider does not state its life is used for a
/// minute. No token is used for more than a day, and none is replaced within a second, unless a server refuses it.
///
/// After a failure, calls return the same error for a second, then for up to a minute if it repeats.
///
/// ```no_run
/// use turnkit_net::{ClientOptions, HttpClient, Target, TokenEndpoint, TokenSettings, TokenSource};
///
/// # async fn ask() -> Result<(), Box<dyn std::error::Error>> {
/// let client = HttpClient::new(&ClientOptions::default());
/// let endpoint = TokenEndpoint::Issuer("https://login.example".to_owned());
/// let mut settings = TokenSettings::new(endpoint, "support-desk", "the secret of this client");
/// settings.audience = vec!["tickets".to_owned(), "organisations".to_owned()];
/// let tokens = TokenSource::new(&settings, client.clone())?;
///
/// let tickets = Target::new("https://tickets.example/mcp")?;
/// let token = tokens.token().await?;
/// let mut response = client.get(&token.authorize(tickets.clone())).await?;
/// if response.status() == 401 && tokens.refused(&token) {
///     let token = tokens.token().await?;
///     response = client.get(&token.authorize(tickets)).await?;
/// }
/// # Ok(())
/// # }
/// ```
pub struct TokenSource {
    provider: Arc<IdentityProvider>,
    tokens: Tokens,
}

/// The tokens of a source.
enum Tokens {
    /// One token for all callers.
    Shared(Box<Slot>),
    PerSubject(Subjects),
}

impl TokenSource {
    /// Creates a source that sends its requests through `client`. It sends none yet.
    ///
    /// # Errors
    /// [`TokenError::Setting`] names the setting that cannot be used.
    pub fn new(settings: &TokenSettings, client: HttpClient) -> Result<Self, TokenError> {
        for (field, value) in [("client_id", &settings.client_id), ("client_secret", &settings.client_secret)] {
            if value.is_empty() {
                return Err(TokenError::Setting { field, reason: "must not be empty".to_owned() });
            }
        }
        let provider = Arc::new(IdentityProvider::new(settings, client)?);
        let tokens = match settings.grant {
            TokenGrant::ClientCredentials => Tokens::Shared(Box::default()),
            TokenGrant::Exchange => Tokens::PerSubject(Subjects::default()),
        };
        Ok(Self { provider, tokens })
    }

    /// Returns a token of the client itself. If there is none yet, waits for at most the time limit of the settings.
    ///
    /// # Errors
    /// The identity provider issued no token, or the source exchanges tokens of callers.
    pub async fn token(&self) -> Result<AccessToken, TokenError> {
        match &self.tokens {
            Tokens::Shared(slot) => slot.token(&self.provider, None).await,
            Tokens::PerSubject(_) => Err(TokenError::NoSubjectToken { host: self.provider.host().to_owned() }),
        }
    }

    /// Returns a token for requests on behalf of a caller. A source whose grant is
    /// [`ClientCredentials`](TokenGrant::ClientCredentials) has one token for all callers, and sends `subject` nowhere.
    ///
    /// Tokens of the 256 most recent callers are kept, for five minutes after their last use.
    ///
    /// # Errors
    /// The identity provider issued no token, or the token of the caller has expired.
    pub async fn token_for(&self, subject: SubjectToken<'_>) -> Result<AccessToken, TokenError> {
        let Tokens::PerSubject(subjects) = &self.tokens else { return self.token().await };
        match subjects.slot(&subject) {
            Some(slot) => slot.token(&self.provider, Some(subject.text)).await,
            None => Err(TokenError::SubjectTokenExpired { host: self.provider.host().to_owned() }),
        }
    }

    /// Returns the longest time that a call waits for a token: the time limit of the settings.
    pub fn longest_wait(&self) -> Duration {
        self.provider.limit()
    }

    /// Records that a server has refused a token with status 401. Returns whether the request may succeed with another
    /// token, which the next call returns. A token is replaced for this reason at most once, and no two within ten
    /// seconds, so a server that refuses every token does not cause a request for each.
    #[must_use]
    pub fn refused(&self, token: &AccessToken) -> bool {
        match &self.tokens {
            Tokens::Shared(slot) => slot.refuse(token),
            // A slot with another token has nothing against a further try.
            Tokens::PerSubject(subjects) => subjects.slots().iter().all(|slot| slot.refuse(token)),
        }
    }
}

impl fmt::Debug for TokenSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenSource").field("host", &self.provider.host()).finish_non_exhaustive()
    }
}
