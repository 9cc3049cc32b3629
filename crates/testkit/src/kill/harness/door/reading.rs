//! Frames as a client reads them, back to what happened, so that it can be held against the log.

use turnkit_core::{PartView, RemarkView, ToolView, TurnId, TurnView};
use turnkit_server::native::{NativeFrame, NativeReader, TurnSoFarJson};

use crate::http::Frame;
use crate::kill::protocol::{Line, content};

/// One stream of one turn.
pub(super) struct Reading {
    turn: TurnId,
    reader: NativeReader,
}

impl Reading {
    pub(super) fn of(turn: TurnId) -> Self {
        Self { turn, reader: NativeReader::default() }
    }

    /// What a frame says.
    pub(super) fn line(&mut self, frame: &Frame) -> Result<Line, String> {
        let turn = self.turn;
        let cursor = frame.id.clone().unwrap_or_default();
        let read = self.reader.read(frame.name(), frame.id.as_deref(), &frame.data);
        match read.map_err(|error| error.to_string())? {
            NativeFrame::Event { turn: of, event } if of == turn => Ok(Line::event(turn, cursor, &event.kind)),
            NativeFrame::Resync(snapshot) => match &snapshot.turn {
                Some(so_far) if so_far.turn_id == turn => {
                    Ok(Line::Resync { turn, cursor, content: content(&view(so_far)) })
                }
                _ => Err("a resync about another turn".to_owned()),
            },
            other => Err(format!("{other:?} in the stream of one turn")),
        }
    }
}

/// A turn so far, as the engine has it.
fn view(turn: &TurnSoFarJson<'_>) -> TurnView {
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
        outcome: tool.ok.map(|ok| (ok, tool.content.clone().unwrap_or_default().into_owned(), tool.error)),
        since: tool.since,
    });
    let remarks = turn.remarks.iter().map(|remark| RemarkView {
        code: remark.code.clone().into_owned(),
        text: remark.text.clone().into_owned(),
        since: remark.since,
    });
    TurnView {
        seq: turn.seq,
        input: turn.input.clone().into_owned(),
        parts: parts.collect(),
        tools: tools.collect(),
        remarks: remarks.collect(),
        status: turn.status,
    }
}
