//! Requests a summary from a compactor, piece by piece.

use std::panic::AssertUnwindSafe;
use std::sync::{Mutex, PoisonError};

use futures_util::FutureExt as _;
use turnkit_core::ports::{CallContext, CompactError, Compacted, CompactionCalls, HistoryCompactor, LlmProvider};
use turnkit_core::{ChatRequest, Usage};

use crate::context::{CompactionCut, Pieces};

/// A request to summarise messages.
pub(crate) struct CompactionJob<'a> {
    pub(crate) compactor: &'a dyn HistoryCompactor,
    /// The session's next request, without messages.
    pub(crate) request: ChatRequest,
    /// The messages to summarise, without those that stay.
    pub(crate) pieces: Pieces,
    pub(crate) provider: &'a dyn LlmProvider,
    pub(crate) call: &'a CallContext,
    /// The usage of the pieces that have a summary: the job may be stopped before it returns.
    pub(crate) finished: &'a Mutex<Option<Usage>>,
}

impl CompactionJob<'_> {
    /// Summarises one piece after the other, each with the summary of the pieces before it.
    ///
    /// # Errors
    /// A piece has no summary, or one that is hardly smaller. Contains the reason.
    pub(super) async fn run(self) -> Result<Compacted, CompactError> {
        let (mut text, mut calls) = (None, None);
        for number in 0..self.pieces.len() {
            let history = self.pieces.piece(number, text.take());
            let tokens = CompactionCut::tokens_of(&history);
            match self.ask(ChatRequest { history, ..self.request.clone() }).await {
                Ok(summary) => {
                    calls = sum(calls, summary.calls);
                    let consumed = calls.as_ref().map(|calls| calls.usage.clone());
                    *self.finished.lock().unwrap_or_else(PoisonError::into_inner) = consumed;
                    let is_last = number + 1 == self.pieces.len();
                    if !is_last && let Err(message) = CompactionCut::check(&summary.text, tokens) {
                        return Err(CompactError { message, calls });
                    }
                    text = Some(summary.text);
                }
                Err(CompactError { message, calls: of_piece }) => {
                    return Err(CompactError { message, calls: sum(calls, of_piece) });
                }
            }
        }
        Ok(Compacted { text: text.unwrap_or_default(), calls })
    }

    /// Calls the compactor of the host, which may panic: that must not end the turn without an error.
    async fn ask(&self, request: ChatRequest) -> Result<Compacted, CompactError> {
        let asked = AssertUnwindSafe(async { self.compactor.compact(request, self.provider, self.call).await });
        let panicked = |_| CompactError { message: "the compactor panicked".to_owned(), calls: None };
        asked.catch_unwind().await.map_err(panicked)?
    }
}

fn sum(before: Option<CompactionCalls>, calls: Option<CompactionCalls>) -> Option<CompactionCalls> {
    match (before, calls) {
        (Some(before), Some(mut calls)) => {
            calls.usage.add(&before.usage);
            Some(calls)
        }
        (before, calls) => calls.or(before),
    }
}
