//! The stream of an opened answer, and the resources it holds until it ends.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll, ready};

use futures_core::Stream;
use turnkit_core::ports::{Clock, DeltaStream};
use turnkit_core::{Delta, ModelName, ProviderError, Usage};

use super::limiter::RatePermit;
use super::pass::Pass;
use super::slots::Slot;

/// The deltas of an answer. The slot is released when the stream ends or is dropped.
pub(super) struct Leased {
    deltas: DeltaStream,
    lease: Option<Lease>,
}

/// The resources held by an answer.
pub(super) struct Lease {
    pub(super) pass: Pass,
    pub(super) model: Option<ModelName>,
    pub(super) clock: Arc<dyn Clock>,
    /// The share of the rate limit, if there is one: an estimate until usage is reported.
    pub(super) rate: Option<RatePermit>,
    pub(super) _slot: Slot,
}

impl Leased {
    pub(super) fn new(deltas: DeltaStream, lease: Lease) -> Self {
        Self { deltas, lease: Some(lease) }
    }
}

impl Stream for Leased {
    type Item = Result<Vec<Delta>, ProviderError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = ready!(self.deltas.as_mut().poll_next(cx));
        match &next {
            Some(Ok(batch)) => {
                if let Some(lease) = self.lease.as_mut().filter(|lease| lease.rate.is_some()) {
                    lease.count(batch);
                }
            }
            Some(Err(error)) => {
                if let Some(mut lease) = self.lease.take() {
                    lease.pass.seat.failures.fetch_add(1, Ordering::Relaxed);
                    lease.pass.failed(lease.model.as_ref(), error, lease.clock.now());
                }
            }
            None => {
                if let Some(mut lease) = self.lease.take() {
                    lease.pass.succeeded();
                }
            }
        }
        Poll::Ready(next)
    }
}

impl Lease {
    /// Replaces the estimate by the reported usage.
    fn count(&mut self, batch: &[Delta]) {
        for delta in batch {
            if let Delta::Usage(Usage { fresh, cache_read, cache_write, output, .. }) = delta {
                let used: f64 = [fresh, cache_read, cache_write, output].map(|tokens| *tokens as f64).iter().sum();
                self.rate.iter_mut().for_each(|rate| rate.set_tokens(used));
            }
        }
    }
}
