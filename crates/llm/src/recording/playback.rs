//! Responses from a recording.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_core::Stream;
use turnkit_core::ports::BoxFuture;
use turnkit_core::{ProviderError, ProviderErrorKind};
use turnkit_net::Target;

use super::{Ended, Recorded, Recordings};
use crate::upstream::{BoxResponse, Response, Upstream};

/// Repeats a recorded exchange and compares its request with the present one. Nothing is sent.
#[derive(Debug)]
pub(crate) struct Playback {
    pub(crate) recorded: Recorded,
    pub(crate) recordings: Arc<Recordings>,
}

impl Upstream for Playback {
    fn ask<'a>(&'a self, _: &'a Target, body: &'a Bytes) -> BoxFuture<'a, Result<BoxResponse, ProviderError>> {
        let Self { recorded, recordings } = self;
        recordings.compare(recorded, body);
        let exchange = &recorded.exchange;
        let response = match (&exchange.ended, exchange.status) {
            (Ended::Failed(failure), None) => Err(failure.error()),
            _ => Ok(Box::new(RecordedResponse::of(recorded)) as BoxResponse),
        };
        Box::pin(std::future::ready(response))
    }
}

/// A recorded response.
#[derive(Debug)]
struct RecordedResponse {
    recorded: Recorded,
    /// The rest of the body.
    rest: Bytes,
    /// What ended the body before its end.
    error: Option<ProviderError>,
}

impl RecordedResponse {
    fn of(recorded: &Recorded) -> Self {
        let error = match &recorded.exchange.ended {
            Ended::Whole => None,
            Ended::Failed(failure) => Some(failure.error()),
            Ended::Dropped => {
                let message = "nobody waited for the rest when it was recorded";
                Some(ProviderError::new(ProviderErrorKind::Truncated, message))
            }
        };
        Self { recorded: recorded.clone(), rest: recorded.response.clone(), error }
    }
}

impl Response for RecordedResponse {
    fn status(&self) -> u16 {
        self.recorded.exchange.status.unwrap_or_default()
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.recorded.exchange.headers.get(name).map(String::as_str)
    }
}

impl Stream for RecordedResponse {
    type Item = Result<Bytes, ProviderError>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(match std::mem::take(&mut self.rest) {
            rest if rest.is_empty() => self.error.take().map(Err),
            rest => Some(Ok(rest)),
        })
    }
}
