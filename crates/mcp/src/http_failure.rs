//! Requests to a server over HTTP that failed.

use turnkit_core::ports::NoCallerToken;
use turnkit_net::{NetError, TokenError};

/// A request that got no usable response. The variants differ in what is known about its effect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum HttpFailure {
    /// The request was not sent.
    #[error("{0}")]
    NotSent(NetError),
    /// There is no access token, so the request was not sent.
    #[error("{0}")]
    NoToken(Box<TokenError>),
    /// There is no token of the caller to exchange for an access token, so the request was not sent.
    #[error("{0}")]
    NoCallerToken(NoCallerToken),
    /// The caller gave the request up while it waited for an access token, so the request was not sent.
    #[error("the request was given up before there was an access token")]
    GivenUp,
    /// The server or a proxy refused the request with a status from 400 to 499.
    #[error("the server refused the request with status {0}{hint}", hint = hint(.0))]
    Refused(u16),
    /// The server refused a request of a session with status 400. Some servers answer so when they have forgotten the
    /// session.
    #[error("the server refused the request with status 400, perhaps because it has ended the session")]
    SessionRefused,
    /// The connection ended before the response was complete.
    #[error("the answer is incomplete: {0}")]
    Cut(NetError),
    /// The status is neither a success nor a refusal.
    #[error("the server answered with status {0}{hint}", hint = hint(.0))]
    Failed(u16),
    /// The response is not what the protocol demands.
    #[error("the answer cannot be read: {0}")]
    Unreadable(String),
}

impl HttpFailure {
    /// Classifies a request without a response.
    pub(crate) fn without_response(error: NetError) -> Self {
        match error {
            NetError::Address(_)
            | NetError::Header(_)
            | NetError::Dns
            | NetError::NotPublic
            | NetError::Refused
            | NetError::Tls(_)
            | NetError::ConnectTimeout
            | NetError::Proxy { .. } => Self::NotSent(error),
            NetError::Reset
            | NetError::Incomplete
            | NetError::TooLarge
            | NetError::Encoding(_)
            | NetError::Damaged(_)
            | NetError::Failed(_) => Self::Cut(error),
        }
    }

    /// Reports whether the request certainly had no effect.
    pub(crate) fn is_without_effect(&self) -> bool {
        self.lacks_token() || matches!(self, Self::NotSent(_) | Self::GivenUp | Self::Refused(_) | Self::SessionRefused)
    }

    /// Reports whether the request was not sent because there is no access token, whatever the state of the server.
    pub(crate) fn lacks_token(&self) -> bool {
        matches!(self, Self::NoToken(_) | Self::NoCallerToken(_))
    }

    /// Reports whether the session is of no further use.
    pub(crate) fn is_session_lost(&self) -> bool {
        matches!(self, Self::SessionRefused)
    }
}

fn hint(status: &u16) -> &'static str {
    match status {
        300..=399 => ": it leads to another address, which is not followed; configure that address",
        401 => ": the credentials are missing or wrong; a server that wants a person to sign in is not supported",
        403 => ": the credentials do not allow it",
        404 => ": there is no server at this address",
        429 => ": there were too many requests",
        _ => "",
    }
}
