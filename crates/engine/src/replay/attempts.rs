//! What is known of each attempt at a model call of a stored turn, besides what was said.

use std::collections::HashMap;

use turnkit_core::ports::{NoticeClass, OpeningNotice};
use turnkit_core::{Cost, ErrorScope, EventKind, FinishReason, Str, TurnEvent};

use crate::context::{TRUNCATED_AFTER_OVERFLOW, is_of_rewrite};
use crate::driver::{BUDGET_NEARLY_USED_UP, CONTEXT_OVERFLOW};
use crate::machine::{COMPACTION_FAILED, REDONE, STOPPED};

/// The attempts of a turn.
#[derive(Debug, Default)]
pub(super) struct Attempts {
    /// Those that somebody began to answer, by step and attempt.
    begun: HashMap<(u16, u16), Attempt>,
    /// What was told of budgets before an attempt, whether or not somebody began to answer.
    near: HashMap<(u16, u16), Vec<String>>,
    /// The notices of changes of the messages that are sent, and the compactions, in order.
    pub(super) rewrites: Vec<RewriteEvent>,
    /// Codes and sentences of the notices right before the error of a request that no model could take.
    pub(super) before_overflow: Vec<(String, String)>,
    /// Which attempt at its step the turn came to last.
    last: u16,
    /// The step with which it ended.
    last_step: u16,
}

/// The notice of a change of the messages that are sent, or a compaction.
#[derive(Debug)]
pub(super) struct RewriteEvent {
    pub(super) event: TurnEvent,
    /// The step and the attempt before which it was reported.
    pub(super) call: (u16, u16),
    /// Codes and sentences of the notices before it, which became durable with it.
    pub(super) before: Vec<(String, String)>,
}

/// One attempt.
#[derive(Debug, Default)]
pub(super) struct Attempt {
    /// What was told right before the answer began.
    pub(super) told: Vec<OpeningNotice>,
    /// What it had cost, and at which prices: they are those of that time. Nothing if it did not come to its end.
    pub(super) cost: Option<(Cost, Option<Str>)>,
}

impl Attempts {
    pub(super) fn of(stored: &[TurnEvent]) -> Self {
        let mut attempts = Self { last: 1, ..Self::default() };
        let (mut told, mut near) = (Vec::<OpeningNotice>::new(), Vec::new());
        // The step that is next, or runs.
        let mut at = 1;
        for event in stored {
            match &event.kind {
                // The machine reports this by itself.
                EventKind::Notice { code, .. } if code == REDONE || code == COMPACTION_FAILED => {}
                kind if is_rewrite(kind) => {
                    let warnings = near.drain(..).map(|text| (BUDGET_NEARLY_USED_UP.to_owned(), text));
                    let others = told.drain(..).map(|notice| (notice.code, notice.text));
                    let before = warnings.chain(others).collect();
                    attempts.rewrites.push(RewriteEvent { event: event.clone(), call: (at, attempts.last), before });
                    attempts.last += u16::from(begins_attempt(kind));
                }
                EventKind::Notice { code, text } if code == BUDGET_NEARLY_USED_UP => near.push(text.clone()),
                EventKind::Notice { code, text } => {
                    // The stored turn has it here, whatever its class was.
                    let class = NoticeClass::Occurrence;
                    told.push(OpeningNotice { class, code: code.clone(), text: text.clone() });
                }
                EventKind::StepStarted { step, .. } => {
                    at = *step;
                    let attempt = Attempt { told: std::mem::take(&mut told), cost: None };
                    attempts.begun.insert((*step, attempts.last), attempt);
                    attempts.near.entry((*step, attempts.last)).or_default().append(&mut near);
                }
                EventKind::Error { code, scope: ErrorScope::Turn, .. } if code == CONTEXT_OVERFLOW => {
                    attempts.before_overflow = told.drain(..).map(|notice| (notice.code, notice.text)).collect();
                }
                // Nobody began to answer the last call.
                EventKind::TurnEnded { steps, .. } => {
                    attempts.last_step = *steps;
                    attempts.near.entry((*steps, attempts.last)).or_default().append(&mut near);
                }
                EventKind::StepEnded { step, finish, usage, .. } => {
                    if let Some(attempt) = attempts.begun.get_mut(&(*step, attempts.last)) {
                        attempt.cost = Some((usage.cost, usage.prices.clone()));
                    }
                    // The next step follows at once.
                    if *finish == FinishReason::Pause {
                        (at, attempts.last) = (step.saturating_add(1), 1);
                    }
                }
                EventKind::Retracted { attempt, .. } => {
                    told.clear();
                    // The owner handed the turn over before an answer began.
                    attempts.near.entry((at, attempts.last)).or_default().append(&mut near);
                    attempts.last = *attempt;
                }
                // The next step follows its calls.
                EventKind::ToolStarted { uid, .. } | EventKind::ToolFinished { uid, .. } => {
                    at = uid.step.saturating_add(1);
                    told.clear();
                    attempts.last = 1;
                }
                _ => told.clear(),
            }
        }
        attempts
    }

    pub(super) fn find(&self, step: u16, attempt: u16) -> Option<&Attempt> {
        self.begun.get(&(step, attempt))
    }

    /// What was told before an attempt of budgets that were nearly used up.
    pub(super) fn near(&self, step: u16, attempt: u16) -> Option<&[String]> {
        self.near.get(&(step, attempt)).map(Vec::as_slice)
    }

    /// Reports whether the turn came to no later attempt than this one.
    pub(super) fn is_last(&self, step: u16, attempt: u16) -> bool {
        (self.last_step, self.last) == (step, attempt)
    }

    /// Which attempt at its step the turn came to last, from 1.
    pub(super) fn last(&self) -> u16 {
        self.last
    }
}

/// Reports whether the event is about a change of the messages that are sent.
fn is_rewrite(event: &EventKind) -> bool {
    match event {
        EventKind::Notice { code, .. } => is_of_rewrite(code),
        EventKind::Compacted { .. } => true,
        _ => false,
    }
}

/// Reports whether such an event begins the next attempt at a step.
fn begins_attempt(event: &EventKind) -> bool {
    match event {
        EventKind::Notice { code, .. } => code == TRUNCATED_AFTER_OVERFLOW,
        EventKind::Compacted { failure, .. } => failure.as_deref() != Some(STOPPED),
        _ => false,
    }
}
