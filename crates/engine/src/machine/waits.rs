//! Calls that wait to be resolved, and the effects of their resolutions.

use turnkit_core::{
    CallUid, ChildTurn, DecidedWait, Denial, KnownOutcome, Recorded, Reply, Resolution, ToolAnswer, ToolErrorKind,
    ToolQuestion, TurnStatus, WaitId, WaitKind,
};

use super::binding::Binding;
use super::state::{Approval, Call, CallStatus, PendingToolRequest, refused};
use super::{Effects, FinishedCall, NO_APPROVER, State, ToolRequest, TurnMachine, pick};

/// How often one call may wait.
const MAX_WAITS: u16 = 100;

/// How many sub-agents of one turn may run at once.
const MAX_CHILDREN: usize = 3;

/// The result that the model reads for a call that a process was running when it died.
const OUTCOME_UNKNOWN: &str = "its outcome is unknown: the server stopped while it ran; it may have taken effect. \
                               Do not repeat it without asking the user";
const NEVER_RAN: &str = "cancelled before it ran";
const UNANSWERED: &str = "cancelled while it waited for an answer";
const WITHOUT_CHILD: &str = "cancelled while its sub-agent ran";
const MAY_HAVE_RUN: &str = "cancelled while it ran; it may have taken effect";

impl TurnMachine {
    /// Returns the pending waits, in the order of calls.
    pub fn waiting(&self) -> Vec<(WaitId, WaitKind)> {
        let State::Tools { calls } = &self.state else { return Vec::new() };
        let waiting = calls.iter().filter_map(|call| match call.status {
            CallStatus::Waiting(kind) => Some((call.wait(), kind)),
            _ => None,
        });
        waiting.collect()
    }

    /// Reports whether any call of the turn has ever waited for a decision.
    pub(crate) fn has_waited(&self) -> bool {
        self.has_waited
    }

    /// Returns a person's approval of a call of the running round.
    pub(crate) fn approval(&self, uid: CallUid) -> Option<&Approval> {
        self.call(uid)?.approval.as_deref()
    }

    /// Returns the question that the tool of a call of the running round asks.
    pub(crate) fn question(&self, uid: CallUid) -> Option<&ToolQuestion> {
        match &self.call(uid)?.asked.as_ref()?.request {
            ToolRequest::Question(question) => Some(question),
            ToolRequest::Turn(_) => None,
        }
    }

    /// Returns the sub-agent's turn that a call of the running round waits for.
    pub(crate) fn child_turn(&self, uid: CallUid) -> Option<&ChildTurn> {
        match &self.call(uid)?.asked.as_ref()?.request {
            ToolRequest::Turn(turn) => Some(turn),
            ToolRequest::Question(_) => None,
        }
    }

    /// Returns what a call of the running round receives when it runs again, because its tool made a request.
    pub(crate) fn answer(&self, uid: CallUid) -> Option<ToolAnswer> {
        let PendingToolRequest { request, reply } = self.call(uid)?.asked.as_deref()?;
        Some(ToolAnswer { reply: reply.clone()?, state: request.state().cloned() })
    }

    /// Returns how often a call of the running round has waited.
    pub(crate) fn times_waited(&self, uid: CallUid) -> u16 {
        self.call(uid).map_or(0, |call| call.waits)
    }

    fn call(&self, uid: CallUid) -> Option<&Call> {
        let State::Tools { calls } = &self.state else { return None };
        calls.iter().find(|call| call.uid == uid)
    }

    pub(super) fn undecided(&self) -> Vec<CallUid> {
        match &self.state {
            State::Tools { calls } => pick(calls, |status| matches!(status, CallStatus::Waiting(_))),
            _ => Vec::new(),
        }
    }

    /// Reports whether every call of the running round is done or waits for a decision.
    pub(super) fn waits(&self) -> bool {
        let State::Tools { calls } = &self.state else { return false };
        calls.iter().all(|call| matches!(call.status, CallStatus::Waiting(_) | CallStatus::Done))
    }

    /// Requests resolutions of the calls that need approval, and results of the calls that the client runs.
    pub(super) fn request_decisions(&mut self, effects: &mut Effects) {
        let State::Tools { calls } = &mut self.state else { return };
        for call in calls {
            if let CallStatus::Waiting(kind) = call.status {
                call.request(kind, effects);
            }
        }
        self.has_waited |= !effects.waits.is_empty();
    }

