//! Applying inputs to the machine.

use turnkit_core::{
    Answer, ErrorScope, FinishReason, Mark, Message, Part, PartialAnswer, ProviderError, Recorded, Role, TurnStatus,
    Usage,
};

use super::steering::steer;
use super::{Effects, FinishedCall, Input, OnStreamFailure, Plan, REDONE, Resumption, State, TurnMachine};

impl TurnMachine {
    /// Applies an input and returns the effects to write. Inputs for a turn that has ended change nothing. Neither does
    /// the output of a model while calls are open: the calls would be forgotten.
    pub fn apply(&mut self, input: &Input) -> Effects {
        let mut effects = Effects::default();
        if self.has_ended() {
            return effects;
        }
        let listening = self.state == State::Ready;
        match input {
            Input::Answered { .. } | Input::ModelFailed { .. } if !listening => {}
            Input::Answered { answer, plans } => self.answered(answer, plans, &mut effects),
            Input::ModelFailed { error, partial, plans, since } => match since.filter(|_| self.may_redo(error)) {
                Some(since) => self.redo(error, partial.as_ref(), since, &mut effects),
                None => self.model_failed(error, partial.as_ref(), plans, &mut effects),
            },
            Input::ToolsFinished(finished) => self.tools_finished(finished, &mut effects),
            Input::Resolved(decisions) => self.resolved(decisions, &mut effects),
            Input::Stop { status, error, partial, finished } => {
                if let Some(partial) = partial.as_ref().filter(|partial| listening && is_something(partial)) {
                    self.keep(partial, Mark::Cancelled, &mut effects);
                    self.propose(&partial.parts, &partial.cut, &[]);
                }
                self.stopped(*status, error.as_ref(), finished, &mut effects);
            }
            Input::ViewChanged { change, code, text } => change_view(change, code, text, &mut effects),
            Input::Overflowed { .. } if !listening => {}
            Input::Overflowed { change, code, text } => {
                self.overflowed = true;
                self.attempt = self.attempt.saturating_add(1);
                change_view(change, code, text, &mut effects);
            }
            Input::CompactionFinished(_) if !listening => {}
            Input::CompactionFinished(compaction) => self.compacted(compaction, &mut effects),
            Input::CompactionStopped { status, error, usage } => {
                self.compaction_stopped(usage.as_ref(), &mut effects);
                self.stopped(*status, error.as_ref(), &[], &mut effects);
            }
            Input::TitleFinished(_) if !listening => {}
            Input::TitleFinished(outcome) => self.title_finished(outcome, &mut effects),
            Input::Steered { .. } if !listening => {}
            Input::Steered { messages, first } => steer(messages, *first, &mut effects),
            Input::NothingToCompact => self.nothing_to_compact(&mut effects),
            Input::HandedOver { call, finished } => self.hand_over(call.as_ref(), finished, &mut effects),
            Input::Resumed(resumption) => self.resumed(resumption, &mut effects),
        }
        if effects.commit && !effects.handed_over {
            self.counted_deaths = 0;
        }
        effects
    }

    fn stopped(
        &mut self,
        status: TurnStatus,
        error: Option<&(String, String)>,
        finished: &[FinishedCall],
        effects: &mut Effects,
    ) {
        self.keep_unfinished(effects);
        self.abandon_round(finished, status, effects);
        if let Some((code, message)) = error {
            effects.error(ErrorScope::Turn, code, message, false);
        }
        self.end(status, effects);
    }

    fn answered(&mut self, answer: &Answer, plans: &[Plan], effects: &mut Effects) {
        self.consume(&answer.usage);
        self.unfinished = None;
        if !answer.parts.is_empty() {
            // If the model pauses at the end of the turn, its answer is never continued.
            let breaks_off = answer.finish == FinishReason::Pause && !self.may_continue();
            let mark = breaks_off.then_some(Mark::Interrupted);
            effects.add_message(Message::new(Role::Assistant, answer.parts.clone()), mark);
        }
        self.step_ended(answer.finish.clone(), answer.usage.clone(), effects);
        if answer.parts.iter().any(is_call) {
            self.propose(&answer.parts, &answer.cut, plans);
            if self.closing {
                self.abandon_round(&[], TurnStatus::Limit, effects);
                self.limit_reached(effects);
            } else {
                self.start_round(effects);
            }
        } else if answer.finish == FinishReason::Pause && !self.closing {
            effects.commit = true;
            self.continue_turn(effects);
        } else if answer.finish == FinishReason::ContentFilter {
            effects.error(
                ErrorScope::Provider,
                "content_filter",
                "the provider's content filter stopped the answer",
                false,
            );
            self.end(TurnStatus::Failed, effects);
        } else {
            self.end(if self.closing { TurnStatus::Limit } else { TurnStatus::Completed }, effects);
        }
    }

