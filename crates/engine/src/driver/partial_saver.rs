//! Saving an answer while it arrives, so that little of it is lost if the process dies.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, Sleep};
use turnkit_core::ports::{BoxFuture, CallContext, TurnStore};
use turnkit_core::{Claim, LiveTurn, PartialSave, SavedExtent, StoreError};

use crate::failpoint::Failpoints;

/// Saves the growing answer of one attempt, a fixed time after it began to grow. One save is in progress at a time.
/// Text that arrives in the meantime is part of the next save.
pub(super) struct PartialSaver<'a> {
    store: &'a dyn TurnStore,
    claim: &'a Claim,
    live: Arc<LiveTurn>,
    call: CallContext,
    delay: Duration,
    failpoints: Failpoints,
    /// Created when the answer begins to grow.
    timer: Option<Pin<Box<Sleep>>>,
    /// Whether the answer has grown since the last save began.
    has_grown: bool,
    under_way: Option<Save<'a>>,
    saved: SavedExtent,
    /// The number of saves begun.
    begun: u32,
    /// Whether another worker owns the turn.
    is_fenced: bool,
    /// Whether no save has succeeded since one failed.
    has_failed: bool,
}

/// A save in progress, and the extent of the answer that is saved once it is done.
struct Save<'a> {
    written: BoxFuture<'a, Result<(), StoreError>>,
    extent: SavedExtent,
}

impl<'a> PartialSaver<'a> {
    pub(super) fn new(
        store: &'a dyn TurnStore,
        claim: &'a Claim,
        live: Arc<LiveTurn>,
        call: CallContext,
        delay: Duration,
        failpoints: Failpoints,
    ) -> Self {
        Self {
            store,
            claim,
            live,
            call,
            delay,
            failpoints,
            timer: None,
            has_grown: false,
            under_way: None,
            saved: SavedExtent::default(),
            begun: 0,
            is_fenced: false,
            has_failed: false,
        }
    }

    /// Records that the answer has grown, and starts the delay.
    pub(super) fn grow(&mut self) {
        if self.has_grown || self.is_fenced {
            return;
        }
        self.has_grown = true;
        let due = Instant::now() + self.delay;
        match &mut self.timer {
            Some(timer) => timer.as_mut().reset(due),
            None => self.timer = Some(Box::pin(tokio::time::sleep_until(due))),
        }
    }

    /// Saves the answer each time the delay has elapsed. If this future is dropped, a save in progress continues at the
    /// next call.
    pub(super) async fn run(&mut self) -> Infallible {
        loop {
            self.settle().await;
            match &mut self.timer {
                Some(timer) if self.has_grown => timer.as_mut().await,
                _ => std::future::pending().await,
            }
            self.begin();
        }
    }

    /// Waits for the save in progress. Returns `true` if any save was begun.
    pub(super) async fn finish(mut self) -> bool {
        self.settle().await;
        self.begun > 0
    }

    fn begin(&mut self) {
        self.has_grown = false;
        let mut extent = self.saved.clone();
        let texts = self.live.read(|log| log.take_new_text(&mut extent));
        if texts.is_empty() {
            return;
        }
        let partial = PartialSave { step: self.call.step, attempt: self.call.attempt, order: self.begun, texts };
        self.begun = self.begun.saturating_add(1);
        self.under_way = Some(Save { written: self.store.save_partial(self.claim, partial), extent });
    }

    async fn settle(&mut self) {
        let Some(save) = &mut self.under_way else { return };
        let written = save.written.as_mut().await;
        let Some(save) = self.under_way.take() else { return };
        match written {
            Ok(()) => {
                (self.saved, self.has_failed) = (save.extent, false);
                self.failpoints.hit("partial.saved");
            }
            // The next checkpoint fails in the same way, and ends the run.
            Err(StoreError::Fenced) => (self.is_fenced, self.has_grown) = (true, false),
            Err(error) => {
                // Logged once, because a full disk fails every save.
                if !std::mem::replace(&mut self.has_failed, true) {
                    tracing::warn!(turn = %self.call.turn, %error, "could not save the answer so far");
                }
                self.grow();
            }
        }
    }
}
