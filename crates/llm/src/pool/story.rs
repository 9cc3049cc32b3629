//! What happened on the way to an answer, for whoever waited for it.

use turnkit_core::{ModelName, Notice, ProviderError, ProviderErrorKind as Kind, Str, Timestamp};

use super::seat::Seat;

/// The providers that were asked in vain.
#[derive(Debug, Default)]
pub(crate) struct Story {
    failures: Vec<(Str, ProviderError)>,
}

impl Story {
    /// A provider failed.
    pub(crate) fn failed(&mut self, provider: &Str, error: ProviderError) {
        self.failures.push((provider.clone(), error));
    }

    /// Whether nobody was asked.
    pub(super) fn is_empty(&self) -> bool {
        self.failures.is_empty()
    }

    /// Tells that somebody else answers, if that is so.
    pub(super) fn notice(&self, provider: &str, model: &str) -> Option<Notice> {
        if self.failures.is_empty() {
            return None;
        }
        let failed = self.failures.iter().map(|(id, error)| format!("{id} ({})", error.kind.code()));
        let failed = failed.collect::<Vec<_>>().join(", ");
        let text = format!("{model} of {provider} answers in place of {failed}");
        Some(Notice { code: "failed_over".to_owned(), text })
    }

    /// Nobody is left: what they said, with the kind of the first failure that may pass by itself, or else of the
    /// first. `None` if nobody was asked.
    pub(crate) fn end(self) -> Option<ProviderError> {
        let told = self.failures.iter().map(|(_, error)| error.message.as_str()).collect::<Vec<_>>().join("; ");
        let alone = self.failures.len() == 1;
        let best = self.failures.iter().position(|(_, error)| error.kind.is_transient()).unwrap_or_default();
        let (_, error) = self.failures.into_iter().nth(best)?;
        Some(if alone { error } else { ProviderError { message: told, ..error } })
    }
}

/// Says why none of these providers may be asked, and when the first may be.
pub(super) fn all_frozen<'a>(
    seats: impl Iterator<Item = (&'a Seat, Option<&'a ModelName>)>,
    now: Timestamp,
) -> ProviderError {
    let mut told = Vec::new();
    let mut thaws: Vec<Timestamp> = Vec::new();
    let mut lasting = None;
    for (seat, model) in seats {
        let id = &seat.id;
        if let Some(freeze) = seat.frozen() {
            let why = freeze.error.kind.code();
            match freeze.until {
                Some(until) if until <= now => {
                    told.push(format!("{id} ({why}) is being tried by another request"));
                    thaws.push(now);
                }
                Some(until) => {
                    told.push(format!("{id} until {until} ({why})"));
                    thaws.push(until);
                }
                None => {
                    told.push(format!("{id} until `turnkit providers thaw {id}` ({why})"));
                    lasting = lasting.or(Some(freeze.error.kind));
                }
            }
        } else if let Some(until) = seat.missing(model, now) {
            told.push(format!("{id} until {until} (model_not_found)"));
            thaws.push(until);
        }
    }
    let first = thaws.into_iter().min();
    let kind = if first.is_some() { Kind::Unavailable } else { lasting.unwrap_or(Kind::Unavailable) };
    let message = format!("no provider that fits may be asked now; frozen after failures are {}", told.join(", "));
    ProviderError { retry_after: first.map(|first| first.since(now)), ..ProviderError::new(kind, message) }
}
