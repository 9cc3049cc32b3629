//! The recorded facts about each attempt at a model call of a stored turn, apart from the answer.

use std::collections::HashMap;

use turnkit_core::ports::{NoticeClass, OpeningNotice};
use turnkit_core::{Cost, ErrorScope, EventKind, FailedAttempt, FinishReason, Str, TurnEvent};

use crate::context::{TRUNCATED_AFTER_OVERFLOW, is_of_rewrite};
use crate::driver::{BUDGET_NEARLY_USED_UP, CONTEXT_OVERFLOW};
use crate::machine::{COMPACTION_FAILED, REDONE, STOPPED};

/// The attempts of a turn.
#[derive(Debug, Default)]
pub(super) struct Attempts {
    /// The attempts that a provider began to answer, by step and attempt.
    begun: HashMap<(u16, u16), Attempt>,
    /// The budget warnings before each attempt, whether or not a provider began to answer it.
    budget_warnings: HashMap<(u16, u16), Vec<String>>,
    /// The notices of changes of the messages sent to the model, and the compactions, in order.
    pub(super) rewrites: Vec<RewriteEvent>,
    /// The codes and texts of the notices right before the error of a request that no model could accept.
    pub(super) before_overflow: Vec<(String, String)>,
    /// The attempts at the last model call, if no provider answered it.
    pub(super) unanswered: Vec<FailedAttempt>,
    /// The last attempt of the current step.
    last: u16,
    /// The last step of the turn.
    last_step: u16,
}

/// A notice of changed messages, or a compaction.
#[derive(Debug)]
pub(super) struct RewriteEvent {
    pub(super) event: TurnEvent,
    /// The step and the attempt before which it was reported.
    pub(super) call: (u16, u16),
    /// The codes and texts of the notices before it that became durable along with it.
    pub(super) before: Vec<(String, String)>,
}

/// A single attempt.
#[derive(Debug, Default)]
pub(super) struct Attempt {
    /// The notices right before the answer began.
    pub(super) opening_notices: Vec<OpeningNotice>,
    /// The attempts that failed before it.
    pub(super) failed: Vec<FailedAttempt>,
    /// The cost, and the version of the prices of that time. Absent if the attempt did not finish.
    pub(super) cost: Option<(Cost, Option<Str>)>,
}

impl Attempts {
    pub(super) fn from_events(stored: &[TurnEvent]) -> Self {
        let mut attempts = Self { last: 1, ..Self::default() };
        let (mut opening_notices, mut budget_warnings) = (Vec::<OpeningNotice>::new(), Vec::new());
        // The current or next step.
        let mut at = 1;
        for event in stored {
            match &event.kind {
                // The machine generates this notice itself.
                EventKind::Notice { code, .. } if code == REDONE || code == COMPACTION_FAILED => {}
                kind if is_rewrite(kind) => {
                    let warnings = budget_warnings.drain(..).map(|text| (BUDGET_NEARLY_USED_UP.to_owned(), text));
                    let others = opening_notices.drain(..).map(|notice| (notice.code, notice.text));
                    let before = warnings.chain(others).collect();
                    attempts.rewrites.push(RewriteEvent { event: event.clone(), call: (at, attempts.last), before });
                    attempts.last += u16::from(begins_attempt(kind));
                }
                EventKind::Notice { code, text } if code == BUDGET_NEARLY_USED_UP => budget_warnings.push(text.clone()),
                EventKind::Notice { code, text } => {
                    // The stored turn has the notice here, regardless of its class.
                    let class = NoticeClass::Occurrence;
                    opening_notices.push(OpeningNotice { class, code: code.clone(), text: text.clone() });
                }
                EventKind::StepStarted { step, .. } => {
                    at = *step;
                    let opening_notices = std::mem::take(&mut opening_notices);
                    let attempt = Attempt { opening_notices, ..Attempt::default() };
                    attempts.begun.insert((*step, attempts.last), attempt);
                    attempts.budget_warnings.entry((*step, attempts.last)).or_default().append(&mut budget_warnings);
                }
                EventKind::Error { code, scope: ErrorScope::Turn, .. } if code == CONTEXT_OVERFLOW => {
                    attempts.before_overflow =
                        opening_notices.drain(..).map(|notice| (notice.code, notice.text)).collect();
                }
                EventKind::Error { attempts: failed, scope: ErrorScope::Provider, .. } => {
                    opening_notices.clear();
                    attempts.unanswered.clone_from(failed);
                }
                // No provider began to answer the last call.
                EventKind::TurnEnded { steps, .. } => {
                    attempts.last_step = *steps;
                    attempts.budget_warnings.entry((*steps, attempts.last)).or_default().append(&mut budget_warnings);
                }
                EventKind::StepEnded { step, finish, usage, attempts: failed } => {
                    if let Some(attempt) = attempts.begun.get_mut(&(*step, attempts.last)) {
                        attempt.failed.clone_from(failed);
                        attempt.cost = Some((usage.cost, usage.prices.clone()));
                    }
                    // The next step follows at once.
                    if *finish == FinishReason::Pause {
                        (at, attempts.last) = (step.saturating_add(1), 1);
                    }
                }
                EventKind::Retracted { attempt, .. } => {
                    opening_notices.clear();
                    // The owner handed over the turn before an answer began.
                    attempts.budget_warnings.entry((at, attempts.last)).or_default().append(&mut budget_warnings);
                    attempts.last = *attempt;
                }
                // The next step follows its calls.
                EventKind::ToolStarted { uid, .. } | EventKind::ToolFinished { uid, .. } => {
                    at = uid.step.saturating_add(1);
                    opening_notices.clear();
                    attempts.last = 1;
                }
                _ => opening_notices.clear(),
            }
        }
        attempts
    }

    pub(super) fn find(&self, step: u16, attempt: u16) -> Option<&Attempt> {
        self.begun.get(&(step, attempt))
    }

    /// Returns the warnings about nearly exhausted budgets before an attempt.
    pub(super) fn budget_warnings(&self, step: u16, attempt: u16) -> Option<&[String]> {
        self.budget_warnings.get(&(step, attempt)).map(Vec::as_slice)
    }

    /// Reports whether this was the last attempt of the turn.
    pub(super) fn is_last(&self, step: u16, attempt: u16) -> bool {
        (self.last_step, self.last) == (step, attempt)
    }

    /// Returns the last attempt of the last step, from 1.
    pub(super) fn last(&self) -> u16 {
        self.last
    }
}

/// Reports whether the event is about a change of the messages sent to the model.
fn is_rewrite(event: &EventKind) -> bool {
    match event {
        EventKind::Notice { code, .. } => is_of_rewrite(code),
        EventKind::Compacted { .. } => true,
        _ => false,
    }
}

/// Reports whether such an event starts the next attempt at a step.
fn begins_attempt(event: &EventKind) -> bool {
    match event {
        EventKind::Notice { code, .. } => code == TRUNCATED_AFTER_OVERFLOW,
        EventKind::Compacted { failure, .. } => failure.as_deref() != Some(STOPPED),
        _ => false,
    }
}