    /// Asks the questions of tools whose calls have run, and starts the sub-agents that they need.
    pub(super) fn ask_questions(&mut self, finished: &[FinishedCall], effects: &mut Effects) {
        let State::Tools { calls } = &mut self.state else { return };
        let is_child = |call: &&Call| matches!(call.status, CallStatus::Waiting(WaitKind::Child));
        let mut children = calls.iter().filter(is_child).count();
        for done in finished {
            let Some(request) = &done.request else { continue };
            let has_asked =
                |call: &&mut Call| call.uid == done.result.uid && matches!(call.status, CallStatus::Started);
            let Some(call) = calls.iter_mut().find(has_asked) else { continue };
            if call.waits >= MAX_WAITS {
                call.status = refused(ToolErrorKind::Failed, "the tool asked too many questions");
                continue;
            }
            if request.kind() == WaitKind::Child {
                children += 1;
                if children > MAX_CHILDREN {
                    let why =
                        format!("{MAX_CHILDREN} sub-agents of this turn run already; call again when one is done");
                    call.status = refused(ToolErrorKind::Failed, &why);
                    continue;
                }
            }
            call.asked = Some(Box::new(PendingToolRequest { request: request.clone(), reply: None }));
            call.request(request.kind(), effects);
        }
        self.has_waited |= !effects.waits.is_empty();
    }

