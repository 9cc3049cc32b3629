//! The effect of a failure on its provider, and how long it lasts.

use std::time::Duration;

use turnkit_core::{Phase, ProviderErrorKind as Kind};

/// The longest freeze for a temporary failure.
const MAX_FREEZE: Duration = Duration::from_secs(3600);
/// Upper bound on a wait that the provider asks for.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(300);

/// The cause of a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Blame {
    /// The request: it would fail at any provider, and says nothing about this one.
    Request,
    /// This single answer: the model made a mistake, or the answer would cost more than the account holds. Another
    /// answer may be better.
    Answer,
    /// The model: this provider does not serve it. Only the model is frozen, for this long.
    Model(Duration),
    /// The provider.
    Provider(Term),
}

/// How long a provider is frozen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Term {
    /// This long the first time, and twice as long with each further failure.
    Passing(Duration),
    /// Until an operator thaws it: waiting does not repair a key or an account.
    UntilThawed,
}

impl Blame {
    /// Returns the cause of a failure of this kind.
    pub(super) fn for_kind(kind: Kind) -> Self {
        let passing = |seconds| Self::Provider(Term::Passing(Duration::from_secs(seconds)));
        match kind {
            Kind::Auth | Kind::KeyInvalid | Kind::Quota | Kind::Balance => Self::Provider(Term::UntilThawed),
            Kind::RateLimited => passing(60),
            Kind::Overloaded => passing(300),
            Kind::Network | Kind::Timeout(_) => passing(30),
            Kind::Truncated | Kind::BadResponse => passing(60),
            Kind::ModelNotFound => Self::Model(MAX_FREEZE),
            Kind::MalformedCall | Kind::Unaffordable => Self::Answer,
            Kind::ContextOverflow
            | Kind::ContentFilter
            | Kind::ToolsUnsupported
            | Kind::ImagesUnsupported
            | Kind::BadRequest
            | Kind::AnswerTooLarge
            | Kind::NoProvider
            | Kind::Unavailable => Self::Request,
        }
    }
}

/// Reports whether the request may have caused a failure that looks like the provider's. A request that breaks one
/// server may well break the next.
pub(super) fn may_be_caused_by_request(kind: Kind) -> bool {
    match kind {
        Kind::Timeout(phase) => phase != Phase::Connect,
        Kind::Overloaded | Kind::Truncated | Kind::BadResponse => true,
        _ => false,
    }
}

impl Term {
    /// Returns the duration of the freeze after this many failures in a row, including the current one; `None` means
    /// until thawed. A wait that the provider itself asked for is respected, within bounds.
    pub(super) fn after(self, failures: u32, retry_after: Option<Duration>) -> Option<Duration> {
        let Self::Passing(first) = self else { return None };
        let grown = first.saturating_mul(2_u32.saturating_pow(failures.saturating_sub(1)));
        Some(retry_after.map_or(grown.min(MAX_FREEZE), |asked| asked.min(MAX_RETRY_AFTER)))
    }
}
