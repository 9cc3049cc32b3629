//! Permission to ask a provider once, and the outcome.

use std::sync::Arc;

use turnkit_core::{ModelName, ProviderError, Timestamp};

use super::freeze::Blame;
use super::health::{Admission, AdmissionKind};
use super::route::Choice;
use super::seat::{CallPermit, MAX_MODELS, Seat};

/// Permission to ask a provider once. Dropping it without an outcome has no effect on the provider's health.
pub(super) struct Pass {
    pub(super) seat: Arc<Seat>,
    admission: Admission,
    is_settled: bool,
}

/// A provider that a request is admitted to.
pub(super) struct Admitted {
    pub(super) choice: Choice,
    pub(super) pass: Pass,
    pub(super) permit: CallPermit,
}

impl Pass {
    /// Admits a request at `seat`. Returns `None` if the seat or the chosen model is frozen.
    pub(super) fn admit(
        seat: &Arc<Seat>,
        chosen: Option<&ModelName>,
        bypasses_freeze: bool,
        now: Timestamp,
    ) -> Option<Self> {
        let mut state = seat.state();
        let missing = !state.missing.is_empty()
            && seat.model(chosen).and_then(|model| state.missing.get(model)).is_some_and(|until| now < *until);
        if missing && !bypasses_freeze {
            return None;
        }
        let admission = state.health.admit(now, bypasses_freeze)?;
        drop(state);
        Some(Self { seat: Arc::clone(seat), admission, is_settled: false })
    }

    /// Reports whether this request probes the provider after a freeze.
    pub(super) fn is_probe(&self) -> bool {
        self.admission.kind == AdmissionKind::Probe
    }

    /// Reports whether no freeze or thaw of the provider has happened since.
    pub(super) fn is_current(&self) -> bool {
        self.seat.state().health.is_current(self.admission)
    }

    /// Records that the provider starts to answer with this model, so both are available.
    pub(super) fn opened(&mut self, chosen: Option<&ModelName>) {
        let mut state = self.seat.state();
        if let Some(model) = self.seat.model(chosen).filter(|_| !state.missing.is_empty()) {
            state.missing.remove(model);
        }
        let thawed = state.health.opened(&mut self.admission);
        drop(state);
        if thawed {
            tracing::info!(provider = %self.seat.id, "provider works again");
        }
    }

    /// Records a complete answer.
    pub(super) fn succeeded(&mut self) {
        self.is_settled = true;
        if self.seat.state().health.succeeded(self.admission) {
            tracing::info!(provider = %self.seat.id, "provider works again");
        }
    }

    /// Records a failure of the provider with this model. Freezes the provider or the model if it is the cause.
    pub(super) fn failed(&mut self, chosen: Option<&ModelName>, error: &ProviderError, now: Timestamp) {
        let mut state = self.seat.state();
        match Blame::for_kind(error.kind) {
            Blame::Request if error.status.is_some() && !error.is_missing_endpoint() => {
                state.health.rejected(self.admission)
            }
            Blame::Answer => state.health.rejected(self.admission),
            Blame::Request => state.health.abandoned(self.admission),
            Blame::Model(length) => {
                state.health.rejected(self.admission);
                state.missing.retain(|_, until| now < *until);
                if let Some(model) = self.seat.model(chosen).filter(|_| state.missing.len() < MAX_MODELS) {
                    state.missing.insert(model.clone(), now.plus(length));
                }
            }
            Blame::Provider(term) => {
                if let Some(freeze) = state.health.failed(self.admission, now, term, error) {
                    let until = freeze.until.map_or_else(|| "thawed".to_owned(), |until| until.to_string());
                    let (why, failures) = (error.kind.code(), freeze.failures);
                    let provider = &self.seat.id;
                    tracing::warn!(%provider, reason = why, status = error.status, failures, until, "provider frozen");
                }
            }
        }
        self.is_settled = true;
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        if !self.is_settled {
            self.seat.state().health.abandoned(self.admission);
        }
    }
}
