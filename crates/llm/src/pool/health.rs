//! Health of a provider: open, frozen, or probed by a single request.

use turnkit_core::{ProviderError, Timestamp};

use super::freeze::Term;

/// The failures and the freeze of a provider. Reads no clock.
#[derive(Debug, Default)]
pub(super) struct Health {
    frozen: Option<Freeze>,
    /// Number of freezes in a row without a success between them.
    failures: u32,
    /// Number of freezes and thaws. The outcome of a request admitted in an earlier era is ignored.
    era: u32,
    /// Set while a single request probes the provider after the end of a freeze.
    probing: bool,
}

/// The reason for a freeze, and when it ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Freeze {
    pub(super) since: Timestamp,
    /// `None` until an operator thaws it.
    pub(super) until: Option<Timestamp>,
    /// The error that caused the freeze.
    pub(super) error: ProviderError,
    /// Number of freezes in a row, including this one.
    pub(super) failures: u32,
}

/// Permission to send one request to a provider. It is returned with the outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Admission {
    era: u32,
    pub(super) kind: AdmissionKind,
}

/// How a request was admitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AdmissionKind {
    /// The provider is open.
    Ordinary,
    /// The freeze has ended: this request probes whether the provider works again.
    Probe,
    /// The provider is frozen, but was requested by name.
    Forced,
}

impl Health {
    /// Admits a request. A request that bypasses a freeze is always admitted.
    pub(super) fn admit(&mut self, now: Timestamp, bypasses_freeze: bool) -> Option<Admission> {
        let kind = match &self.frozen {
            None => AdmissionKind::Ordinary,
            Some(freeze) if !self.probing && freeze.until.is_some_and(|until| until <= now) => {
                self.probing = true;
                AdmissionKind::Probe
            }
            Some(_) if bypasses_freeze => AdmissionKind::Forced,
            Some(_) => return None,
        };
        Some(Admission { era: self.era, kind })
    }

    /// Records that the provider starts to answer. Returns `true` if this thawed it. Earlier failures count until an
    /// answer completes, so a provider whose answers all break off is frozen longer each time.
    pub(super) fn opened(&mut self, admission: &mut Admission) -> bool {
        if admission.era != self.era {
            return false;
        }
        self.probing = false;
        let thawed = self.frozen.take().is_some();
        self.era = self.era.wrapping_add(u32::from(thawed));
        *admission = Admission { era: self.era, kind: AdmissionKind::Ordinary };
        thawed
    }

    /// Records a complete answer. Returns `true` if this thawed the provider.
    pub(super) fn succeeded(&mut self, admission: Admission) -> bool {
        // A request admitted before a freeze does not end it: a provider with a rate limit still completes earlier
        // requests.
        if admission.era != self.era {
            return false;
        }
        self.failures = 0;
        self.probing = false;
        let thawed = self.frozen.take().is_some();
        self.era = self.era.wrapping_add(u32::from(thawed));
        thawed
    }

    /// Records that the provider rejected a request or made a mistake, so it is reachable. That is enough for a probe,
    /// but not for an insisting request: otherwise any invalid request could end a freeze for all callers.
    pub(super) fn rejected(&mut self, admission: Admission) {
        if admission.kind == AdmissionKind::Forced {
            self.abandoned(admission);
        } else {
            self.succeeded(admission);
        }
    }

    /// Records a failure. Returns the freeze if this failure began one. Of many requests that fail together, only the
    /// first does.
    pub(super) fn failed(
        &mut self,
        admission: Admission,
        now: Timestamp,
        term: Term,
        error: &ProviderError,
    ) -> Option<&Freeze> {
        if admission.era != self.era || admission.kind == AdmissionKind::Forced {
            return None;
        }
        self.failures = self.failures.saturating_add(1);
        self.era = self.era.wrapping_add(1);
        self.probing = false;
        let length = term.after(self.failures, error.retry_after);
        let until = length.map(|length| now.plus(length));
        Some(self.frozen.insert(Freeze { since: now, until, error: error.clone(), failures: self.failures }))
    }

    /// Records that an admitted request had no outcome. If it was the probe, the next request becomes the probe.
    pub(super) fn abandoned(&mut self, admission: Admission) {
        if admission.era == self.era && admission.kind == AdmissionKind::Probe {
            self.probing = false;
        }
    }

    /// Clears all failures. Returns `true` if the provider was frozen.
    pub(super) fn thaw(&mut self) -> bool {
        let frozen = self.frozen.is_some();
        *self = Self { era: self.era.wrapping_add(1), ..Self::default() };
        frozen
    }

    /// Returns the current freeze, if there is one.
    pub(super) fn frozen(&self) -> Option<&Freeze> {
        self.frozen.as_ref()
    }

    /// Reports whether no freeze or thaw has happened since `admission`.
    pub(super) fn is_current(&self, admission: Admission) -> bool {
        admission.era == self.era
    }
}
