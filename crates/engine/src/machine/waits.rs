//! Calls that wait for a decision, and what follows from it.

use turnkit_core::{
    CallUid, Decision, Denial, KnownOutcome, Recorded, Resolution, ToolErrorKind, TurnStatus, WaitId, WaitKind,
};

use super::binding::Binding;
use super::state::{Approval, Call, CallStatus, refused};
use super::{Effects, State, TurnMachine, pick};

/// Why a call that needs approval is denied in a session without a person to approve it.
pub(crate) const NO_APPROVER: &str = "it needs approval and nobody can be asked in this conversation";

/// The model reads this about a call that a process was running when it died.
const OUTCOME_UNKNOWN: &str = "its outcome is unknown: the server stopped while it ran; it may have taken effect. \
                               Do not repeat it without asking the user";
const NEVER_RAN: &str = "cancelled before it ran";
const MAY_HAVE_RUN: &str = "cancelled while it ran; it may have taken effect";

impl TurnMachine {
    /// The waits that are to be decided, in the order of calls.
    pub fn waiting(&self) -> Vec<(WaitId, WaitKind)> {
        let State::Tools { calls } = &self.state else { return Vec::new() };
        let waiting = calls.iter().filter_map(|call| match call.status {
            CallStatus::Waiting(kind) => Some((call.wait(), kind)),
            _ => None,
        });
        waiting.collect()
    }

    /// Whether a call of the turn was ever to be decided.
    pub(crate) fn has_waited(&self) -> bool {
        self.has_waited
    }

    /// What a person approved of a call of the running round, and said to it.
    pub(crate) fn approval(&self, uid: CallUid) -> Option<&Approval> {
        let State::Tools { calls } = &self.state else { return None };
        calls.iter().find(|call| call.uid == uid)?.approval.as_deref()
    }

    pub(super) fn undecided(&self) -> Vec<CallUid> {
        match &self.state {
            State::Tools { calls } => pick(calls, |status| matches!(status, CallStatus::Waiting(_))),
            _ => Vec::new(),
        }
    }

    /// Whether all that is left of the running round is to be decided.
    pub(super) fn waits(&self) -> bool {
        let State::Tools { calls } = &self.state else { return false };
        calls.iter().all(|call| matches!(call.status, CallStatus::Waiting(_) | CallStatus::Done))
    }

    /// Asks for the decisions of the calls that need approval.
    pub(super) fn request_approvals(&mut self, effects: &mut Effects) {
        let State::Tools { calls } = &mut self.state else { return };
        for call in calls.iter_mut().filter(|call| matches!(call.status, CallStatus::Waiting(_))) {
            call.request(WaitKind::Approval, effects);
        }
        self.has_waited |= !effects.waits.is_empty();
    }

    /// After the death of an owner: a call that must not run twice has an unknown outcome. A person is asked for it, if
    /// `asks`; else the model is told.
    pub(super) fn forget_unsafe_starts(&mut self, asks: bool, effects: &mut Effects) {
        let State::Tools { calls } = &mut self.state else { return };
        for call in calls.iter_mut().filter(|call| call.has_unsafe_start()) {
            if asks {
                call.request(WaitKind::Outcome, effects);
            } else {
                call.status = refused(ToolErrorKind::OutcomeUnknown, OUTCOME_UNKNOWN);
            }
        }
        if !effects.waits.is_empty() {
            (self.has_waited, effects.commit) = (true, true);
            effects.waiting = self.waits();
        }
    }

    /// Calls were decided. They run, or their refusals are written, before the turn waits again. A decision of a call that
    /// does not wait for it changes nothing.
    pub(super) fn resolved(&mut self, decisions: &[Decision], effects: &mut Effects) {
        let State::Tools { calls } = &mut self.state else { return };
        for call in calls {
            let CallStatus::Waiting(kind) = call.status else { continue };
            let id = call.wait();
            let Some(decision) = decisions.iter().find(|decision| decision.id == id) else { continue };
            let resolution = Box::new(decision.resolution.clone());
            effects.log.push(Recorded::InteractionResolved { id, resolution });
            call.resolve(kind, decision, effects);
            effects.commit = true;
        }
    }

