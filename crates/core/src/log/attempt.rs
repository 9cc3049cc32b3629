//! The running model attempt of a log. Its output is provisional.

use super::TurnLog;
use crate::{
    Answer, Delta, FailedAttempt, Fold, FoldError, PartialAnswer, ProviderError, Recorded, SavedExtent, SavedText,
    Timestamp,
};

impl TurnLog {
    /// Begins the answer of a model attempt. It is visible at once.
    pub fn open_attempt(&mut self, at: Timestamp, step: u16, provider: &str, model: &str) {
        let (provider, model) = (provider.into(), model.into());
        self.stage(
            at,
            Recorded::Attempt {
                step,
                provider,
                model,
                timeline: Default::default(),
                message: None,
                withdrawn: Vec::new(),
            },
        );
        self.open = Some(Fold::new(self.turn, step));
        self.reveal();
    }

    /// Records attempts at the model call of a step that failed before the running one.
    pub fn add_failed_attempts(&mut self, step: u16, failed: Vec<FailedAttempt>) {
        match &mut self.failed {
            _ if failed.is_empty() => {}
            Some((known, attempts)) if *known == step => attempts.extend(failed),
            earlier => *earlier = Some((step, failed)),
        }
    }

    /// Returns the attempts at the model call of a step that failed before one was answered.
    pub fn failed_attempts(&self, step: u16) -> Vec<FailedAttempt> {
        let of_step = self.failed.as_ref().filter(|(known, _)| *known == step);
        of_step.map(|(_, attempts)| attempts.clone()).unwrap_or_default()
    }

    /// Adds output of the running attempt. It is visible at once.
    ///
    /// # Errors
    /// The delta does not fit the earlier ones.
    pub fn show(&mut self, delta: &Delta) -> Result<(), FoldError> {
        self.open.as_mut().map_or(Ok(()), |fold| fold.push(delta))
    }

    /// Returns the number of the first event of the running attempt.
    pub fn attempt_seq(&self) -> Option<u32> {
        self.open.as_ref().and(self.slots.last()).map(|slot| slot.first)
    }

    /// Returns `true` if the running attempt has produced output.
    pub fn has_output(&self) -> bool {
        self.open.as_ref().is_some_and(Fold::has_output)
    }

    /// Returns the text that the running attempt added since `extent`, and advances `extent`.
    pub fn take_new_text(&self, extent: &mut SavedExtent) -> Vec<SavedText> {
        self.open.as_ref().map(|fold| fold.take_new_text(extent)).unwrap_or_default()
    }

    /// Returns the complete answer of the running attempt.
    ///
    /// # Errors
    /// The attempt has not reached its finish reason.
    pub fn answer(&self) -> Result<Answer, ProviderError> {
        self.open.clone().unwrap_or_else(|| Fold::new(self.turn, 0)).finish()
    }

    /// Ends the open parts of an interrupted attempt, and returns the parts received so far.
    pub fn break_off(&mut self) -> Option<PartialAnswer> {
        let fold = self.open.as_mut()?;
        fold.break_off();
        Some(fold.clone().abandon())
    }

    /// Closes the attempt. Its text is in message number `message_index` of the turn; without one, its output is void.
    pub fn close_attempt(&mut self, message_index: Option<u32>) {
        let Some(fold) = self.open.take() else { return };
        if let Some(Recorded::Attempt { timeline, message, withdrawn, .. }) =
            self.slots.last_mut().map(|slot| &mut slot.entry.kind)
        {
            if message_index.is_none() {
                *withdrawn = fold.clone().abandon().parts;
            }
            *timeline = fold.into_timeline();
            *message = message_index;
        }
    }
}
