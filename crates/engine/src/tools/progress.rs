//! Progress reports of running calls, at a rate that followers can read.

use std::convert::Infallible;
use std::pin::pin;
use std::sync::{Mutex, MutexGuard, PoisonError};

use futures_util::future::{Either, select};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};
use turnkit_core::ports::ReportProgress;
use turnkit_core::{CallUid, LiveTurn, ToolProgress};

/// Receives the reports of one call and shows them to the followers of its turn: the first at once, then the last of
/// each [`INTERVAL`](ToolProgress::INTERVAL).
pub(super) struct Reporter<'a> {
    live: &'a LiveTurn,
    call: CallUid,
    state: Mutex<State>,
    held_back: Notify,
}

#[derive(Default)]
struct State {
    /// The last report, if it has not been shown yet.
    unshown: Option<ToolProgress>,
    /// The report that was shown last.
    shown: Option<ToolProgress>,
    /// When the next report may be shown.
    next_at: Option<Instant>,
}

impl<'a> Reporter<'a> {
    pub(super) fn new(live: &'a LiveTurn, call: CallUid) -> Self {
        Self { live, call, state: Mutex::default(), held_back: Notify::new() }
    }

    /// Returns the last report.
    pub(super) fn last(&self) -> Option<String> {
        let state = self.lock();
        let last = state.unshown.as_ref().or(state.shown.as_ref());
        last.map(|progress| progress.text.to_string()).filter(|text| !text.trim().is_empty())
    }

    /// Waits for the end of the call, and shows its reports in the meantime.
    pub(super) async fn watch<T>(&self, call: impl Future<Output = T>) -> T {
        match select(pin!(call), pin!(self.show_held_back())).await {
            Either::Left((output, _)) => output,
            Either::Right((never, _)) => match never {},
        }
    }

    async fn show_held_back(&self) -> Infallible {
        loop {
            self.held_back.notified().await;
            let next_at = self.lock().next_at;
            if let Some(at) = next_at {
                sleep_until(at).await;
            }
            self.show();
        }
    }

    fn show(&self) {
        let progress = {
            let mut state = self.lock();
            state.next_at = Some(Instant::now() + ToolProgress::INTERVAL);
            let progress = state.unshown.take();
            if progress.is_some() {
                state.shown.clone_from(&progress);
            }
            progress
        };
        if let Some(progress) = progress {
            self.live.report(progress);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ReportProgress for Reporter<'_> {
    fn report(&self, text: &str) {
        let is_due = {
            let mut state = self.lock();
            state.unshown = Some(ToolProgress::new(self.call, text));
            state.next_at.is_none_or(|at| at <= Instant::now())
        };
        match is_due {
            true => self.show(),
            false => self.held_back.notify_one(),
        }
    }
}
