//! A turn as one object, for a program.

use serde_json::{Value, json};
use turnkit_core::{EventKind, SessionId, ToolView, TurnEvent, TurnId, TurnView};
use turnkit_server::native::UsageBody;

pub(super) struct Summary {
    session: SessionId,
    turn: TurnId,
    view: TurnView,
}

impl Summary {
    pub(super) fn new(session: SessionId, turn: TurnId) -> Self {
        Self { session, turn, view: TurnView::default() }
    }

    /// Adds the next event. Returns the object at the last event of the turn.
    pub(super) fn take(&mut self, event: &TurnEvent) -> Option<Value> {
        self.view.apply(event);
        let EventKind::TurnEnded { status, text, final_text, usage, steps, trace, steered_into } = &event.kind else {
            return None;
        };
        let mut object = json!({
            "session_id": self.session,
            "turn_id": self.turn,
            "trace_id": trace,
            "status": status.as_str(),
            "text": text,
            "final_text": final_text.as_ref().unwrap_or(text),
            "steps": steps,
            "tools": self.view.tools.iter().filter_map(finished).collect::<Vec<_>>(),
            "usage": UsageBody::of(usage),
            "cost": usage.cost,
        });
        if let Some(into) = steered_into {
            object["steered_into"] = json!(into);
        }
        Some(object)
    }

    /// Discards the turn so far, because all of its events are repeated.
    pub(super) fn restart(&mut self) {
        self.view = TurnView::default();
    }
}

/// Returns the outcome of a finished call.
fn finished(tool: &ToolView) -> Option<Value> {
    let (ok, content, _) = tool.outcome.as_ref()?;
    Some(json!({ "name": tool.name, "ok": ok, "content": content }))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use turnkit_core::ports::IdSource as _;
    use turnkit_core::{CallUid, EventKind, Fence, Timestamp, TraceId, TurnEvent, TurnStatus};
    use turnkit_testkit::SeededIds;

    use super::Summary;

    #[test]
    fn calls_of_retracted_attempts_and_repeated_events_are_reported_once() {
        let ids = SeededIds::new(1);
        let at = Timestamp::from_millis(0);
        let (session, turn) = (ids.session(at), ids.turn(at));
        let event = |seq, kind| TurnEvent { seq, fence: Fence(1), at, kind };
        let called = |content: &str| EventKind::ToolFinished {
            uid: CallUid { turn, step: 1, ordinal: 0 },
            name: "clock".to_owned(),
            ok: true,
            content: content.to_owned(),
            error: None,
            images: Vec::new(),
            ms: 1,
        };
        let (status, text, usage) = (TurnStatus::Completed, "Noon.".to_owned(), Box::default());
        let trace = TraceId::of(turn);
        let ended = EventKind::TurnEnded { status, text, final_text: None, usage, steps: 1, trace, steered_into: None };

        let mut summary = Summary::new(session, turn);
        assert_eq!(summary.take(&event(2, called("11:59"))), None);
        assert_eq!(summary.take(&event(2, EventKind::Retracted { from_seq: 2, attempt: 2, lost_calls: 0 })), None);
        assert_eq!(summary.take(&event(3, called("12:00"))), None);
        summary.restart();
        assert_eq!(summary.take(&event(3, called("12:00"))), None);
        let object = summary.take(&event(4, ended)).expect("the turn is over");
        assert_eq!(object["tools"], json!([{ "name": "clock", "ok": true, "content": "12:00" }]));
        assert_eq!((&object["text"], &object["status"]), (&json!("Noon."), &json!("completed")));
    }
}
