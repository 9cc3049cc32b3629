//! Checks of a server: its readiness, and whether its streams arrive without buffering.

use std::pin::Pin;
use std::time::{Duration, Instant};

use futures_core::Stream;
use turnkit_llm::sse::{Event, SseDecoder, SseError};
use turnkit_net::Response;
use turnkit_server::Readiness;

use super::{Client, RemoteError, ServerAddress};

impl Client {
    /// Returns a client of the same server through another address.
    pub(crate) fn through(&self, url: &str) -> Result<Self, RemoteError> {
        Self::new(ServerAddress::Url {
            url: url.trim_end_matches('/').to_owned(),
            key: self.address.key().map(str::to_owned),
        })
    }

    /// Returns whether the server accepts turns. A server that does not is not an error.
    pub(crate) async fn readiness(&self) -> Result<Readiness, RemoteError> {
        let target = self.target("/readyz")?;
        let response = self.in_time(self.http.get(&target)).await?;
        self.read(response).await
    }

    /// Returns the time between the first and the last event of a stream that the server sends over 750 ms.
    pub(crate) async fn probe(&self) -> Result<Duration, RemoteError> {
        let response = self.stream("/api/v1/probe", None).await?;
        match turnkit_net::timeout(super::TIMEOUT, self.spread(response)).await {
            Ok(spread) => spread,
            Err(_) => Err(RemoteError::NoResponse { url: self.url().to_owned() }),
        }
    }

    async fn spread(&self, response: Response) -> Result<Duration, RemoteError> {
        let (mut body, mut decoder) = (response.into_body(), SseDecoder::default());
        let mut arrived = Vec::new();
        while let Some(bytes) = std::future::poll_fn(|cx| Pin::new(&mut body).poll_next(cx)).await {
            let (bytes, now) = (bytes.map_err(|error| self.unreachable(error))?, Instant::now());
            let count = |_: Event<'_>| {
                arrived.push(now);
                Ok::<(), SseError>(())
            };
            decoder.push(&bytes, count).map_err(|error| RemoteError::InvalidResponse(error.to_string()))?;
        }
        match (arrived.first(), arrived.last()) {
            (Some(first), Some(last)) if arrived.len() > 1 => Ok(*last - *first),
            _ => Err(RemoteError::InvalidResponse("the stream ended before its last event".to_owned())),
        }
    }
}
