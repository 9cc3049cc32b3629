//! The person who decides waits, one at a time, and repeats a decision that was not acknowledged.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use turnkit_core::{CallUid, KnownOutcome, Resolution, WaitId, WaitKind};

use crate::Ledger;
use crate::kill::host_tool::{ANSWER, DENIED, SHOWN};
use crate::kill::protocol::{Command, TurnWait};

/// A person who first reads the list of pending waits after the host has started, and only then decides.
#[derive(Debug, Default)]
pub(super) struct Person {
    /// The record of effects, to look up what an interrupted call did.
    world: Option<Ledger>,
    /// All decisions made, acknowledged or not.
    pub(super) decisions: BTreeMap<WaitId, SentDecision>,
    /// The first list of each life that had one.
    pub(super) listed: BTreeMap<usize, BTreeSet<WaitId>>,
    has_list: bool,
    /// Waits still to be decided, or to be decided again.
    queue: VecDeque<WaitId>,
    /// The wait whose decision was sent and is not acknowledged yet.
    deciding: Option<WaitId>,
}

/// A decision that was sent once or several times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SentDecision {
    pub(super) resolution: Resolution,
    /// The life in which the decision was acknowledged.
    pub(super) acknowledged_in: Option<usize>,
}

impl Person {
    pub(super) fn new(world: Ledger) -> Self {
        Self { world: Some(world), ..Self::default() }
    }

    /// Starts a new life of the host. Unacknowledged decisions are queued again, unchanged.
    pub(super) fn begin(&mut self) {
        (self.has_list, self.deciding) = (false, None);
        let open = self.decisions.iter().filter(|(_, sent)| sent.acknowledged_in.is_none());
        self.queue = open.map(|(wait, _)| *wait).collect();
    }

    /// Reads a list of pending waits.
    pub(super) fn read(&mut self, life: usize, waits: &[TurnWait]) -> Option<Command> {
        self.has_list = true;
        self.listed.entry(life).or_insert_with(|| waits.iter().map(|wait| wait.id).collect());
        waits.iter().for_each(|wait| self.consider(*wait));
        // A wait that is listed again although its decision was acknowledged is decided again, so that its turn can
        // end.
        let forgotten = |wait: &WaitId| self.decisions.get(wait).is_some_and(|sent| sent.acknowledged_in.is_some());
        let forgotten: Vec<WaitId> = waits.iter().map(|wait| wait.id).filter(forgotten).collect();
        self.queue.extend(forgotten);
        self.next()
    }

    /// Handles a new wait.
    pub(super) fn handle_wait(&mut self, wait: TurnWait) -> Option<Command> {
        self.consider(wait);
        self.next()
    }

    /// Handles the acknowledgement of a decision.
    pub(super) fn acknowledged(&mut self, life: usize, wait: WaitId) -> Option<Command> {
        if let Some(sent) = self.decisions.get_mut(&wait) {
            sent.acknowledged_in.get_or_insert(life);
        }
        self.deciding.take_if(|deciding| *deciding == wait);
        self.next()
    }

    /// Returns `true` if nothing is left to decide.
    pub(super) fn is_done(&self) -> bool {
        self.queue.is_empty() && self.deciding.is_none()
    }

    /// Returns `true` if the person denied the call.
    pub(super) fn denied(&self, call: CallUid) -> bool {
        let denied = |sent: &SentDecision| matches!(sent.resolution, Resolution::Denied { .. });
        self.decisions.iter().any(|(wait, sent)| wait.call == call && denied(sent))
    }

    /// Returns `true` if the person confirmed that the interrupted call took effect.
    pub(super) fn knows_effect(&self, call: CallUid) -> bool {
        let done =
            |sent: &SentDecision| matches!(sent.resolution, Resolution::Outcome { outcome: KnownOutcome::Done, .. });
        self.decisions.iter().any(|(wait, sent)| wait.call == call && done(sent))
    }

    fn consider(&mut self, wait: TurnWait) {
        let TurnWait { id: wait, kind, .. } = wait;
        if self.decisions.contains_key(&wait) {
            return;
        }
        let Some(resolution) = self.decide(wait.call, kind) else { return };
        self.decisions.insert(wait, SentDecision { resolution, acknowledged_in: None });
        self.queue.push_back(wait);
    }

    fn decide(&self, call: CallUid, kind: WaitKind) -> Option<Resolution> {
        match kind {
            WaitKind::Approval if usize::from(call.ordinal) == DENIED => Some(Resolution::denied(None)),
            WaitKind::Approval => Some(Resolution::APPROVED),
            WaitKind::Outcome => {
                let effects = self.world.as_ref().and_then(|world| world.counts().ok()).unwrap_or_default();
                let outcome = if effects.contains_key(&call) { KnownOutcome::Done } else { KnownOutcome::Retry };
                Some(Resolution::Outcome { outcome, note: None })
            }
            WaitKind::Question => Some(Resolution::Answered { answer: ANSWER.into() }),
            WaitKind::ClientTool => Some(Resolution::returned(true, SHOWN)),
            WaitKind::Child => None,
        }
    }

    fn next(&mut self) -> Option<Command> {
        if !self.has_list || self.deciding.is_some() {
            return None;
        }
        let wait = self.queue.pop_front()?;
        self.deciding = Some(wait);
        Some(Command::Decide { wait, resolution: self.decisions.get(&wait)?.resolution.clone() })
    }
}

#[cfg(test)]
mod tests {
    use turnkit_core::TurnId;

    use super::*;

    const WAIT: WaitId = WaitId { call: CallUid { turn: TurnId(uuid::Uuid::nil()), step: 1, ordinal: 0 }, number: 0 };
    const LISTED: TurnWait = TurnWait { id: WAIT, kind: WaitKind::Approval, child: None };

    fn approval() -> Option<Command> {
        Some(Command::Decide { wait: WAIT, resolution: Resolution::APPROVED })
    }

    #[test]
    fn nothing_is_decided_before_the_list_was_read() {
        let mut person = Person::default();
        person.begin();
        assert_eq!(person.handle_wait(LISTED), None);
        assert_eq!(person.read(0, &[]), approval());
        assert_eq!(person.acknowledged(0, WAIT), None);
        assert!(person.is_done());
    }

    #[test]
    fn a_decision_is_sent_again_after_a_restart_until_it_was_answered() {
        let mut person = Person::default();
        person.begin();
        assert_eq!(person.read(0, &[LISTED]), approval());
        person.begin();
        assert_eq!(person.read(1, &[]), approval());
        person.acknowledged(1, WAIT);
        person.begin();
        assert_eq!(person.read(2, &[]), None);
        assert_eq!(person.decisions[&WAIT].acknowledged_in, Some(1));
    }
}