    /// Denies what is not decided when the turn stops, and cancels what has not begun or is not over.
    pub(super) fn refuse_open_calls(
        &mut self,
        is_over: impl Fn(CallUid) -> bool,
        status: TurnStatus,
        effects: &mut Effects,
    ) {
        let State::Tools { calls } = &mut self.state else { return };
        for call in calls.iter_mut().filter(|call| !is_over(call.uid)) {
            let why = match call.status {
                CallStatus::Waiting(kind) => {
                    call.give_up_waiting(status, effects);
                    if kind == WaitKind::Outcome { MAY_HAVE_RUN } else { NEVER_RAN }
                }
                CallStatus::Started if call.receipt => MAY_HAVE_RUN,
                CallStatus::Started => NEVER_RAN,
                _ => continue,
            };
            call.status = refused(ToolErrorKind::Cancelled, why);
        }
    }
}

impl Call {
    /// The decision it waits for.
    fn wait(&self) -> WaitId {
        WaitId { call: self.uid, number: self.waits.saturating_sub(1) }
    }

    fn request(&mut self, kind: WaitKind, effects: &mut Effects) {
        self.waits = self.waits.saturating_add(1);
        self.status = CallStatus::Waiting(kind);
        effects.waits.push((self.wait(), kind));
    }

    fn resolve(&mut self, kind: WaitKind, decision: &Decision, effects: &mut Effects) {
        self.status = match (kind, &decision.resolution) {
            (WaitKind::Approval, Resolution::Approved { arguments, note }) => {
                let binding = Some(Binding(decision.binding));
                self.approval = Some(Box::new(Approval { binding, arguments: arguments.clone(), note: note.clone() }));
                self.start(effects);
                CallStatus::Started
            }
            (WaitKind::Approval, Resolution::Denied { by, note }) => denied(*by, note.as_deref()),
            (WaitKind::Outcome, Resolution::Outcome { outcome: KnownOutcome::Retry, note }) => {
                // It runs again only as what the person was asked about, whether it needed approval before or not.
                let approval = self.approval.get_or_insert_default();
                approval.binding.get_or_insert(Binding(decision.binding));
                if note.is_some() {
                    approval.note.clone_from(note);
                }
                CallStatus::Started
            }
            (WaitKind::Outcome, Resolution::Outcome { outcome: KnownOutcome::Done, note }) => {
                let what = "the server stopped while this ran, and the user says that it took effect";
                CallStatus::TookEffect { content: with_note(what, note.as_deref()) }
            }
            (WaitKind::Outcome, Resolution::Outcome { outcome: KnownOutcome::Failed, note }) => {
                let why = "the server stopped while it ran, and the user says that it took no effect";
                refused(ToolErrorKind::Failed, &with_note(why, note.as_deref()))
            }
            (WaitKind::Outcome, Resolution::Denied { note, .. }) => {
                refused(ToolErrorKind::OutcomeUnknown, &with_note(OUTCOME_UNKNOWN, note.as_deref()))
            }
            // The store lets no decision of another kind through: nothing runs because of one.
            (WaitKind::Approval, Resolution::Outcome { .. }) => refused(ToolErrorKind::Denied, "it was not approved"),
            (WaitKind::Outcome, Resolution::Approved { .. }) => refused(ToolErrorKind::OutcomeUnknown, OUTCOME_UNKNOWN),
        };
    }

    /// Reports the end of a wait that ended with its turn. A call that nobody was asked about yet had none.
    fn give_up_waiting(&self, status: TurnStatus, effects: &mut Effects) {
        if self.waits == 0 {
            return;
        }
        let resolution = Box::new(Resolution::Denied { by: Denial::of_end(status), note: None });
        effects.log.push(Recorded::InteractionResolved { id: self.wait(), resolution });
    }
}

fn denied(by: Denial, note: Option<&str>) -> CallStatus {
    let why = match by {
        Denial::Person => "the user denied it",
        Denial::Expired => "nobody approved it in time",
        Denial::Superseded | Denial::Cancelled => NEVER_RAN,
        Denial::Headless => NO_APPROVER,
    };
    refused(ToolErrorKind::Denied, &with_note(why, note))
}

/// The sentence with what the user says to it.
fn with_note(why: &str, note: Option<&str>) -> String {
    note.map_or_else(|| why.to_owned(), |note| format!("{why}. The user says: {note}"))
}
