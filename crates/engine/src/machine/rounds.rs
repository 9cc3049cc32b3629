//! The calls of one answer, from the request to the last result.

use turnkit_core::{
    CallRecord, CallState, CallUid, ErrorScope, Message, Part, Recorded, Role, Shortening, ToolErrorKind, ToolResult,
    TurnStatus, WaitKind,
};

use super::state::{Call, CallStatus, refused};
use super::{
    CallKind, Effects, FinishedCall, HEADLESS, NO_APPROVER, OnLimit, Plan, State, TurnMachine, Verdict, guard,
};

impl TurnMachine {
    /// Records the calls of an answer, each with its plan. A call without a plan is refused, because nothing was going
    /// to run it.
    pub(super) fn propose(&mut self, parts: &[Part], cut: &[CallUid], plans: &[Plan]) {
        let mut calls = Vec::new();
        for part in parts {
            let Part::ToolCall(call) = part else { continue };
            let plan = plans.iter().find(|plan| plan.uid == call.uid);
            let kind = plan.map_or(CallKind::Once, |plan| plan.kind);
            let fingerprint = guard::fingerprint(call);
            self.calls_made += 1;
            let status = if cut.contains(&call.uid) {
                refused(
                    ToolErrorKind::Incomplete,
                    "the call was cut off before its arguments were complete; it did not run",
                )
            } else if self.closing || self.calls_made > self.limits.max_calls {
                refused(ToolErrorKind::TooManyCalls, "this turn has used up its tool calls; answer with what you have")
            } else if self.guard.refuses(fingerprint) {
                refused(ToolErrorKind::Repeated, guard::REFUSAL)
            } else {
                match plan.map(|plan| &plan.verdict) {
                    Some(Verdict::Run) => CallStatus::Started,
                    Some(Verdict::Ask) => CallStatus::Waiting(WaitKind::Approval),
                    Some(Verdict::Client) => CallStatus::Waiting(WaitKind::ClientTool),
                    Some(Verdict::Unapproved) => refused(ToolErrorKind::Denied, NO_APPROVER),
                    Some(Verdict::Headless) => refused(ToolErrorKind::Denied, HEADLESS),
                    Some(Verdict::Refuse(kind, why)) => refused(*kind, why),
                    None => refused(ToolErrorKind::Cancelled, "cancelled before it ran"),
                }
            };
            let (uid, name) = (call.uid, call.name.clone());
            calls.push(Call {
                uid,
                name,
                kind,
                status,
                receipt: false,
                waits: 0,
                approval: None,
                asked: None,
                fingerprint,
            });
        }
        if !calls.is_empty() {
            self.state = State::Tools { calls };
        }
    }

    /// Starts the round. The start of a call must be durable first only if the call changes something.
    pub(super) fn start_round(&mut self, effects: &mut Effects) {
        let State::Tools { calls } = &mut self.state else { return };
        for call in calls.iter_mut().filter(|call| matches!(call.status, CallStatus::Started)) {
            call.start(effects);
        }
        self.request_decisions(effects);
        effects.commit = !effects.waits.is_empty() || !effects.receipts.is_empty();
        effects.waiting = self.waits();
    }

    /// Writes results and refusals in call order, then continues with the next step unless a call is still to be
    /// decided. A turn whose calls make no progress ends.
    pub(super) fn tools_finished(&mut self, finished: &[FinishedCall], effects: &mut Effects) {
        self.ask_questions(finished, effects);
        self.write_results(finished, effects);
        effects.commit = true;
        // A call that has just asked a question makes progress, and its question must not follow the end of the turn.
        if let Some(why) = self.guard.found_loop().filter(|_| effects.waits.is_empty()) {
            self.abandon_round(&[], TurnStatus::Limit, effects);
            effects.error(ErrorScope::Turn, guard::LOOP, why, false);
            return self.end(TurnStatus::Limit, effects);
        }
        let State::Tools { calls } = &self.state else { return };
        if calls.iter().any(|call| !matches!(call.status, CallStatus::Done)) {
            effects.waiting = self.waits();
            return;
        }
        self.continue_turn(effects);
    }

    /// Reports whether another step may follow this one.
    pub(super) fn may_continue(&self) -> bool {
        !self.closing && (self.step < self.limits.max_rounds || self.limits.on_limit == OnLimit::Answer)
    }

