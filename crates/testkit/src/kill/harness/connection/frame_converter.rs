//! Converts frames, as a client reads them, back to events, so that they can be compared with the log.

use std::borrow::Cow;

use turnkit_core::{Arguments, PartView, RemarkView, SteeredView, StepView, ToolView, TurnId, TurnView, WaitView};
use turnkit_server::native::{NativeFrame, NativeReader, TurnSnapshotBody};

use crate::http::Frame;
use crate::kill::protocol::{Line, content};

/// The reader of one stream of one turn.
pub(super) struct FrameConverter {
    turn: TurnId,
    reader: NativeReader,
}

impl FrameConverter {
    pub(super) fn new(turn: TurnId) -> Self {
        Self { turn, reader: NativeReader::default() }
    }

    /// Converts a frame to a line. Returns `None` for a frame that is not about the log.
    pub(super) fn line(&mut self, frame: &Frame) -> Result<Option<Line>, String> {
        let turn = self.turn;
        let cursor = frame.id.clone().unwrap_or_default();
        let read = self.reader.read(frame.name(), frame.id.as_deref(), &frame.data);
        match read.map_err(|error| error.to_string())? {
            NativeFrame::Event { turn: of, event } if of == turn => Ok(Some(Line::event(turn, cursor, &event.kind))),
            NativeFrame::Pending(_) => Ok(None),
            NativeFrame::Resync(snapshot) => match &snapshot.turn {
                Some(so_far) if so_far.turn_id == turn => {
                    Ok(Some(Line::Resync { turn, cursor, content: content(&view(so_far)) }))
                }
                _ => Err("a resync about another turn".to_owned()),
            },
            other => Err(format!("{other:?} in the stream of one turn")),
        }
    }
}

/// Converts a turn's snapshot to the engine's view.
fn view(turn: &TurnSnapshotBody<'_>) -> TurnView {
    let steps = turn.steps.iter().map(|step| {
        let prices = step.prices.as_deref().map(Into::into);
        StepView {
            step: step.step,
            provider: step.provider.as_deref().map(Into::into),
            model: step.model.as_deref().map(Into::into),
            finish: step.finish_reason.as_deref().map(Into::into),
            usage: step.usage.clone().zip(step.cost).map(|(usage, cost)| usage.costing(cost, prices)),
            began_at: step.began_at,
            first_ms: step.first_ms,
            ms: step.ms,
            attempts: step.attempts.to_vec(),
            since: step.since,
        }
    });
    let parts = turn.parts.iter().map(|part| PartView {
        id: part.part_id,
        kind: part.r#type,
        name: part.name.as_deref().map(Into::into),
        text: part.text.clone().into_owned(),
        ended: part.ended,
        since: part.since,
    });
    let tools = turn.tools.iter().map(|tool| ToolView {
        uid: tool.call_id,
        name: tool.name.clone().into_owned(),
        arguments: Arguments(tool.arguments.clone().into_owned()),
        data: tool.data.clone().map(Cow::into_owned),
        images: tool.images.clone().into_owned(),
        outcome: tool.ok.map(|ok| (ok, tool.content.clone().unwrap_or_default().into_owned(), tool.error)),
        ms: tool.ms,
        since: tool.since,
    });
    let waits = turn.waits.iter().map(|wait| WaitView {
        request: Box::new(wait.request.clone().into_owned()),
        decided: wait.decided.clone().map(|decided| Box::new(decided.into_owned())),
        since: wait.since,
    });
    let remarks = turn.remarks.iter().map(|remark| RemarkView {
        code: remark.code.clone().into_owned(),
        text: remark.text.clone().into_owned(),
        error: remark.error,
        attempts: remark.attempts.clone().into_owned(),
        since: remark.since,
    });
    let steered = turn.steered.iter().map(|steered| SteeredView {
        turn: steered.steering_turn_id,
        input: steered.input.clone().into_owned(),
        after_step: steered.after_step,
        since: steered.since,
    });
    TurnView {
        seq: turn.seq,
        agent: turn.agent.clone().into_owned(),
        accepted_at: turn.accepted_at,
        ended_at: turn.ended_at,
        input: turn.input.clone().into_owned(),
        steered: steered.collect(),
        steps: steps.collect(),
        waiting_since: turn.waiting_since,
        parts: parts.collect(),
        tools: tools.collect(),
        waits: waits.collect(),
        remarks: remarks.collect(),
        usage: turn.usage.clone().zip(turn.cost).map(|(usage, cost)| usage.costing(cost, None)),
        status: turn.status,
        trace: turn.trace_id,
        steered_into: turn.steered_into,
    }
}
