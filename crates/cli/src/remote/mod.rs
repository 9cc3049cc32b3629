//! The client of a turnkit server, over HTTP.

mod error;
mod feed;
mod files;
mod grants;
mod interactions;
mod keys;
mod probe;
mod providers;
mod sessions;
mod transfer;
mod turns;
mod usage;

use std::path::PathBuf;
use std::time::Duration;

use percent_encoding::{NON_ALPHANUMERIC, PercentEncode, utf8_percent_encode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use turnkit_net::{ClientOptions, HttpClient, NetError, Response, Target};

pub(crate) use error::RemoteError;
pub(crate) use feed::{FeedItem, RemoteFeed};
pub(crate) use sessions::Session;

use crate::wiring::{LocalServer, announced};

const USER_AGENT: &str = concat!("turnkit/", env!("CARGO_PKG_VERSION"));
/// The timeout of a response that is not a stream.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The timeout of an upload, including the time to send it.
const UPLOAD_TIMEOUT: Duration = Duration::from_secs(600);
/// The largest response that is not a stream, in bytes.
const MAX_ANSWER: usize = 64 * 1024 * 1024;

/// A client of a server. A clone is another handle to the same connections.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    http: HttpClient,
    address: ServerAddress,
}

/// The address of a server.
#[derive(Debug, Clone)]
enum ServerAddress {
    /// A URL that the user gave, with the user's key.
    Url { url: String, key: Option<String> },
    /// The address announced by the server that has locked this data directory. It may change after a restart.
    DataDirectory(PathBuf, LocalServer),
}

impl Client {
    /// Creates a client of the server at `url`, with `key` if there is one.
    pub(crate) fn for_url(url: &str, key: Option<String>) -> Result<Self, RemoteError> {
        Self::new(ServerAddress::Url { url: url.trim_end_matches('/').to_owned(), key })
    }

    /// Creates a client of the server that has locked the data directory at `path`, with the operator's token.
    pub(crate) fn of_directory(path: PathBuf, server: LocalServer) -> Result<Self, RemoteError> {
        Self::new(ServerAddress::DataDirectory(path, server))
    }

    fn new(address: ServerAddress) -> Result<Self, RemoteError> {
        // Streams and exports have no limit. Other responses are limited where they are collected.
        let options = ClientOptions { max_body: usize::MAX, ..ClientOptions::default() };
        let client = Self { http: HttpClient::new(&options), address };
        // Report an unusable address now, not at the first request.
        client.target("")?;
        Ok(client)
    }

    /// Returns the URL of the server.
    pub(crate) fn url(&self) -> &str {
        self.address.url()
    }

    /// Reads the server's address again. After a restart, the address and the token may have changed.
    fn refresh_address(&mut self) {
        if let ServerAddress::DataDirectory(path, server) = &mut self.address
            && let Some(now) = announced(path)
        {
            *server = now;
        }
    }

    /// Reports whether a retry may succeed. After a restart, a server on this machine accepts a new token.
    fn may_recover_from(&self, error: &RemoteError) -> bool {
        error.is_transient() || matches!(self.address, ServerAddress::DataDirectory(..)) && error.is_unauthenticated()
    }

    async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, RemoteError> {
        let target = self.target(path)?;
        self.answered(self.in_time(self.http.get(&target)).await?).await
    }

    async fn post<T: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> Result<T, RemoteError> {
        let (target, body) = self.with_json(path, body)?;
        self.answered(self.in_time(self.http.post(&target, body.into())).await?).await
    }

    async fn patch(&self, path: &str, body: &impl Serialize) -> Result<(), RemoteError> {
        let (target, body) = self.with_json(path, body)?;
        self.accepted(self.in_time(self.http.patch(&target, body.into())).await?).await.map(drop)
    }

    /// Returns the target of a request with a JSON body, and the body.
    fn with_json(&self, path: &str, body: &impl Serialize) -> Result<(Target, Vec<u8>), RemoteError> {
        let target = self.target(path)?.header("content-type", "application/json").map_err(|e| self.unreachable(e))?;
        let body = serde_json::to_vec(body).map_err(|error| RemoteError::InvalidResponse(error.to_string()))?;
        Ok((target, body))
    }

    async fn delete(&self, path: &str) -> Result<(), RemoteError> {
        let target = self.target(path)?;
        self.accepted(self.in_time(self.http.delete(&target)).await?).await.map(drop)
    }

    /// Opens a stream of events. Only the response head has a time limit, because a stream may be silent for long.
    async fn stream(&self, path: &str, after: Option<&str>) -> Result<Response, RemoteError> {
        let mut target = self.target(path)?.header("accept", "text/event-stream").map_err(|e| self.unreachable(e))?;
        if let Some(cursor) = after {
            target = target.header("last-event-id", cursor).map_err(|e| self.unreachable(e))?;
        }
        self.accepted(self.in_time(self.http.get(&target)).await?).await
    }

    fn target(&self, path: &str) -> Result<Target, RemoteError> {
        let target =
            Target::new(&format!("{}{path}", self.url())).and_then(|target| target.header("user-agent", USER_AGENT));
        let target = target.map_err(|error| self.unreachable(error))?;
        match self.address.key() {
            None => Ok(target),
            Some(key) => target.secret_header("authorization", &format!("Bearer {key}")).map_err(|_| RemoteError::Key),
        }
    }

    async fn in_time(&self, sent: impl Future<Output = Result<Response, NetError>>) -> Result<Response, RemoteError> {
        self.within(TIMEOUT, sent).await
    }

    async fn within(
        &self,
        limit: Duration,
        sent: impl Future<Output = Result<Response, NetError>>,
    ) -> Result<Response, RemoteError> {
        match turnkit_net::timeout(limit, sent).await {
            Ok(answer) => answer.map_err(|error| self.unreachable(error)),
            Err(_) => Err(RemoteError::NoResponse { url: self.url().to_owned() }),
        }
    }

    async fn answered<T: DeserializeOwned>(&self, response: Response) -> Result<T, RemoteError> {
        self.read(self.accepted(response).await?).await
    }

    async fn read<T: DeserializeOwned>(&self, response: Response) -> Result<T, RemoteError> {
        let body = response.into_body().collect(MAX_ANSWER).await.map_err(|error| self.unreachable(error))?;
        serde_json::from_slice(&body).map_err(|error| RemoteError::InvalidResponse(error.to_string()))
    }

    /// Returns the response if its status is a success.
    async fn accepted(&self, response: Response) -> Result<Response, RemoteError> {
        match response.status() {
            200..300 => Ok(response),
            _ => Err(RemoteError::from_response(self.url(), response).await),
        }
    }

    fn unreachable(&self, error: NetError) -> RemoteError {
        self.address.unreachable(error)
    }
}

impl ServerAddress {
    fn url(&self) -> &str {
        match self {
            Self::Url { url, .. } => url,
            Self::DataDirectory(_, server) => &server.url,
        }
    }

    fn key(&self) -> Option<&str> {
        match self {
            Self::Url { key, .. } => key.as_deref(),
            Self::DataDirectory(_, server) => Some(&server.token),
        }
    }

    fn unreachable(&self, why: NetError) -> RemoteError {
        match why {
            NetError::Address(why) => RemoteError::Address(why),
            why => RemoteError::Unreachable { url: self.url().to_owned(), why },
        }
    }
}

/// Returns a further query parameter.
fn parameter(name: &str, value: &str) -> String {
    format!("&{name}={}", escaped(value))
}

/// Escapes a text for a path or a query.
fn escaped(text: &str) -> PercentEncode<'_> {
    utf8_percent_encode(text, NON_ALPHANUMERIC)
}
