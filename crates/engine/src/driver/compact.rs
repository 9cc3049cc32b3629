//! Replacing earlier messages with a summary, as an input of the machine.

use std::pin::Pin;
use std::sync::{Mutex, PoisonError};

use tokio::time::Sleep;
use turnkit_core::ports::{CallContext, Compacted, HistoryCompactor};
use turnkit_core::{ChatRequest, History, StopSignal, TurnLog};

use super::compaction_job::CompactionJob;
use super::environment::Environment;
use super::{Driver, Interruption};
use crate::context::{CompactionCut, ModelCompactor};
use crate::machine::{Compaction, Input};

/// The number of messages that stay besides a summary that the user asked for.
const KEPT_IN_MANUAL_COMPACTION: usize = 2;

impl<E: Environment> Driver<'_, E> {
    /// Summarises the earlier messages.
    pub(super) async fn compact(&mut self, call: CallContext, mut expiry: Pin<&mut Sleep>) -> Input {
        // Checked before the request, so that no model call is wasted.
        if let Some(reason) = self.stop.and_then(StopSignal::reason) {
            return Interruption::Stopped(reason).of_round(Vec::new());
        }
        if let Some(stop) = self.assembled(expiry.as_mut()).await {
            return stop;
        }
        self.measure();
        let decide = || match self.is_chore {
            false => CompactionCut::keeping(&self.session.history, KEPT_IN_MANUAL_COMPACTION),
            true => self.cut_ahead(),
        };
        let Some(cut) = self.environment.cut(&call, decide) else { return Input::NothingToCompact };
        self.summarise(cut, &call, expiry).await
    }

    /// Summarises the messages before `cut`.
    pub(super) async fn summarise(&self, cut: CompactionCut, call: &CallContext, expiry: Pin<&mut Sleep>) -> Input {
        let pieces = self.pieces(cut.covered(&self.toolbox.sent(&self.session.history)));
        let compactor: &dyn HistoryCompactor = self.settings.compactor.as_deref().unwrap_or(&ModelCompactor);
        let mut request = ChatRequest { history: History::default(), ..self.request(true) };
        if let Some((model, route)) = self.summary_route() {
            (request.model, request.route) = (model, Some(route));
        }
        let untrusted = self.toolbox.has_untrusted_text(self.view());
        let finished = Mutex::default();
        let job = CompactionJob { compactor, request, pieces, provider: self.provider, call, finished: &finished };
        let (outcome, ms) = tokio::select! {
            biased;
            why = self.environment.interrupted(expiry) => {
                let since = self.live.read(TurnLog::last_seq).saturating_add(1);
                let mut lost = self.environment.lost_in_compaction(call);
                let finished = finished.lock().unwrap_or_else(PoisonError::into_inner).clone();
                lost.iter_mut().zip(&finished).for_each(|(lost, finished)| lost.add(finished));
                return why.of_compaction(since, lost);
            }
            done = self.environment.compact(job) => done,
        };
        let (calls, summary) = match outcome {
            Ok(Compacted { text, calls }) => (calls, cut.summary(&text, untrusted)),
            Err(error) => (error.calls, Err(error.message)),
        };
        let (messages, tokens_before) = (cut.messages, cut.tokens);
        if let Err(why) = &summary {
            tracing::warn!(turn = %call.turn, reason = why, "history not compacted");
        }
        Input::CompactionFinished(Box::new(Compaction { messages, tokens_before, summary, calls, ms }))
    }
}
