//! Addresses that the operator lists as tools.

mod address;
mod auth;
mod body;
mod headers;
mod request;

use serde_json::Value;
use turnkit_core::ports::{BoxFuture, Tool, ToolContext};
use turnkit_core::{CallUid, RawJson, Subject, ToolDefinition, ToolError, ToolOutput};
use turnkit_net::{HttpClient, NetError, Response, Target};

use crate::fingerprint::fingerprint;
use crate::text_body::text_of;

pub use auth::HttpAuth;
pub use request::{HttpMethod, HttpRequest};

/// How much of the body of a failure the model reads, in characters.
const FAILURE_CHARS: usize = 2_000;

/// A request as a tool: `[[tools.http]]` of the configuration. A call fills the placeholders of its address and its body, which
/// can change neither its host nor its headers. It succeeds with a status of 200 to 299, and gives the text of the response. It
/// follows no redirect.
pub struct HttpTool {
    definition: ToolDefinition,
    request: HttpRequest,
    client: HttpClient,
}

impl HttpTool {
    /// A tool that sends `request` through `client`. The operator chose its host, so `client` may reach private addresses.
    pub fn new(definition: ToolDefinition, request: HttpRequest, client: HttpClient) -> Self {
        let definition = ToolDefinition { fingerprint: Some(fingerprint(&request.settings())), ..definition };
        Self { definition, request, client }
    }

    /// The address of a call, and what is sent to it.
    fn parts(&self, arguments: &RawJson) -> Result<(String, Option<Value>), ToolError> {
        let values = self.request.values(arguments)?;
        Ok((self.request.url(&values)?, self.request.body(&values)))
    }

    /// Sends a request whose body is `body`, and returns the text of its response.
    async fn send(&self, url: &str, body: Option<String>, call: CallUid) -> Result<String, ToolError> {
        let target = self.request.target(url, body.is_some(), call).map_err(|error| failed(&error))?;
        let response = self.answer(&target, body.unwrap_or_default()).await.map_err(|error| self.unanswered(&error))?;
        let host = target.host();
        let (status, location) = (response.status(), response.header("location").map(str::to_owned));
        let text = text_of(response).await.map(|text| self.request.without_secrets(text));
        match (status, location) {
            (200..=299, _) => text.or_else(|error| self.unread(host, status, error)),
            (300..=399, Some(location)) => {
                let location = self.request.without_secrets(location);
                let why =
                    format!("{host} answered with status {status}: it leads to {location}, which is not followed");
                Err(ToolError::Failed(why))
            }
            _ => {
                let head: String = text.unwrap_or_default().chars().take(FAILURE_CHARS).collect();
                Err(ToolError::Failed(format!("{host} answered with status {status}: {head}")))
            }
        }
    }

    async fn answer(&self, target: &Target, body: String) -> Result<Response, NetError> {
        match self.request.method() {
            HttpMethod::Get => self.client.get(target).await,
            HttpMethod::Post => self.client.post(target, body.into()).await,
            HttpMethod::Put => self.client.put(target, body.into()).await,
            HttpMethod::Patch => self.client.patch(target, body.into()).await,
            HttpMethod::Delete => self.client.delete(target).await,
        }
    }

    /// A request that changes something has done so, though its response cannot be read: after a failure it would be sent
    /// again.
    fn unread(&self, host: &str, status: u16, error: ToolError) -> Result<String, ToolError> {
        match self.must_not_repeat() {
            true => {
                Ok(format!("[{host} answered with status {status}, so it is done; the response is missing: {error}]"))
            }
            false => Err(error),
        }
    }

    /// A request that changes something may have done so though its response is lost.
    fn unanswered(&self, error: &NetError) -> ToolError {
        let may_have_arrived = matches!(error, NetError::Reset | NetError::Incomplete | NetError::Failed(_));
        match may_have_arrived && self.must_not_repeat() {
            true => ToolError::OutcomeUnknown,
            false => failed(error),
        }
    }

    fn must_not_repeat(&self) -> bool {
        let flags = self.definition.flags;
        !flags.read_only && !flags.idempotent
    }
}

impl Tool for HttpTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn subject(&self, arguments: &RawJson) -> Result<Subject, ToolError> {
        self.parts(arguments).map(|(url, _)| Subject::Url(url))
    }

    /// What is sent is no part of the address.
    fn grant_subject(&self, arguments: &RawJson) -> Result<Subject, ToolError> {
        Ok(match self.parts(arguments)? {
            (url, Some(body)) => Subject::Text(format!("{} {url}\n{body}", self.request.method())),
            (url, None) => Subject::Url(url),
        })
    }

    fn preview(&self, arguments: &RawJson) -> Option<String> {
        let (url, body) = self.parts(arguments).ok()?;
        let line = format!("{} {url}", self.request.method());
        Some(match body {
            Some(body) => format!("{line}\n{body:#}"),
            None => line,
        })
    }

    fn call<'a>(
        &'a self,
        arguments: &'a RawJson,
        context: ToolContext<'a>,
    ) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
        Box::pin(async move {
            let (url, body) = self.parts(arguments)?;
            self.send(&url, body.map(|body| body.to_string()), context.uid).await.map(ToolOutput::from)
        })
    }
}

fn failed(error: &NetError) -> ToolError {
    ToolError::Failed(error.to_string())
}