    /// Handles calls that were running when an owner died: a call that must not run twice has an unknown outcome. If
    /// `can_ask` is true, a person is asked for the outcome. Otherwise, the model reads that it is unknown.
    pub(super) fn forget_unsafe_starts(&mut self, can_ask: bool, effects: &mut Effects) {
        let State::Tools { calls } = &mut self.state else { return };
        for call in calls.iter_mut().filter(|call| call.has_unsafe_start()) {
            if can_ask {
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

    /// Applies resolutions of calls. The calls run, or their refusals are written, before the turn waits again. A
    /// resolution that no call waits for changes nothing.
    pub(super) fn resolved(&mut self, decisions: &[DecidedWait], effects: &mut Effects) {
        let State::Tools { calls } = &mut self.state else { return };
        for call in calls {
            let CallStatus::Waiting(kind) = call.status else { continue };
            let id = call.wait();
            let Some(decision) = decisions.iter().find(|decision| decision.id == id) else { continue };
            if let Resolution::Child(report) = &decision.resolution {
                self.children_usage.add(&report.usage());
            }
            let resolution = Box::new(decision.resolution.clone());
            effects.log.push(Recorded::InteractionResolved { id, resolution });
            call.resolve(kind, decision, effects);
            effects.commit = true;
        }
    }

    /// Denies pending waits when the turn stops, and cancels calls that have not begun or not finished.
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
                    match kind {
                        WaitKind::Outcome | WaitKind::ClientTool => MAY_HAVE_RUN,
                        WaitKind::Approval => NEVER_RAN,
                        WaitKind::Question => UNANSWERED,
                        WaitKind::Child => WITHOUT_CHILD,
                    }
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
    /// Returns the id of the wait of the call.
    fn wait(&self) -> WaitId {
        WaitId { call: self.uid, number: self.waits.saturating_sub(1) }
    }

    fn request(&mut self, kind: WaitKind, effects: &mut Effects) {
        self.waits = self.waits.saturating_add(1);
        self.status = CallStatus::Waiting(kind);
        effects.waits.push((self.wait(), kind));
    }

    fn resolve(&mut self, kind: WaitKind, decision: &DecidedWait, effects: &mut Effects) {
        self.status = match kind {
            WaitKind::Approval => self.approved(decision, effects),
            WaitKind::Outcome => self.outcome(decision),
            WaitKind::Question | WaitKind::Child => self.answered(&decision.resolution),
            WaitKind::ClientTool => returned(&decision.resolution),
        };
    }

    fn approved(&mut self, decision: &DecidedWait, effects: &mut Effects) -> CallStatus {
        match &decision.resolution {
            Resolution::Approved { arguments, note, .. } => {
                let binding = Some(Binding(decision.binding));
                self.approval = Some(Box::new(Approval { binding, arguments: arguments.clone(), note: note.clone() }));
                self.start(effects);
                CallStatus::Started
            }
            Resolution::Denied { by, note } => denied(*by, note.as_deref()),
            // The store accepts no resolution that does not fit the wait, so nothing runs because of one.
            _ => refused(ToolErrorKind::Denied, "it was not approved"),
        }
    }

    fn outcome(&mut self, decision: &DecidedWait) -> CallStatus {
        match &decision.resolution {
            Resolution::Outcome { outcome: KnownOutcome::Retry, note } => {
                // The call runs again only in the form that the person was asked about, whether it needed approval
                // before or not.
                let approval = self.approval.get_or_insert_default();
                approval.binding.get_or_insert(Binding(decision.binding));
                if note.is_some() {
                    approval.note.clone_from(note);
                }
                CallStatus::Started
            }
            Resolution::Outcome { outcome: KnownOutcome::Done, note } => {
                let what = "the server stopped while this ran, and the user says that it took effect";
                CallStatus::TookEffect { content: with_note(what, note.as_deref()) }
            }
            Resolution::Outcome { outcome: KnownOutcome::Failed, note } => {
                let why = "the server stopped while it ran, and the user says that it had no effect";
                refused(ToolErrorKind::Failed, &with_note(why, note.as_deref()))
            }
            Resolution::Denied { note, .. } => {
                refused(ToolErrorKind::OutcomeUnknown, &with_note(OUTCOME_UNKNOWN, note.as_deref()))
            }
            _ => refused(ToolErrorKind::OutcomeUnknown, OUTCOME_UNKNOWN),
        }
    }

    /// Runs the call again with the reply to its question, or with the report of its sub-agent.
    fn answered(&mut self, resolution: &Resolution) -> CallStatus {
        let reply = match resolution {
            Resolution::Answered { answer } => Reply::Answered(answer.clone()),
            Resolution::Denied { by: Denial::Expired, .. } => Reply::TimedOut,
            Resolution::Denied { by: Denial::Person, note } => Reply::Declined { note: note.clone() },
            Resolution::Child(report) => Reply::Ended(report.clone()),
            _ => return refused(ToolErrorKind::Cancelled, self.unanswered()),
        };
        if let Some(asked) = &mut self.asked {
            asked.reply = Some(reply);
        }
        CallStatus::Started
    }

    /// Returns why the call has no result if its request gets no reply.
    fn unanswered(&self) -> &'static str {
        match self.asked.as_ref().map(|asked| &asked.request) {
            Some(ToolRequest::Turn(_)) => WITHOUT_CHILD,
            _ => UNANSWERED,
        }
    }

    /// Logs the end of a wait that ended with its turn. A call whose wait was not requested yet has none.
    fn give_up_waiting(&self, status: TurnStatus, effects: &mut Effects) {
        if self.waits == 0 {
            return;
        }
        let resolution = Box::new(Resolution::Denied { by: Denial::of_end(status), note: None });
        effects.log.push(Recorded::InteractionResolved { id: self.wait(), resolution });
    }
}

/// Returns the status of a call for which the client's result, or a denial, has arrived.
fn returned(resolution: &Resolution) -> CallStatus {
    match resolution {
        Resolution::Returned { ok, content, shortened } => {
            CallStatus::Returned { ok: *ok, content: content.clone(), shortened: *shortened }
        }
        Resolution::Denied { by: Denial::Person, note } => {
            refused(ToolErrorKind::Denied, &with_note("the client did not run it", note.as_deref()))
        }
        Resolution::Denied { by: Denial::Expired, .. } => {
            refused(ToolErrorKind::TimedOut, "the client did not report a result in time; it may have taken effect")
        }
        _ => refused(ToolErrorKind::Cancelled, MAY_HAVE_RUN),
    }
}

fn denied(by: Denial, note: Option<&str>) -> CallStatus {
    let why = match by {
        Denial::Person => "the user denied it",
        Denial::Expired => "no person approved it in time",
        Denial::Superseded | Denial::Cancelled => NEVER_RAN,
        Denial::Headless => NO_APPROVER,
    };
    refused(ToolErrorKind::Denied, &with_note(why, note))
}

/// Appends the user's note to the sentence.
fn with_note(why: &str, note: Option<&str>) -> String {
    note.map_or_else(|| why.to_owned(), |note| format!("{why}. The user says: {note}"))
}
