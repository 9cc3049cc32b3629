//! Upstream responses from the network.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_core::Stream;
use turnkit_core::ProviderError;
use turnkit_net::{Body, HttpClient, Response, Target};

use crate::network_error::unreachable;
use crate::upstream::{Upstream, UpstreamResponse};

impl Upstream for HttpClient {
    type Response = Response;

    async fn send(&self, target: &Target, body: &Bytes) -> Result<Response, ProviderError> {
        self.post(target, body.clone()).await.map_err(|error| unreachable(&error))
    }
}

impl UpstreamResponse for Response {
    type Body = NetworkBody;

    fn status(&self) -> u16 {
        self.status()
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.header(name)
    }

    fn into_body(self) -> NetworkBody {
        NetworkBody(self.into_body())
    }

    async fn collect(self, max: usize) -> Result<Vec<u8>, ProviderError> {
        self.into_body().collect(max).await.map_err(|error| unreachable(&error))
    }
}

/// A body whose errors are provider errors.
#[derive(Debug)]
pub(crate) struct NetworkBody(Body);

impl Stream for NetworkBody {
    type Item = Result<Bytes, ProviderError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Pin::new(&mut self.0).poll_next(cx).map(|read| read.map(|read| read.map_err(|error| unreachable(&error))))
    }
}
