//! Whether a provider may be asked: open, frozen, or tried by a single request.

use turnkit_core::{ProviderError, Timestamp};

use super::freeze::Term;

/// What is known of a provider. Nothing here reads a clock.
#[derive(Debug, Default)]
pub(super) struct Health {
    frozen: Option<Freeze>,
    /// Freezes in a row, without a success between them.
    failures: u32,
    /// How often it was frozen or thawed: what began before says nothing about now.
    era: u32,
    /// Whether a single request finds out if a freeze that is over was the last.
    probing: bool,
}

/// Why a provider is left alone, and until when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Freeze {
    pub(super) since: Timestamp,
    /// `None`: until somebody thaws it.
    pub(super) until: Option<Timestamp>,
    /// What it failed with.
    pub(super) error: ProviderError,
    /// Freezes in a row, this one included.
    pub(super) failures: u32,
}

/// The right to ask a provider once, to be given back with what came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Admission {
    era: u32,
    pub(super) kind: AdmissionKind,
}

/// How somebody came to ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AdmissionKind {
    /// The provider is open.
    Ordinary,
    /// Its freeze is over: this request finds out whether it works again.
    Probe,
    /// It is frozen, and was asked for by name.
    Insisting,
}

impl Health {
    /// Lets a request in. Who `insists` on this provider always gets in.
    pub(super) fn admit(&mut self, now: Timestamp, insists: bool) -> Option<Admission> {
        let kind = match &self.frozen {
            None => AdmissionKind::Ordinary,
            Some(freeze) if !self.probing && freeze.until.is_some_and(|until| until <= now) => {
                self.probing = true;
                AdmissionKind::Probe
            }
            Some(_) if insists => AdmissionKind::Insisting,
            Some(_) => return None,
        };
        Some(Admission { era: self.era, kind })
    }

    /// The provider begins to answer. Gives whether that thawed it. What it failed with before counts until an answer
    /// comes to its end: one whose answers all break off is left alone for longer and longer.
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

    /// The provider answered. Gives whether that thawed it.
    pub(super) fn succeeded(&mut self, admission: Admission) -> bool {
        // What began before a freeze does not end it: a provider that limits rates still finishes what it began.
        if admission.era != self.era {
            return false;
        }
        self.failures = 0;
        self.probing = false;
        let thawed = self.frozen.take().is_some();
        self.era = self.era.wrapping_add(u32::from(thawed));
        thawed
    }

    /// The provider refused or got something wrong: it is there. That tells a probe enough, and nobody who insisted: any
    /// wrong request could then end a freeze for everyone.
    pub(super) fn spoke(&mut self, admission: Admission) {
        if admission.kind == AdmissionKind::Insisting {
            self.gave_up(admission);
        } else {
            self.succeeded(admission);
        }
    }

    /// The provider failed. Gives its freeze if this began one: of many requests that fail together, only the first
    /// does.
    pub(super) fn failed(
        &mut self,
        admission: Admission,
        now: Timestamp,
        term: Term,
        error: &ProviderError,
    ) -> Option<&Freeze> {
        if admission.era != self.era || admission.kind == AdmissionKind::Insisting {
            return None;
        }
        self.failures = self.failures.saturating_add(1);
        self.era = self.era.wrapping_add(1);
        self.probing = false;
        let length = term.after(self.failures, error.retry_after);
        let until = length.map(|length| now.plus(length));
        Some(self.frozen.insert(Freeze { since: now, until, error: error.clone(), failures: self.failures }))
    }

    /// Nothing came of a request that was let in. If it was the probe, the next one is.
    pub(super) fn gave_up(&mut self, admission: Admission) {
        if admission.era == self.era && admission.kind == AdmissionKind::Probe {
            self.probing = false;
        }
    }

    /// Forgets every failure. Gives whether it was frozen.
    pub(super) fn thaw(&mut self) -> bool {
        let frozen = self.frozen.is_some();
        *self = Self { era: self.era.wrapping_add(1), ..Self::default() };
        frozen
    }

    /// Why the provider is left alone, if it is.
    pub(super) fn frozen(&self) -> Option<&Freeze> {
        self.frozen.as_ref()
    }

    /// Whether what was let in then was let in before nothing has changed since.
    pub(super) fn is_current(&self, admission: Admission) -> bool {
        admission.era == self.era
    }
}
