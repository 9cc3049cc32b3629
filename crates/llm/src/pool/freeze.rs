//! What a failure means for whom it came from, and how long that lasts.

use std::time::Duration;

use turnkit_core::{Phase, ProviderErrorKind as Kind};

/// The longest that a provider is left alone for a failure that may pass by itself.
const LONGEST: Duration = Duration::from_secs(3600);
/// The longest that a provider's own word is taken for how long to wait.
const LONGEST_ASKED: Duration = Duration::from_secs(300);

/// Who is to blame for a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Blame {
    /// The request: it would fail anywhere, and says nothing about the provider.
    Request,
    /// This one answer, which its model got wrong or which would cost more than the account has: another may be better.
    Answer,
    /// The model, which this provider does not serve: it alone is left alone, for so long.
    Model(Duration),
    /// The provider.
    Provider(Term),
}

/// How long a provider is left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Term {
    /// So long the first time, and twice as long each time it fails again.
    Passing(Duration),
    /// Until somebody thaws it: waiting does not mend a key or an account.
    UntilThawed,
}

impl Blame {
    /// Who is to blame for a failure of this kind.
    pub(super) fn of(kind: Kind) -> Self {
        let passing = |seconds| Self::Provider(Term::Passing(Duration::from_secs(seconds)));
        match kind {
            Kind::Auth | Kind::KeyInvalid | Kind::Quota | Kind::Balance => Self::Provider(Term::UntilThawed),
            Kind::RateLimited => passing(60),
            Kind::Overloaded => passing(300),
            Kind::Network | Kind::Timeout(_) => passing(30),
            Kind::Truncated | Kind::BadResponse => passing(60),
            Kind::ModelNotFound => Self::Model(LONGEST),
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

/// Whether a failure of this kind may be the request's doing though it looks like the provider's: what one server breaks
/// down over may well break the next.
pub(super) fn may_be_brought_about(kind: Kind) -> bool {
    match kind {
        Kind::Timeout(phase) => phase != Phase::Connect,
        Kind::Overloaded | Kind::Truncated | Kind::BadResponse => true,
        _ => false,
    }
}

impl Term {
    /// How long it is after so many failures in a row, this one included; `None` is until thawed. A provider that said
    /// itself how long to wait is taken at its word, within bounds.
    pub(super) fn after(self, failures: u32, retry_after: Option<Duration>) -> Option<Duration> {
        let Self::Passing(first) = self else { return None };
        let grown = first.saturating_mul(2_u32.saturating_pow(failures.saturating_sub(1)));
        Some(retry_after.map_or(grown.min(LONGEST), |asked| asked.min(LONGEST_ASKED)))
    }
}
