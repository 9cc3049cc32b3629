//! `native`: every event of the log, unchanged. The name of a frame is the event's kind, its id the event's cursor.

mod context;
mod cut;
mod event;
mod image;
mod pending;
mod progress;
mod reader;
mod request;
pub(crate) mod route;
mod schema;
mod shown;
mod snapshot;
mod turn_view;
mod wait_view;

use axum::response::IntoResponse;
use serde_json::value::RawValue;
pub use turnkit_core::Tokens as UsageBody;
use turnkit_core::ports::{Detach, EventEncoder};
use turnkit_core::{ClientCaps, Frames, QueuedTurn, Snapshot, ToolProgress, TurnEvent, TurnId, Wait};

pub(crate) use self::cut::cut_parts;
use self::event::NativeEvent;
pub use self::pending::{PendingBody, PendingInteractionBody};
pub use self::progress::ProgressBody;
pub use self::reader::{NativeError, NativeFrame, NativeReader};
pub(crate) use self::schema::FrameSchemas;
pub use self::schema::event_schema;
use self::snapshot::Queue;
pub use self::snapshot::{NativeSnapshot, QueuedTurnBody, SessionBody, TurnPageJson};
pub use self::turn_view::{PartBody, RemarkBody, SteeredBody, StepBody, ToolBody, TurnSnapshotBody};
pub use self::wait_view::WaitBody;
use super::{Dialect, Endpoint, EndpointDocs, StreamContext, schema_of};

pub(crate) const DIALECT: Dialect =
    Dialect { name: "native", caps: CAPS, encoder, ids: true, shows_session_label: false, endpoints: &[ENDPOINT] };

const CAPS: ClientCaps = ClientCaps { interact: false, resume: true };

pub(crate) const ENDPOINT: Endpoint = Endpoint {
    path: "/api/v1/turns",
    decode: request::decode,
    whole: None,
    error_response: IntoResponse::into_response,
    docs: DOCS,
};

const DOCS: EndpointDocs = EndpointDocs {
    operation_id: "start_native",
    summary: "Start a turn",
    description: "Accepts a message of the user. Once it is accepted, the turn runs to its end even if the client disconnects or the \
                  server restarts. With `session_id` the turn continues a session, without it a new session begins.",
    schema: schema_of::<request::Body>,
    request: r#"{ "message": "What is 6 x 7?" }"#,
    receipt: Some(
        r#"{ "turn_id": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01", "session_id": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a02" }"#,
    ),
    stream: concat!(
        "event: turn.started\nid: 1-1-1\n",
        r#"data: {"turn_id":"0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01","seq":1,"at":"2026-01-01T12:00:00.000Z","#,
        r#""session_id":"0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a02","agent":"assistant","#,
        r#""input":[{"type":"text","text":"What is 6 x 7?"}],"trace_id":"0199a1f05d1c7cc09d8e2f8f4c1b7a01"}"#,
        "\n\n",
    ),
};

fn encoder(context: &StreamContext) -> Box<dyn EventEncoder> {
    Box::new(Native { turn: context.turn })
}

/// Writes an event of `turn`.
pub(crate) fn write_event(turn: TurnId, event: &TurnEvent, out: &mut Frames) {
    out.json(Some(event.kind.name()), &NativeEvent::new(turn, event));
}

/// Returns an event of `turn` as the data of its frame.
pub fn event_json(turn: TurnId, event: &TurnEvent) -> serde_json::Value {
    // Serialization fails only for maps with keys that are not strings. An event has no such maps.
    serde_json::to_value(NativeEvent::new(turn, event)).unwrap_or_default()
}

/// Writes a snapshot of a session.
pub(crate) fn write_snapshot(snapshot: &Snapshot, out: &mut Frames) {
    out.json(Some("resync"), &NativeSnapshot::new(snapshot));
}

/// Writes a snapshot of a session that shows `turns`, a page of the session's turns, in place of messages.
pub(crate) fn write_snapshot_of_turns(snapshot: &Snapshot, turns: Box<RawValue>, out: &mut Frames) {
    out.json(Some("resync"), &NativeSnapshot::of_turns(snapshot, turns));
}

/// Writes the queue of waiting turns. It is not an event of a turn, so the frame has no id.
pub(crate) fn write_queue(queue: &[QueuedTurn], out: &mut Frames) {
    out.start_outside_log();
    out.json(Some("queue"), &Queue::new(queue));
}

/// Writes the pending interactions of a turn and of the turns below it. They are not events of the turn, so the frame
/// has no id.
pub(crate) fn write_pending(turn: TurnId, waits: &[Wait], out: &mut Frames) {
    out.start_outside_log();
    out.json(Some("pending"), &PendingBody::new(turn, waits));
}

/// Writes the progress of a tool call of `turn`. It is not an event of the turn, so the frame has no id.
pub(crate) fn write_progress(turn: TurnId, progress: &ToolProgress, out: &mut Frames) {
    out.start_outside_log();
    out.json(Some("tool.progress"), &ProgressBody::new(turn, progress));
}

/// Encodes one turn.
struct Native {
    turn: TurnId,
}

impl EventEncoder for Native {
    fn encode(&mut self, event: &TurnEvent, out: &mut Frames) {
        write_event(self.turn, event, out);
        if event.kind.is_terminal() {
            out.end();
        }
    }

    fn resync(&mut self, snapshot: &Snapshot, out: &mut Frames) {
        write_snapshot(snapshot, out);
        if snapshot.turn.as_ref().is_some_and(|turn| turn.view.status.is_some()) {
            out.end();
        }
    }

    fn pending(&mut self, waits: &[Wait], out: &mut Frames) {
        write_pending(self.turn, waits, out);
    }

    fn progress(&mut self, progress: &ToolProgress, out: &mut Frames) {
        write_progress(self.turn, progress, out);
    }

    /// Writes nothing: a client reconnects by itself if its stream ends without a `turn.ended`.
    fn detach(&mut self, _: Detach, _: &mut Frames) {}
}
