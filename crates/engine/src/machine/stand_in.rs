//! Ending a turn whose machine cannot be read.

use std::sync::Arc;

use turnkit_core::{CallRecord, Entry, EventKind, Part, Timestamp, ToolCall, TurnLog};

use super::state::{Call, CallStatus};
use super::{CallKind, Limits, State, TurnMachine};

impl TurnMachine {
    /// Creates a stand-in for a machine that another version wrote. It knows what the log and the receipts record: the
    /// steps, their usage, and the calls without a result. That is enough to [stop](super::Input::Stop) the turn with a
    /// complete transcript, but not to continue it.
    pub fn stand_in(limits: Limits, deadline: Timestamp, log: &TurnLog, receipts: &[CallRecord]) -> Self {
        let mut machine = Self::new(limits, deadline);
        for event in log.events() {
            if let EventKind::StepEnded { step, usage, .. } = event.kind {
                machine.step = step;
                machine.usage.add(&usage);
            }
        }
        let open = unanswered(log.messages()).map(|call| {
            let receipt = receipts.iter().any(|receipt| receipt.uid == call.uid);
            let kind = if receipt { CallKind::Once } else { CallKind::ReadOnly };
            let (uid, name) = (call.uid, call.name.clone());
            Call {
                uid,
                name,
                kind,
                status: CallStatus::Started,
                receipt,
                waits: 0,
                approval: None,
                asked: None,
                fingerprint: 0,
            }
        });
        let calls: Vec<Call> = open.collect();
        if !calls.is_empty() {
            machine.state = State::Tools { calls };
        }
        // The turn's waits, if any, are denied when it ends.
        machine.has_waited = true;
        machine
    }
}

fn unanswered(messages: &[Arc<Entry>]) -> impl Iterator<Item = &ToolCall> {
    let answered = |call: &ToolCall| {
        let results = messages.iter().flat_map(|entry| &entry.message().parts);
        results.filter(|part| matches!(part, Part::ToolResult(result) if result.uid == call.uid)).count() > 0
    };
    messages.iter().flat_map(|entry| entry.message().calls()).filter(move |call| !answered(call))
}
