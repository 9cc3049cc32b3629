//! What is known of each attempt at a model call of a stored turn, besides what was said.

use std::collections::HashMap;

use turnkit_core::{Cost, EventKind, Notice, Str, TurnEvent};

use crate::machine::REDONE;

/// The attempts of a turn that somebody began to answer.
#[derive(Debug, Default)]
pub(super) struct Attempts {
    /// By step and attempt.
    begun: HashMap<(u16, u16), Attempt>,
    /// Which attempt at its step the turn came to last.
    last: u16,
}

/// One attempt.
#[derive(Debug, Default)]
pub(crate) struct Attempt {
    /// What was told right before the answer began.
    pub(super) told: Vec<Notice>,
    /// What it had cost, and at which prices: they are those of that time. Nothing if it did not come to its end.
    pub(crate) cost: Option<(Cost, Option<Str>)>,
}

impl Attempts {
    pub(super) fn of(stored: &[TurnEvent]) -> Self {
        let mut attempts = Self { last: 1, ..Self::default() };
        let mut told = Vec::new();
        for event in stored {
            match &event.kind {
                // The machine tells it by itself, with what is retracted.
                EventKind::Notice { code, .. } if code == REDONE => {}
                EventKind::Notice { code, text } => told.push(Notice { code: code.clone(), text: text.clone() }),
                EventKind::StepStarted { step, .. } => {
                    let attempt = Attempt { told: std::mem::take(&mut told), cost: None };
                    attempts.begun.insert((*step, attempts.last), attempt);
                }
                EventKind::StepEnded { step, usage, .. } => {
                    if let Some(attempt) = attempts.begun.get_mut(&(*step, attempts.last)) {
                        attempt.cost = Some((usage.cost, usage.prices.clone()));
                    }
                }
                EventKind::Retracted { attempt, .. } => {
                    told.clear();
                    attempts.last = *attempt;
                }
                // The next step follows its calls.
                EventKind::ToolStarted { .. } | EventKind::ToolFinished { .. } => {
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

    /// Which attempt at its step the turn came to last, from 1.
    pub(super) fn last(&self) -> u16 {
        self.last
    }
}
