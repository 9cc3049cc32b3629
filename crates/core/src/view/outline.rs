//! Moves data between a view and the outline that is kept of a removed log.

use super::{RemarkView, StepView, TurnView};
use crate::{CallOutline, LogOutline, NoticeOutline, StepOutline, Usage};

impl TurnView {
    /// Returns what is to be kept of the turn's log once the log is removed, if this is the view of its events.
    pub fn outline(&self) -> LogOutline {
        let steps = self.steps.iter().filter_map(|step| {
            let (provider, model) = step.provider.clone().zip(step.model.clone())?;
            let usage = step.usage.clone().map(|usage| Usage { raw: None, ..usage });
            let (finish, attempts) = (step.finish.clone(), step.attempts.clone());
            Some(StepOutline { step: step.step, provider, model, finish, usage, attempts })
        });
        let calls = self.tools.iter().filter_map(|tool| {
            let ms = tool.ms?;
            Some(CallOutline { step: tool.uid.step, ordinal: tool.uid.ordinal, ms })
        });
        let (mut notices, mut errors) = (Vec::new(), 0_u16);
        for remark in &self.remarks {
            if remark.error {
                errors = errors.saturating_add(1);
            } else {
                notices.push(NoticeOutline { code: remark.code.clone(), text: remark.text.clone(), errors });
            }
        }
        let began_at = self.steps.first().and_then(|step| step.began_at);
        LogOutline {
            steps: steps.collect(),
            calls: calls.collect(),
            notices,
            attempts: self.failed_call().map(|remark| remark.attempts.clone()).unwrap_or_default(),
            error: self.remarks.iter().find(|remark| remark.error).map(|remark| remark.code.clone()),
            first_ms: self.accepted_at.zip(began_at).map(|(accepted, began)| began.millis_since(accepted)),
        }
    }

    /// Adds what was kept of the log to a view of messages.
    pub(super) fn add_outline(&mut self, outline: &LogOutline) {
        for kept in &outline.steps {
            let step = self.step(kept.step);
            (step.provider, step.model) = (Some(kept.provider.clone()), Some(kept.model.clone()));
            (step.finish, step.usage) = (kept.finish.clone(), kept.usage.clone());
            step.attempts.clone_from(&kept.attempts);
        }
        for kept in &outline.calls {
            let call = (kept.step, kept.ordinal);
            if let Some(tool) = self.tools.iter_mut().find(|tool| (tool.uid.step, tool.uid.ordinal) == call) {
                tool.ms = Some(kept.ms);
            }
        }
        let mut errors = std::mem::take(&mut self.remarks).into_iter();
        let mut passed = 0;
        for kept in &outline.notices {
            self.remarks.extend(errors.by_ref().take(usize::from(kept.errors.saturating_sub(passed))));
            passed = passed.max(kept.errors);
            let (code, text) = (kept.code.clone(), kept.text.clone());
            self.remarks.push(RemarkView { code, text, error: false, attempts: Vec::new(), since: 0 });
        }
        self.remarks.extend(errors);
        if let Some(last) = self.remarks.iter_mut().rfind(|remark| remark.error) {
            last.attempts.clone_from(&outline.attempts);
        }
    }

    /// Returns the last error, which is that of the model call if no provider answered: such a call ends its turn.
    fn failed_call(&self) -> Option<&RemarkView> {
        self.remarks.iter().rfind(|remark| remark.error)
    }

    /// Returns a step, adding it in order if it left no message.
    fn step(&mut self, number: u16) -> &mut StepView {
        let place = self.steps.partition_point(|step| step.step < number);
        if self.steps.get(place).is_none_or(|step| step.step != number) {
            self.steps.insert(place, StepView::without_log(number));
        }
        &mut self.steps[place]
    }
}
