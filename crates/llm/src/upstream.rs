//! Where answers come from: a connection, or a recording.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_core::Stream;
use turnkit_core::{ProviderError, ProviderErrorKind};
use turnkit_net::{Body, HttpClient, Response, Target};

use crate::network_error::unreachable;
use crate::recording::{Ended, Recorded, Recordings};

/// Who is asked.
#[derive(Debug)]
pub(crate) enum Upstream {
    /// Whoever is at the address.
    Network(HttpClient),
    /// Nobody: what was answered once, of these recordings, is answered again.
    Recorded(Box<Recorded>, Arc<Recordings>),
}

/// The head of a response, and its body yet to be read.
pub(crate) enum Answered {
    Network(Response),
    Recorded(Recorded),
}

/// The body of a response, as it arrives. Dropping it closes the connection.
#[derive(Debug)]
pub(crate) enum Arriving {
    Network(Body),
    /// All there is, and then the error that ended it.
    Recorded(Bytes, Option<ProviderError>),
}

impl Upstream {
    /// Sends a request and waits for the head of the response.
    pub(crate) async fn ask(&self, target: &Target, body: &Bytes) -> Result<Answered, ProviderError> {
        match self {
            Self::Network(client) => {
                let posted = client.post(target, body.clone()).await;
                posted.map(Answered::Network).map_err(|error| unreachable(&error))
            }
            Self::Recorded(recorded, recordings) => {
                recordings.compare(recorded, body);
                match (&recorded.exchange.ended, recorded.exchange.status) {
                    (Ended::Failed(failure), None) => Err(failure.error()),
                    _ => Ok(Answered::Recorded(recorded.as_ref().clone())),
                }
            }
        }
    }
}

impl Answered {
    /// The HTTP status.
    pub(crate) fn status(&self) -> u16 {
        match self {
            Self::Network(response) => response.status(),
            Self::Recorded(recorded) => recorded.exchange.status.unwrap_or_default(),
        }
    }

    /// The first value of a header, named in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        match self {
            Self::Network(response) => response.header(name),
            Self::Recorded(recorded) => recorded.exchange.headers.get(name).map(String::as_str),
        }
    }

    pub(crate) fn into_body(self) -> Arriving {
        match self {
            Self::Network(response) => Arriving::Network(response.into_body()),
            Self::Recorded(recorded) => {
                let error = match &recorded.exchange.ended {
                    Ended::Whole => None,
                    Ended::Failed(failure) => Some(failure.error()),
                    Ended::Dropped => {
                        let message = "nobody waited for the rest when it was recorded";
                        Some(ProviderError::new(ProviderErrorKind::Truncated, message))
                    }
                };
                Arriving::Recorded(recorded.response, error)
            }
        }
    }
}

impl Arriving {
    /// The whole body.
    ///
    /// # Errors
    /// It broke off, or has more than `max` bytes.
    pub(crate) async fn collect(self, max: usize) -> Result<Vec<u8>, ProviderError> {
        match self {
            Self::Network(body) => body.collect(max).await.map_err(|error| unreachable(&error)),
            Self::Recorded(_, Some(error)) => Err(error),
            Self::Recorded(bytes, None) => Ok(bytes.into()),
        }
    }
}

impl Stream for Arriving {
    type Item = Result<Bytes, ProviderError>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        match self.get_mut() {
            Self::Network(body) => {
                Pin::new(body).poll_next(cx).map(|read| read.map(|read| read.map_err(|error| unreachable(&error))))
            }
            Self::Recorded(bytes, error) => Poll::Ready(match std::mem::take(bytes) {
                bytes if bytes.is_empty() => error.take().map(Err),
                bytes => Some(Ok(bytes)),
            }),
        }
    }
}
