//! The failures before an answer, reported to the caller.

use turnkit_core::ports::{NoticeClass, OpeningNotice};
use turnkit_core::{ModelName, ProviderError, ProviderErrorKind as Kind, Str, Timestamp};

use super::freeze::may_be_caused_by_request;
use super::seat::Seat;

/// The providers that failed, and why the remaining ones were not asked.
#[derive(Debug, Default)]
pub(crate) struct CallFailures {
    failures: Vec<(Str, ProviderError)>,
    remaining: Option<ProviderError>,
}

impl CallFailures {
    /// Records the failure of a provider.
    pub(crate) fn add(&mut self, provider: &Str, error: ProviderError) {
        self.failures.push((provider.clone(), error));
    }

    /// Reports whether an earlier failure may have been caused by the request.
    pub(super) fn suspects_request(&self) -> bool {
        self.failures.iter().any(|(_, error)| may_be_caused_by_request(error.kind))
    }

    /// Records why the remaining providers cannot be asked.
    pub(super) fn set_remaining(&mut self, why: ProviderError) {
        self.remaining = Some(why);
    }

    /// Returns a notice that another provider answers, if one has failed.
    pub(super) fn notice(&self, provider: &str, model: &str) -> Option<OpeningNotice> {
        if self.failures.is_empty() {
            return None;
        }
        let failed = self.failures.iter().map(|(id, error)| format!("{id} ({})", error.kind.code()));
        let failed = failed.collect::<Vec<_>>().join(", ");
        let text = format!("{model} of {provider} answers in place of {failed}");
        Some(OpeningNotice { class: NoticeClass::Occurrence, code: "failed_over".to_owned(), text })
    }

    /// Combines all failures into one error for a call without an answer. Its kind is that of the first temporary
    /// failure, or else of the first one. `None` if there were no failures.
    pub(crate) fn into_error(self) -> Option<ProviderError> {
        let mut errors: Vec<_> = self.failures.into_iter().map(|(_, error)| error).chain(self.remaining).collect();
        let messages = errors.iter().map(|error| error.message.as_str()).collect::<Vec<_>>().join("; ");
        let best = errors.iter().position(|error| error.kind.is_transient()).unwrap_or_default();
        let first = (best < errors.len()).then(|| errors.swap_remove(best))?;
        Some(ProviderError { message: messages, ..first })
    }
}

/// Returns a notice that a model other than the requested one answers.
pub(super) fn another_model(provider: &str, model: &str, requested: &ModelName) -> OpeningNotice {
    let text = format!("{provider} answers with {model}; {} was requested", requested.0);
    OpeningNotice { class: NoticeClass::Condition, code: "asked_another_model".to_owned(), text }
}

/// Returns the error that none of these providers may be asked, with the reasons and the earliest end of a freeze.
pub(super) fn all_frozen<'a>(
    seats: impl Iterator<Item = (&'a Seat, Option<&'a ModelName>)>,
    now: Timestamp,
) -> ProviderError {
    let mut reasons = Vec::new();
    let mut thaws: Vec<Timestamp> = Vec::new();
    let (mut lasting, mut missing) = (None, None);
    for (seat, model) in seats {
        let id = &seat.id;
        if let Some(freeze) = seat.frozen() {
            let why = freeze.error.kind.code();
            match freeze.until {
                Some(until) if until <= now => {
                    reasons.push(format!("{id} ({why}) is being probed by another request"));
                    thaws.push(now);
                }
                Some(until) => {
                    reasons.push(format!("{id} until {until} ({why})"));
                    thaws.push(until);
                }
                None => {
                    reasons.push(format!("{id} until `turnkit providers thaw {id}` ({why})"));
                    lasting = lasting.or(Some(freeze.error.kind));
                }
            }
        } else if let Some(until) = seat.missing_until(model, now) {
            let name = seat.model(model).map_or("its model", |model| &*model.0);
            reasons.push(format!("{id} until {until} or `turnkit providers thaw {id}` (it has no {name})"));
            missing = Some(Kind::ModelNotFound);
        }
    }
    let first = thaws.into_iter().min();
    let kind = if first.is_some() { Kind::Unavailable } else { lasting.or(missing).unwrap_or(Kind::Unavailable) };
    let message = format!("no matching provider is available; frozen after failures: {}", reasons.join(", "));
    ProviderError { retry_after: first.map(|first| first.since(now)), ..ProviderError::new(kind, message) }
}
