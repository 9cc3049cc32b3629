//! Responses from a recording.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_core::Stream;
use turnkit_core::{ProviderError, ProviderErrorKind};
use turnkit_net::Target;

use super::exchange::ExchangeOutcome;
use super::library::{Recorded, Recordings};
use crate::upstream::{Upstream, UpstreamResponse};

/// Replays a recorded exchange and compares its request with the current one. Nothing is sent.
#[derive(Debug)]
pub(crate) struct Playback {
    recorded: Recorded,
    recordings: Arc<Recordings>,
}

impl Playback {
    /// Creates a playback of `recorded`, one of `recordings`.
    pub(crate) fn new(recorded: Recorded, recordings: Arc<Recordings>) -> Self {
        Self { recorded, recordings }
    }
}

impl Upstream for Playback {
    type Response = Recorded;

    async fn send(&self, _: &Target, body: &Bytes) -> Result<Recorded, ProviderError> {
        self.recordings.compare(&self.recorded, body);
        match (&self.recorded.exchange.ended, self.recorded.exchange.status) {
            (ExchangeOutcome::Failed(failure), None) => Err(failure.error()),
            _ => Ok(self.recorded.clone()),
        }
    }
}

impl UpstreamResponse for Recorded {
    type Body = RecordedBody;

    fn status(&self) -> u16 {
        self.exchange.status.unwrap_or_default()
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.exchange.headers.get(name).map(String::as_str)
    }

    fn into_body(self) -> RecordedBody {
        let error = match &self.exchange.ended {
            ExchangeOutcome::Complete => None,
            ExchangeOutcome::Failed(failure) => Some(failure.error()),
            ExchangeOutcome::Aborted => {
                let message = "the recording ends here: its reader left before the end of the response";
                Some(ProviderError::new(ProviderErrorKind::Truncated, message))
            }
        };
        RecordedBody { rest: self.response, error }
    }

    async fn collect(self, _: usize) -> Result<Vec<u8>, ProviderError> {
        let RecordedBody { rest, error } = self.into_body();
        error.map_or_else(|| Ok(rest.into()), Err)
    }
}

/// The body of a recorded response, in one chunk.
#[derive(Debug)]
pub(crate) struct RecordedBody {
    rest: Bytes,
    /// The error that ended the body, if it is incomplete.
    error: Option<ProviderError>,
}

impl Stream for RecordedBody {
    type Item = Result<Bytes, ProviderError>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(match std::mem::take(&mut self.rest) {
            rest if rest.is_empty() => self.error.take().map(Err),
            rest => Some(Ok(rest)),
        })
    }
}
