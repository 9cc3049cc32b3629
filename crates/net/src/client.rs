//! The client.

use std::sync::Arc;

use bytes::Bytes;
use http_body_util::Full;
use hyper::{Method, Request};

use crate::connect::Connector;
use crate::connection::{Connection, Unanswered};
use crate::pool::Pool;
use crate::response::PooledConnection;
use crate::{ClientOptions, NetError, Proxy, Response, Target};

/// An HTTP/1.1 client. It keeps connections open between requests. Clones share the connections.
#[derive(Debug, Clone)]
pub struct HttpClient {
    connector: Arc<Connector>,
    pool: Arc<Pool>,
    max_body: usize,
}

impl HttpClient {
    /// Creates a client. If this machine's certificates cannot be used, the first request that needs them reports the
    /// error.
    pub fn new(options: &ClientOptions) -> Self {
        Self::with_proxy(None, options)
    }

    /// Creates a client that connects to `https:` addresses through `proxy`, if there is one.
    pub fn with_proxy(proxy: Option<Proxy>, options: &ClientOptions) -> Self {
        let (connector, pool) = (Connector::new(options, proxy), Pool::new(options));
        Self { connector: Arc::new(connector), pool: Arc::new(pool), max_body: options.max_body }
    }

    /// Sends a `GET` request; otherwise like [`post`](Self::post).
    ///
    /// # Errors
    /// There was no response.
    pub async fn get(&self, target: &Target) -> Result<Response, NetError> {
        self.send(Method::GET, target, Bytes::new()).await
    }

    /// Sends `body` to `target` and waits for the head of the response, whatever its status. Only connecting has a time
    /// limit. The caller limits the rest by dropping the future or the response, which closes the connection.
    ///
    /// # Errors
    /// There was no response.
    pub async fn post(&self, target: &Target, body: Bytes) -> Result<Response, NetError> {
        self.send(Method::POST, target, body).await
    }

    /// Sends a `PUT` request; otherwise like [`post`](Self::post).
    ///
    /// # Errors
    /// There was no response.
    pub async fn put(&self, target: &Target, body: Bytes) -> Result<Response, NetError> {
        self.send(Method::PUT, target, body).await
    }

    /// Sends a `PATCH` request; otherwise like [`post`](Self::post).
    ///
    /// # Errors
    /// There was no response.
    pub async fn patch(&self, target: &Target, body: Bytes) -> Result<Response, NetError> {
        self.send(Method::PATCH, target, body).await
    }

    /// Sends a `DELETE` request; otherwise like [`post`](Self::post).
    ///
    /// # Errors
    /// There was no response.
    pub async fn delete(&self, target: &Target) -> Result<Response, NetError> {
        self.send(Method::DELETE, target, Bytes::new()).await
    }

    async fn send(&self, method: Method, target: &Target, body: Bytes) -> Result<Response, NetError> {
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = method;
        *request.uri_mut() = target.path.clone();
        *request.headers_mut() = target.headers.clone();
        if let Some(used) = self.pool.take(&target.origin) {
            match self.send_on(used, target, request).await {
                // The peer closed the idle connection just now. A new connection may succeed.
                Err(Unanswered::Unsent(unsent)) => request = *unsent,
                Err(Unanswered::Failed(error)) => return Err(error),
                Ok(response) => return Ok(response),
            }
        }
        // On the heap, because the future is large and seldom needed.
        let connection = Box::pin(self.connect(target)).await?;
        match self.send_on(connection, target, request).await {
            Err(Unanswered::Unsent(_)) => Err(NetError::Incomplete),
            Err(Unanswered::Failed(error)) => Err(error),
            Ok(response) => Ok(response),
        }
    }

    async fn connect(&self, target: &Target) -> Result<Connection, NetError> {
        Connection::new(self.connector.connect(target.uri.clone()).await?).await
    }

    async fn send_on(
        &self,
        mut connection: Connection,
        target: &Target,
        request: Request<Full<Bytes>>,
    ) -> Result<Response, Unanswered> {
        let response = connection.send(request).await?;
        let lent = PooledConnection { connection, pool: Arc::clone(&self.pool), origin: Arc::clone(&target.origin) };
        Ok(Response::new(response, lent, self.max_body))
    }
}
