//! Responses from the network.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_core::Stream;
use turnkit_core::ProviderError;
use turnkit_core::ports::BoxFuture;
use turnkit_net::{HttpClient, Target};

use crate::network_error::unreachable;
use crate::upstream::{BoxResponse, Response, Upstream};

impl Upstream for HttpClient {
    fn ask<'a>(&'a self, target: &'a Target, body: &'a Bytes) -> BoxFuture<'a, Result<BoxResponse, ProviderError>> {
        Box::pin(async move {
            match self.post(target, body.clone()).await {
                Ok(response) => Ok(Box::new(NetworkResponse(response)) as BoxResponse),
                Err(error) => Err(unreachable(&error)),
            }
        })
    }
}

/// A response as it arrives.
#[derive(Debug)]
struct NetworkResponse(turnkit_net::Response);

impl Response for NetworkResponse {
    fn status(&self) -> u16 {
        self.0.status()
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.0.header(name)
    }
}

impl Stream for NetworkResponse {
    type Item = Result<Bytes, ProviderError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let read = Pin::new(self.0.body_mut()).poll_next(cx);
        read.map(|read| read.map(|read| read.map_err(|error| unreachable(&error))))
    }
}
