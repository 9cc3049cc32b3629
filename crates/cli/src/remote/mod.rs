//! A server of ours, over HTTP.

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
pub(crate) use feed::{Read, RemoteFeed};
pub(crate) use sessions::Session;

use crate::wiring::{LocalServer, announced};

const USER_AGENT: &str = concat!("turnkit/", env!("CARGO_PKG_VERSION"));
/// How long a server may take to answer a request that is no stream.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long a server may take to store what it is sent, with the time to send it.
const PATIENCE_WITH_FILES: Duration = Duration::from_secs(600);
/// The largest answer that is no stream, in bytes.
const MAX_ANSWER: usize = 64 * 1024 * 1024;

/// The way to a server. Cloning gives another handle to the same connections.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    http: HttpClient,
    at: At,
}

/// Where a server is.
#[derive(Debug, Clone)]
enum At {
    /// At an address the user gave, with the key they have.
    Address { url: String, key: Option<String> },
    /// Where the server says that has this data directory. It may say something else after a restart.
    Directory(PathBuf, LocalServer),
}

impl Client {
    /// The server at `url`, asked with `key` if there is one.
    pub(crate) fn at(url: &str, key: Option<String>) -> Result<Self, RemoteError> {
        Self::new(At::Address { url: url.trim_end_matches('/').to_owned(), key })
    }

    /// The server that has the data directory at `path`, asked as its operator.
    pub(crate) fn of_directory(path: PathBuf, server: LocalServer) -> Result<Self, RemoteError> {
        Self::new(At::Directory(path, server))
    }

    fn new(at: At) -> Result<Self, RemoteError> {
        // Streams and exports have no limit; other answers are limited where they are collected.
        let options = ClientOptions { max_body: usize::MAX, ..ClientOptions::default() };
        let client = Self { http: HttpClient::new(&options), at };
        // An address that cannot be used is told now, not at the first request.
        client.target("")?;
        Ok(client)
    }

    /// Where the server is.
    pub(crate) fn url(&self) -> &str {
        self.at.url()
    }

    /// Looks again where the server is: after a restart it may be elsewhere, and takes another token.
    fn look_again(&mut self) {
        if let At::Directory(path, server) = &mut self.at
            && let Some(now) = announced(path)
        {
            *server = now;
        }
    }

    /// Whether what failed may work a little later. After its restart a server of this machine takes another token.
    fn may_recover_from(&self, error: &RemoteError) -> bool {
        error.may_pass() || matches!(self.at, At::Directory(..)) && error.is_unauthenticated()
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

    /// The target of a request that has a body, and the body.
    fn with_json(&self, path: &str, body: &impl Serialize) -> Result<(Target, Vec<u8>), RemoteError> {
        let target = self.target(path)?.header("content-type", "application/json").map_err(|e| self.unreachable(e))?;
        let body = serde_json::to_vec(body).map_err(|error| RemoteError::Strange(error.to_string()))?;
        Ok((target, body))
    }

    async fn delete(&self, path: &str) -> Result<(), RemoteError> {
        let target = self.target(path)?;
        self.accepted(self.in_time(self.http.delete(&target)).await?).await.map(drop)
    }

    /// Opens a stream of events. No answer is no time limit: a stream may be silent for long.
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
        match self.at.key() {
            None => Ok(target),
            Some(key) => target.secret_header("authorization", &format!("Bearer {key}")).map_err(|_| RemoteError::Key),
        }
    }

    async fn in_time(&self, sent: impl Future<Output = Result<Response, NetError>>) -> Result<Response, RemoteError> {
        self.within(PATIENCE, sent).await
    }

    async fn within(
        &self,
        patience: Duration,
        sent: impl Future<Output = Result<Response, NetError>>,
    ) -> Result<Response, RemoteError> {
        match turnkit_net::timeout(patience, sent).await {
            Ok(answer) => answer.map_err(|error| self.unreachable(error)),
            Err(_) => Err(RemoteError::Silent { url: self.url().to_owned() }),
        }
    }

    async fn answered<T: DeserializeOwned>(&self, response: Response) -> Result<T, RemoteError> {
        self.read(self.accepted(response).await?).await
    }

    async fn read<T: DeserializeOwned>(&self, response: Response) -> Result<T, RemoteError> {
        let body = response.into_body().collect(MAX_ANSWER).await.map_err(|error| self.unreachable(error))?;
        serde_json::from_slice(&body).map_err(|error| RemoteError::Strange(error.to_string()))
    }

    /// The response if the server did what it was asked to.
    async fn accepted(&self, response: Response) -> Result<Response, RemoteError> {
        match response.status() {
            200..300 => Ok(response),
            _ => Err(RemoteError::of_refusal(self.url(), response).await),
        }
    }

    fn unreachable(&self, error: NetError) -> RemoteError {
        self.at.unreachable(error)
    }
}

impl At {
    fn url(&self) -> &str {
        match self {
            Self::Address { url, .. } => url,
            Self::Directory(_, server) => &server.url,
        }
    }

    fn key(&self) -> Option<&str> {
        match self {
            Self::Address { key, .. } => key.as_deref(),
            Self::Directory(_, server) => Some(&server.token),
        }
    }

    fn unreachable(&self, why: NetError) -> RemoteError {
        RemoteError::Unreachable { url: self.url().to_owned(), why }
    }
}

/// Returns one more parameter of a query.
fn parameter(name: &str, value: &str) -> String {
    format!("&{name}={}", escaped(value))
}

/// Escapes a text for a path or a query.
fn escaped(text: &str) -> PercentEncode<'_> {
    utf8_percent_encode(text, NON_ALPHANUMERIC)
}
