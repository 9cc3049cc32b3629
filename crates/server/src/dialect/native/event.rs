//! An event as the data of its native frame.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use turnkit_core::{EventKind, Timestamp, TurnEvent, TurnId};

/// The data of an event's frame: the common fields, then the event's payload.
#[derive(Serialize)]
pub(super) struct NativeEvent<'a> {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    payload: &'a EventKind,
}

/// The fields at the start of every event's data.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(super) struct Head {
    /// The turn.
    pub(super) turn_id: TurnId,
    /// The number of the event in its turn, from 1, without gaps.
    #[schemars(range(min = 1))]
    pub(super) seq: u32,
    /// When the event happened. Absent on deltas, which share the timestamp of the event before them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    pub(super) at: Option<Timestamp>,
}

impl<'a> NativeEvent<'a> {
    pub(super) fn new(turn_id: TurnId, event: &'a TurnEvent) -> Self {
        let at = (!matches!(event.kind, EventKind::PartDelta { .. })).then_some(event.at);
        Self { head: Head { turn_id, seq: event.seq, at }, payload: &event.kind }
    }
}
