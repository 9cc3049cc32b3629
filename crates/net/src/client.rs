//! The client.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::{Method, Request};
use hyper_util::client::legacy::Client;
use hyper_util::rt::{TokioExecutor, TokioTimer};

use crate::connect::Connector;
use crate::{NetError, Response, Target};

/// How a client connects and what it accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientOptions {
    /// How long opening a connection may take, name lookup and TLS included.
    pub connect_timeout: Duration,
    /// How long an unused connection is kept.
    pub idle_timeout: Duration,
    /// How many unused connections are kept per host.
    pub idle_per_host: usize,
    /// The largest response body, in bytes.
    pub max_body: usize,
}

impl Default for ClientOptions {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(5),
            idle_timeout: Duration::from_secs(60),
            idle_per_host: 256,
            max_body: 64 * 1024 * 1024,
        }
    }
}

/// An HTTP client. It keeps connections open between requests; cloning shares them.
#[derive(Debug, Clone)]
pub struct HttpClient {
    client: Arc<Client<Connector, Full<Bytes>>>,
    max_body: usize,
}

impl HttpClient {
    /// A client. That this machine's certificates cannot be used is told by the first request that needs them.
    pub fn new(options: &ClientOptions) -> Self {
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(options.idle_timeout)
            .pool_max_idle_per_host(options.idle_per_host)
            .build(Connector::new(options));
        Self { client: Arc::new(client), max_body: options.max_body }
    }

    /// Asks for what is at `target`; otherwise like [`post`](Self::post).
    ///
    /// # Errors
    /// There was no response.
    pub async fn get(&self, target: &Target) -> Result<Response, NetError> {
        self.send(Method::GET, target, Bytes::new()).await
    }

    /// Sends `body` to `target` and waits for the head of the response, whatever its status. Only connecting is bounded
    /// in time: the caller bounds the rest by dropping the future or the response, which closes the connection.
    ///
    /// # Errors
    /// There was no response.
    pub async fn post(&self, target: &Target, body: Bytes) -> Result<Response, NetError> {
        self.send(Method::POST, target, body).await
    }

    /// Asks that what is at `target` be removed; otherwise like [`post`](Self::post).
    ///
    /// # Errors
    /// There was no response.
    pub async fn delete(&self, target: &Target) -> Result<Response, NetError> {
        self.send(Method::DELETE, target, Bytes::new()).await
    }

    async fn send(&self, method: Method, target: &Target, body: Bytes) -> Result<Response, NetError> {
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = method;
        *request.uri_mut() = target.uri.clone();
        *request.headers_mut() = target.headers.clone();
        let response = self.client.request(request).await.map_err(|error| NetError::of(&error))?;
        Ok(Response::new(response, self.max_body))
    }
}
