//! The issue of access tokens.

use serde::Serialize;

use crate::claims::{Actor, Claims};
use crate::clock::Clock;
use crate::key_failure::KeyFailure;
use crate::keys::Keys;

/// Signs access tokens.
pub(crate) struct Issuer {
    /// The address of the provider.
    pub(crate) url: String,
    pub(crate) keys: Keys,
    pub(crate) clock: Clock,
    /// The life of a token, in seconds.
    pub(crate) token_life: u64,
}

/// The subject of a token.
pub(crate) struct Subject {
    pub(crate) user: String,
    /// The client that gets the token.
    pub(crate) client: String,
    /// The client that acts for the user.
    pub(crate) actor: Option<String>,
    /// The time, in seconds since 1970, after which the token must not be valid.
    pub(crate) latest: Option<u64>,
}

/// The answer to a request for a token.
#[derive(Serialize)]
pub(crate) struct IssuedToken {
    access_token: String,
    token_type: &'static str,
    expires_in: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) issued_token_type: Option<&'static str>,
}

impl Issuer {
    /// Issues a token.
    pub(crate) fn issue(&self, subject: Subject, audiences: Vec<String>) -> Result<IssuedToken, KeyFailure> {
        let now = (self.clock)();
        let end = subject.latest.unwrap_or(u64::MAX).min(now + self.token_life);
        let claims = Claims {
            iss: self.url.clone(),
            sub: subject.user,
            aud: audiences,
            client_id: subject.client,
            iat: now,
            nbf: now,
            exp: end,
            jti: format!("{:032x}", rand::random::<u128>()),
            act: subject.actor.map(|sub| Actor { sub }),
        };
        let access_token = self.keys.sign(&claims)?;
        Ok(IssuedToken {
            access_token,
            token_type: "Bearer",
            expires_in: end.saturating_sub(now),
            issued_token_type: None,
        })
    }

    /// Lets a new key sign. The previous one remains published for the life of its tokens.
    pub(crate) fn rotate(&self) -> Result<Option<String>, KeyFailure> {
        let now = (self.clock)();
        self.keys.rotate(now, now + self.token_life)
    }
}
