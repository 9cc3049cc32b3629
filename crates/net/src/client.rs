//! The client.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use reqwest::redirect::Policy;
use reqwest::{ClientBuilder, Method};

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
    /// For addresses without TLS.
    plain: reqwest::Client,
    /// For the others. Made when first needed: reading the system's certificates takes longer than a program's start.
    secure: Arc<OnceLock<reqwest::Client>>,
    options: ClientOptions,
}

impl HttpClient {
    /// A client.
    ///
    /// # Errors
    /// [`NetError::Tls`] if this machine cannot open secure connections. That its certificates cannot be used is told by
    /// the first request that needs them.
    pub fn new(options: &ClientOptions) -> Result<Self, NetError> {
        let plain = built(builder(options).tls_certs_only([]))?;
        Ok(Self { plain, secure: Arc::default(), options: *options })
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
        let client = self.client_for(target)?;
        let mut request = client.request(method, target.url.clone()).headers(target.headers.clone());
        if !body.is_empty() {
            request = request.body(body);
        }
        let response = request.send().await.map_err(|error| NetError::of(&error))?;
        Ok(Response::new(response, self.options.max_body))
    }

    fn client_for(&self, target: &Target) -> Result<&reqwest::Client, NetError> {
        if target.url.scheme() == "http" {
            return Ok(&self.plain);
        }
        if let Some(client) = self.secure.get() {
            return Ok(client);
        }
        let client = built(builder(&self.options))?;
        Ok(self.secure.get_or_init(|| client))
    }
}

fn builder(options: &ClientOptions) -> ClientBuilder {
    reqwest::Client::builder()
        .redirect(Policy::none())
        .no_proxy()
        .referer(false)
        .tcp_nodelay(true)
        .connect_timeout(options.connect_timeout)
        .pool_idle_timeout(options.idle_timeout)
        .pool_max_idle_per_host(options.idle_per_host)
}

fn built(builder: ClientBuilder) -> Result<reqwest::Client, NetError> {
    builder.build().map_err(|error| NetError::Tls(error.to_string()))
}
