//! Permission to ask a provider once, and the outcome.

use std::sync::Arc;

use turnkit_core::{ModelName, ProviderError, Timestamp};

use super::freeze::Blame;
use super::health::{Admission, AdmissionKind};
use super::route::Choice;
use super::seat::{MAX_MODELS, Place, Seat};

/// Permission to ask a provider once. Dropping it without an outcome has no effect on the provider's health.
pub(super) struct Pass {
    pub(super) seat: Arc<Seat>,
    admission: Admission,
    is_given_back: bool,
}

/// A provider that a request is admitted to.
pub(super) struct Admitted {
    pub(super) choice: Choice,
    pub(super) pass: Pass,
    pub(super) place: Place,
}

impl Pass {
    /// Admits a request at `seat`. Returns `None` if the seat or the chosen model is frozen.
    pub(super) fn admit(seat: &Arc<Seat>, chosen: Option<&ModelName>, insists: bool, now: Timestamp) -> Option<Self> {
        let mut known = seat.known();
        let missing = !known.missing.is_empty()
            && seat.model(chosen).and_then(|model| known.missing.get(model)).is_some_and(|until| now < *until);
        if missing && !insists {
            return None;
        }
        let admission = known.health.admit(now, insists)?;
        drop(known);
        Some(Self { seat: Arc::clone(seat), admission, is_given_back: false })
    }

    /// Reports whether this request probes the provider after a freeze.
    pub(super) fn is_probe(&self) -> bool {
        self.admission.kind == AdmissionKind::Probe
    }

    /// Reports whether no freeze or thaw of the provider has happened since.
    pub(super) fn is_current(&self) -> bool {
        self.seat.known().health.is_current(self.admission)
    }

    /// Records that the provider starts to answer with this model, so both are available.
    pub(super) fn opened(&mut self, chosen: Option<&ModelName>) {
        let mut known = self.seat.known();
        if let Some(model) = self.seat.model(chosen).filter(|_| !known.missing.is_empty()) {
            known.missing.remove(model);
        }
        let thawed = known.health.opened(&mut self.admission);
        drop(known);
        if thawed {
            tracing::info!(provider = %self.seat.id, "provider works again");
        }
    }

    /// Records a complete answer.
    pub(super) fn succeeded(&mut self) {
        self.is_given_back = true;
        if self.seat.known().health.succeeded(self.admission) {
            tracing::info!(provider = %self.seat.id, "provider works again");
        }
    }

    /// Records a failure of the provider with this model. Freezes the provider or the model if it is the cause.
    pub(super) fn failed(&mut self, chosen: Option<&ModelName>, error: &ProviderError, now: Timestamp) {
        let mut known = self.seat.known();
        match Blame::of(error.kind) {
            Blame::Request if error.status.is_some() && !error.is_missing_endpoint() => {
                known.health.spoke(self.admission)
            }
            Blame::Answer => known.health.spoke(self.admission),
            Blame::Request => known.health.gave_up(self.admission),
            Blame::Model(length) => {
                known.health.spoke(self.admission);
                known.missing.retain(|_, until| now < *until);
                if let Some(model) = self.seat.model(chosen).filter(|_| known.missing.len() < MAX_MODELS) {
                    known.missing.insert(model.clone(), now.plus(length));
                }
            }
            Blame::Provider(term) => {
                if let Some(freeze) = known.health.failed(self.admission, now, term, error) {
                    let until = freeze.until.map_or_else(|| "thawed".to_owned(), |until| until.to_string());
                    let (why, failures) = (error.kind.code(), freeze.failures);
                    tracing::warn!(provider = %self.seat.id, why, status = error.status, failures, until, "provider frozen");
                }
            }
        }
        self.is_given_back = true;
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        if !self.is_given_back {
            self.seat.known().health.gave_up(self.admission);
        }
    }
}
