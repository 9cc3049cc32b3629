//! The recorded results of the calls of a stored turn.

use std::collections::HashMap;

use turnkit_core::{CallUid, EventKind, LoggedTurn, Part, ToolResult, TurnEvent};

/// The recorded result of a call.
pub(super) struct RecordedResult {
    pub(super) result: ToolResult,
    pub(super) ms: u64,
    /// The event that reported it.
    pub(super) seq: u32,
}

/// Returns the result of each call that ended.
pub(super) fn recorded_results(turn: &LoggedTurn, stored: &[TurnEvent]) -> HashMap<CallUid, RecordedResult> {
    let took: HashMap<CallUid, (u64, u32)> = stored.iter().filter_map(took).collect();
    let parts = turn.messages.iter().flat_map(|entry| &entry.message().parts);
    let results = parts.filter_map(|part| match part {
        Part::ToolResult(result) => {
            let (ms, seq) = took.get(&result.uid).copied()?;
            Some((result.uid, RecordedResult { result: result.clone(), ms, seq }))
        }
        _ => None,
    });
    results.collect()
}

/// Returns the duration of a call in milliseconds and the number of its last event.
fn took(event: &TurnEvent) -> Option<(CallUid, (u64, u32))> {
    match &event.kind {
        EventKind::ToolFinished { uid, ms, .. } => Some((*uid, (*ms, event.seq))),
        _ => None,
    }
}
