//! Builds the view of a turn from its messages, which are kept longer than its log.

use super::from_events::written_arguments;
use super::{PartView, RemarkView, StepView, ToolView, TurnView};
use crate::{Message, Part, PartId, PartKind, Role, ToolResult, TurnRecord, TurnState};

impl TurnView {
    /// Builds the view of an ended turn from its record and its messages, the user's first.
    ///
    /// If the record has no outline of the log, the view equals that of the turn's events [without its
    /// log](Self::without_log). An outline adds what it holds of the log. There is one exception. An answer that was
    /// withdrawn when the process stopped, or lost with its process, may be kept as stored text because no other
    /// answer followed. Such an answer is in the messages only.
    pub fn of_messages<'a>(record: &TurnRecord, messages: impl IntoIterator<Item = &'a Message>) -> Self {
        let mut view = Self {
            agent: record.agent.to_string(),
            accepted_at: Some(record.accepted_at),
            ended_at: record.ended_at,
            usage: record.usage.clone(),
            trace: Some(record.trace),
            steered_into: record.steered_into,
            status: match record.state {
                TurnState::Ended(status) => Some(status),
                _ => None,
            },
            ..Self::default()
        };
        for message in messages.into_iter().filter(|message| !message.changes_view()) {
            match message.role {
                Role::User if message.is_steering() => view.steer(None, &message.parts, 0),
                Role::User => view.input.clone_from(&message.parts),
                Role::Assistant => view.add_answer(message),
                Role::Tool => message.parts.iter().for_each(|part| view.add_result(part)),
                Role::System => {}
            }
        }
        if let Some(outline) = &record.outline {
            view.add_outline(outline);
        }
        view
    }

    /// Removes the data that only the log holds from a view of events. The result equals the view of the turn's
    /// messages without an outline of the log.
    #[must_use]
    pub fn without_log(mut self) -> Self {
        // Messages have no event numbers.
        self.seq = 0;
        self.waiting_since = None;
        self.parts.iter_mut().for_each(|part| part.since = 0);
        // Messages keep the arguments that the model wrote.
        let Self { parts, tools, .. } = &mut self;
        for tool in tools {
            (tool.ms, tool.since) = (None, 0);
            if let Some(written) = written_arguments(parts, tool.uid) {
                tool.arguments = written;
            }
        }
        // A store deletes the waits of a turn together with its log.
        self.waits.clear();
        // A model call without output leaves no message.
        self.steps.retain(|step| self.parts.iter().any(|part| part.id.step == step.step));
        // A message holds what models are sent, so it records neither the provider and model nor the finish reason.
        // Usage is kept only as the sum over the turn.
        for step in &mut self.steps {
            *step = StepView::without_log(step.step);
        }
        // Notices report progress during the answer. Only errors explain how it ended.
        self.remarks.retain(|remark| remark.error);
        for remark in &mut self.remarks {
            remark.since = 0;
            remark.attempts.clear();
        }
        self.steered.iter_mut().for_each(|steered| (steered.turn, steered.since) = (None, 0));
        self
    }

    /// Adds an answer with the errors beside it. It belongs to the next step, unless its calls name another step.
    fn add_answer(&mut self, message: &Message) {
        if !message.is_notices_only() {
            let next = self.steps.last().map_or(1, |last| last.step.saturating_add(1));
            let step = message.calls().next().map_or(next, |call| call.uid.step);
            self.steps.push(StepView::without_log(step));
            let parts =
                (0..).zip(&message.parts).filter_map(|(place, part)| part_view(PartId { step, part: place }, part));
            self.parts.extend(parts);
            self.tools.extend(message.calls().map(|call| ToolView {
                uid: call.uid,
                name: call.name.clone(),
                arguments: call.arguments.clone(),
                data: None,
                images: Vec::new(),
                outcome: None,
                ms: None,
                since: 0,
            }));
        }
        self.remarks.extend(message.parts.iter().filter_map(|part| match part {
            Part::Notice(notice) => {
                let (code, text) = (notice.code.clone(), notice.text.clone());
                Some(RemarkView { code, text, error: notice.error, attempts: Vec::new(), since: 0 })
            }
            _ => None,
        }));
    }

    fn add_result(&mut self, part: &Part) {
        let Part::ToolResult(ToolResult { uid, ok, content, data, error, images, .. }) = part else { return };
        if let Some(tool) = self.tools.iter_mut().rev().find(|tool| tool.uid == *uid) {
            tool.data.clone_from(data);
            tool.images.clone_from(images);
            tool.outcome = Some((*ok, content.clone(), *error));
        }
    }
}

fn part_view(id: PartId, part: &Part) -> Option<PartView> {
    let (kind, name) = PartKind::of(part)?;
    let (name, text) = (name.map(Into::into), part.streamed().to_owned());
    Some(PartView { id, kind, name, text, ended: true, since: 0 })
}