    /// Handles a failed model call. Without any output, the turn fails. With output, the partial answer is kept. If it
    /// includes whole calls, they run and the model gets another step to continue from.
    fn model_failed(
        &mut self,
        error: &ProviderError,
        partial: Option<&PartialAnswer>,
        plans: &[Plan],
        effects: &mut Effects,
    ) {
        let Some(partial) = partial.filter(|partial| is_something(partial)) else {
            self.keep_unfinished(effects);
            self.abandon_round(&[], TurnStatus::Failed, effects);
            effects.provider_error(error);
            return self.end(TurnStatus::Failed, effects);
        };
        self.keep(partial, Mark::Interrupted, effects);
        self.propose(&partial.parts, &partial.cut, plans);
        self.keep_unfinished(effects);
        effects.provider_error(error);
        if !self.closing && self.has_runnable_calls() {
            self.start_round(effects);
        } else {
            self.abandon_round(&[], TurnStatus::Failed, effects);
            self.end(TurnStatus::Failed, effects);
        }
    }

    /// Reports whether an answer that broke off with this error is withdrawn and requested again.
    fn may_redo(&self, error: &ProviderError) -> bool {
        let wanted = self.limits.on_stream_failure == OnStreamFailure::Redo;
        wanted && self.redos + 1 < self.limits.max_attempts && error.kind.allows_failover()
    }

    /// Withdraws the output of the attempt, and counts its usage.
    fn redo(&mut self, error: &ProviderError, partial: Option<&PartialAnswer>, since: u32, effects: &mut Effects) {
        let usage = partial.and_then(|partial| partial.usage.clone()).unwrap_or_else(Usage::unmetered);
        self.consume(&usage);
        self.step_ended(FinishReason::Interrupted, usage, effects);
        self.attempt += 1;
        self.redos += 1;
        effects.log.push(Recorded::Retracted { from_seq: since, attempt: self.attempt, lost_calls: 0 });
        effects.commit = true;
        let text = format!("the answer broke off and is asked for again: {}", error.message);
        effects.log.push(Recorded::Notice { code: REDONE.to_owned(), text });
    }

    /// Continues the turn under a new owner. A turn that waited had shown nothing that is not durable, so it retracts
    /// nothing.
    fn resumed(&mut self, resumption: &Resumption, effects: &mut Effects) {
        let Resumption { attempt, lost_calls, attempt_limit_reached, last_seq, can_ask } = *resumption;
        self.attempt = attempt;
        let waited = self.waits();
        let lost_calls = if self.state == State::Ready { lost_calls } else { 0 };
        (0..lost_calls).for_each(|_| self.consume(&Usage::unmetered()));
        self.counted_deaths += lost_calls;
        if !waited {
            effects.log.push(Recorded::Retracted { from_seq: last_seq + 1, attempt: self.attempt, lost_calls });
        }
        self.forget_unsafe_starts(can_ask && attempt_limit_reached.is_none(), effects);
        if let Some(limit) = attempt_limit_reached {
            self.keep_unfinished(effects);
            self.abandon_round(&[], TurnStatus::Failed, effects);
            let message = format!(
                "the server stopped repeatedly while it worked on the same step; limits.max_attempts is {limit}"
            );
            effects.error(ErrorScope::Turn, "attempts_exhausted", &message, true);
            self.end(TurnStatus::Failed, effects);
        }
    }

    /// Keeps the output and the usage of an attempt.
    fn keep(&mut self, partial: &PartialAnswer, mark: Mark, effects: &mut Effects) {
        let usage = partial.usage.clone().unwrap_or_else(Usage::unmetered);
        self.consume(&usage);
        let has_frame = partial.parts.iter().any(|part| part.text_bytes() > 0 || is_call(part));
        if has_frame || (!partial.parts.is_empty() && self.unfinished.is_none()) {
            self.unfinished = None;
            effects.add_message(Message::new(Role::Assistant, partial.parts.clone()), Some(mark));
        }
        self.step_ended(FinishReason::Interrupted, usage, effects);
    }

    pub(super) fn consume(&mut self, usage: &Usage) {
        self.usage.add(usage);
    }

    pub(super) fn step_ended(&self, finish: FinishReason, usage: Usage, effects: &mut Effects) {
        effects.log.push(Recorded::StepEnded { step: self.step, finish, usage, attempts: Vec::new() });
    }

    pub(super) fn limit_reached(&mut self, effects: &mut Effects) {
        let rounds = self.limits.max_rounds;
        let message = format!("stopped after {rounds} round{} of tool calls", if rounds == 1 { "" } else { "s" });
        effects.error(ErrorScope::Turn, "max_tool_rounds", &message, false);
        self.end(TurnStatus::Limit, effects);
    }

    pub(super) fn end(&mut self, status: TurnStatus, effects: &mut Effects) {
        self.state = State::Ended { status };
        effects.log.push(Recorded::TurnEnded {
            status,
            usage: self.usage.clone(),
            steps: self.step,
            steered_into: None,
        });
        effects.end = Some((status, self.usage.clone()));
        effects.commit = true;
        effects.waiting = false;
    }
}

fn change_view(change: &Message, code: &str, text: &str, effects: &mut Effects) {
    effects.messages.push(change.clone());
    effects.log.push(Recorded::Notice { code: code.to_owned(), text: text.to_owned() });
    effects.commit = true;
}

/// Reports whether an attempt that broke off left anything: output, or usage counted by its provider.
fn is_something(partial: &PartialAnswer) -> bool {
    !partial.parts.is_empty() || partial.usage.is_some()
}

fn is_call(part: &Part) -> bool {
    matches!(part, Part::ToolCall(_))
}
