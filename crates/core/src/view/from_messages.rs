//! The view of a turn from its messages, which outlive its log.

use super::{PartView, RemarkView, StepView, ToolView, TurnView};
use crate::{Message, Part, PartId, PartKind, Role, ToolResult, TurnRecord, TurnState};

impl TurnView {
    /// The view of a turn that is over, from its record and its messages, the user's first.
    ///
    /// It equals the view of the turn's events, except for what only the log knows: the numbers of events, the steps that
    /// left no message, who answered a step and what that consumed, and notices that are not errors. An answer that was
    /// withdrawn and kept, because no other one came, is in the messages only.
    pub fn of_messages<'a>(record: &TurnRecord, messages: impl IntoIterator<Item = &'a Message>) -> Self {
        let mut view = Self {
            agent: record.agent.to_string(),
            accepted_at: Some(record.accepted_at),
            ended_at: record.ended_at,
            usage: record.usage.clone(),
            status: match record.state {
                TurnState::Ended(status) => Some(status),
                _ => None,
            },
            ..Self::default()
        };
        for message in messages {
            match message.role {
                Role::User => view.input.clone_from(&message.parts),
                Role::Assistant => view.add_answer(message),
                Role::Tool => message.parts.iter().for_each(|part| view.add_result(part)),
                Role::System => {}
            }
        }
        view
    }

    /// Adds an answer, which is the next step's unless its calls name another step, and the errors beside it.
    fn add_answer(&mut self, message: &Message) {
        if !message.is_of_notices() {
            let next = self.steps.last().map_or(1, |last| last.step.saturating_add(1));
            let step = message.calls().next().map_or(next, |call| call.uid.step);
            self.steps.push(StepView { step, provider: None, model: None, finish: None, usage: None, since: 0 });
            let parts =
                (0..).zip(&message.parts).filter_map(|(place, part)| part_view(PartId { step, part: place }, part));
            self.parts.extend(parts);
            self.tools.extend(message.calls().map(|call| ToolView {
                uid: call.uid,
                name: call.name.clone(),
                arguments: call.arguments.clone(),
                data: None,
                outcome: None,
                since: 0,
            }));
        }
        self.remarks.extend(message.parts.iter().filter_map(|part| match part {
            Part::Notice(notice) => {
                let (code, text) = (notice.code.clone(), notice.text.clone());
                Some(RemarkView { code, text, error: notice.error, since: 0 })
            }
            _ => None,
        }));
    }

    fn add_result(&mut self, part: &Part) {
        let Part::ToolResult(ToolResult { uid, ok, content, data, error, .. }) = part else { return };
        if let Some(tool) = self.tools.iter_mut().rev().find(|tool| tool.uid == *uid) {
            tool.data.clone_from(data);
            tool.outcome = Some((*ok, content.clone(), *error));
        }
    }
}

fn part_view(id: PartId, part: &Part) -> Option<PartView> {
    let (kind, name) = PartKind::of(part)?;
    let (name, text) = (name.map(Into::into), part.streamed().to_owned());
    Some(PartView { id, kind, name, text, ended: true, since: 0 })
}
