//! Replacing earlier messages with a summary, in a separate turn or before a step of a turn that answers a message.

use serde::{Deserialize, Serialize};
use turnkit_core::ports::CompactionCalls;
use turnkit_core::{ErrorScope, FinishReason, LOST, Message, Recorded, TurnKind, TurnStatus, Usage};

use super::{Effects, TurnMachine};

/// The code of the error that ends a turn whose compaction failed, and of the notice in a turn that continues.
pub(crate) const COMPACTION_FAILED: &str = "compaction_failed";
/// The code of the notice that a session has no messages to summarise.
pub(crate) const NOTHING_TO_COMPACT: &str = "nothing_to_compact";
/// The failure text of a compaction that was stopped.
pub(crate) const STOPPED: &str = "it was stopped";
/// The number of failed compactions after which a turn tries no more.
const MAX_FAILURES: u8 = 3;

/// The compactions of a turn that answers a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Compactions {
    /// The step before which the last compaction was made; 0 if there was none.
    step: u16,
    /// How many compactions failed.
    failed: u8,
}

/// The result of a compaction.
#[derive(Debug, Clone, PartialEq)]
pub struct Compaction {
    /// How many messages the summary was to replace.
    pub messages: u32,
    /// The estimated tokens of these messages.
    pub tokens_before: u64,
    /// The message with the summary and its estimated tokens, or the reason why there is none.
    pub summary: Result<(Message, u64), String>,
    /// The model calls made for the summary.
    pub calls: Option<CompactionCalls>,
    /// How long it took, in milliseconds.
    pub ms: u64,
}

impl TurnMachine {
    /// Reports whether earlier messages may be summarised before the running step. This happens once per step, so that
    /// a turn cannot loop.
    pub(crate) fn may_summarise(&self) -> bool {
        self.compactions.step != self.step && self.compactions.failed < MAX_FAILURES
    }

    pub(super) fn compacted(&mut self, compaction: &Compaction, effects: &mut Effects) {
        let Compaction { messages, tokens_before, summary, calls, ms } = compaction.clone();
        if let Some(calls) = &calls {
            self.consume(&calls.usage);
        }
        let (provider, model, usage) = calls
            .map_or_else(Default::default, |calls| (Some(calls.provider), Some(calls.model), Box::new(calls.usage)));
        let (tokens_after, failure) = match &summary {
            Ok((_, tokens)) => (Some(*tokens), None),
            Err(why) => (None, Some(why.clone())),
        };
        let recorded =
            Recorded::Compacted { messages, tokens_before, tokens_after, failure, provider, model, usage, ms };
        effects.log.push(recorded);
        if self.kind != TurnKind::Compact {
            self.compactions.step = self.step;
            self.compactions.failed = self.compactions.failed.saturating_add(u8::from(summary.is_err()));
            // The answer gets its own attempt number, which distinguishes the recordings of both.
            self.attempt = self.attempt.saturating_add(1);
            match summary {
                Ok((summary, _)) => effects.messages.push(summary),
                Err(why) => {
                    let text = format!("earlier messages were not summarised: {why}");
                    effects.log.push(Recorded::Notice { code: COMPACTION_FAILED.to_owned(), text });
                }
            }
            effects.commit = true;
            return;
        }
        match summary {
            Ok((summary, _)) => {
                effects.messages.push(summary);
                self.end(TurnStatus::Completed, effects);
            }
            Err(why) => {
                let message = format!("the history was not summarised and stays as it is: {why}");
                effects.error(ErrorScope::Turn, COMPACTION_FAILED, &message, true);
                self.end(TurnStatus::Failed, effects);
            }
        }
    }

    pub(super) fn nothing_to_compact(&mut self, effects: &mut Effects) {
        let text = "there is nothing to summarise: the session has no more than its newest messages".to_owned();
        effects.log.push(Recorded::Notice { code: NOTHING_TO_COMPACT.to_owned(), text });
        self.end(TurnStatus::Completed, effects);
    }

    /// Accounts for the model calls of a compaction, or of a title, that was stopped.
    pub(super) fn compaction_stopped(&mut self, usage: Option<&Usage>, effects: &mut Effects) {
        let Some(usage) = usage else { return };
        self.consume(usage);
        if self.kind == TurnKind::Title {
            return self.called(LOST, LOST, FinishReason::Interrupted, usage.clone(), effects);
        }
        effects.log.push(Recorded::Compacted {
            messages: 0,
            tokens_before: 0,
            tokens_after: None,
            failure: Some(STOPPED.to_owned()),
            provider: Some(LOST),
            model: Some(LOST),
            usage: Box::new(usage.clone()),
            ms: 0,
        });
    }
}