    /// Starts the next step, unless the rounds are used up.
    pub(super) fn continue_turn(&mut self, effects: &mut Effects) {
        if self.step < self.limits.max_rounds {
            self.next_step();
        } else if self.limits.on_limit == OnLimit::Answer {
            self.closing = true;
            self.next_step();
        } else {
            self.limit_reached(effects);
        }
    }

    /// Stops the turn within a round. Results of calls that ran are kept; the other calls get a `cancelled` result.
    pub(super) fn abandon_round(&mut self, finished: &[FinishedCall], status: TurnStatus, effects: &mut Effects) {
        let is_over = |uid| finished.iter().any(|done| done.result.uid == uid);
        self.refuse_open_calls(is_over, status, effects);
        self.write_results(finished, effects);
    }

    /// Reports whether any call of the running round is to run, now or after a decision.
    pub(super) fn has_runnable_calls(&self) -> bool {
        let State::Tools { calls } = &self.state else { return false };
        calls.iter().any(|call| matches!(call.status, CallStatus::Started | CallStatus::Waiting(_)))
    }

    fn next_step(&mut self) {
        self.state = State::Ready;
        self.step += 1;
        self.attempt = 1;
        self.redos = 0;
        self.overflowed = false;
    }

    fn write_results(&mut self, finished: &[FinishedCall], effects: &mut Effects) {
        let State::Tools { calls } = &mut self.state else { return };
        let mut results = Vec::new();
        for call in calls.iter_mut() {
            let (result, ms) = match (&call.status, finished.iter().find(|done| done.result.uid == call.uid)) {
                (CallStatus::Started, Some(done)) => {
                    effects.metadata.extend(done.metadata.clone());
                    (done.result.clone(), done.ms)
                }
                (CallStatus::Refused { kind, why }, _) => (refusal(call, *kind, why), 0),
                (CallStatus::TookEffect { content }, _) => (known_effect(call, content), 0),
                (CallStatus::Returned { ok, content, shortened }, _) => (of_client(call, *ok, content, *shortened), 0),
                _ => continue,
            };
            if call.receipt {
                effects.receipts.push(call.receipt(outcome(&result)));
            }
            if result.data.is_some() {
                effects.log.push(Recorded::Data { uid: call.uid });
            }
            effects.log.push(Recorded::ToolFinished { uid: call.uid, ms });
            call.status = CallStatus::Done;
            self.guard.record(self.step, call.fingerprint, &result);
            results.push(Part::ToolResult(result));
        }
        if !results.is_empty() {
            effects.add_message(Message::new(Role::Tool, results), None);
        }
    }
}

fn refusal(call: &Call, kind: ToolErrorKind, why: &str) -> ToolResult {
    ToolResult::failed(call.uid, &call.name, kind, why)
}

/// Returns the result of a call that took effect according to a person.
fn known_effect(call: &Call, content: &str) -> ToolResult {
    ToolResult::new(call.uid, &call.name, content)
}

/// Returns the result of a call that the client ran. The origin of its content is unknown to the server.
fn of_client(call: &Call, ok: bool, content: &str, shortened: Option<Shortening>) -> ToolResult {
    let result = match ok {
        true => known_effect(call, content),
        false => refusal(call, ToolErrorKind::Failed, content),
    };
    let (truncated, kept) = (shortened.is_some(), shortened.and_then(|shortened| shortened.kept));
    ToolResult { untrusted: true, truncated, kept, ..result }
}

impl Call {
    /// Reports whether the call was started and must not run again.
    pub(super) fn has_unsafe_start(&self) -> bool {
        self.kind == CallKind::Once && matches!(self.status, CallStatus::Started)
    }

    /// Logs the start of the call, and adds a receipt if the call changes something.
    pub(super) fn start(&mut self, effects: &mut Effects) {
        effects.log.push(Recorded::ToolStarted { uid: self.uid });
        self.receipt = self.kind != CallKind::ReadOnly;
        if self.receipt {
            effects.receipts.push(self.receipt(CallState::Started));
        }
    }

    fn receipt(&self, state: CallState) -> CallRecord {
        CallRecord { uid: self.uid, name: self.name.clone(), state }
    }
}

fn outcome(result: &ToolResult) -> CallState {
    match result.error {
        _ if result.ok => CallState::Done,
        Some(ToolErrorKind::OutcomeUnknown | ToolErrorKind::Cancelled | ToolErrorKind::TimedOut) => CallState::Unknown,
        _ => CallState::Failed,
    }
}
