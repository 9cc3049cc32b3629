//! HTTP endpoints that the operator configures as tools.

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

/// The largest number of characters of an error response's body that the model reads.
const FAILURE_CHARS: usize = 2_000;

/// An HTTP request as a tool: `[[tools.http]]` of the configuration. A call fills the placeholders of its URL and its
/// body, but can change neither its host nor its headers. The call succeeds with a status of 200 to 299, and returns
/// the text of the response. It follows no redirects.
pub struct HttpTool {
    definition: ToolDefinition,
    request: HttpRequest,
    client: HttpClient,
}

impl HttpTool {
    /// Creates a tool that sends `request` through `client`. The operator chose the host, so `client` may reach private
    /// addresses.
    pub fn new(definition: ToolDefinition, request: HttpRequest, client: HttpClient) -> Self {
        let definition = ToolDefinition { fingerprint: Some(fingerprint(&request.settings())), ..definition };
        Self { definition, request, client }
    }

    /// Returns the URL and the body of a call.
    fn parts(&self, arguments: &RawJson) -> Result<(String, Option<Value>), ToolError> {
        let values = self.request.values(arguments)?;
        Ok((self.request.url(&values)?, self.request.body(&values)))
    }

    /// Sends a request with this body, and returns the text of its response.
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

    /// Returns the result for a successful response whose body cannot be read. If the request changes state, the change
    /// has happened, and the call counts as successful: after an error, the model would send it again.
    fn unread(&self, host: &str, status: u16, error: ToolError) -> Result<String, ToolError> {
        match self.must_not_repeat() {
            true => {
                Ok(format!("[{host} answered with status {status}, so it is done; the response is missing: {error}]"))
            }
            false => Err(error),
        }
    }

    /// Returns the error for a request without a response. If the request changes state, the change may have happened.
    fn unanswered(&self, error: &NetError) -> ToolError {
        let may_have_arrived = matches!(error, NetError::Reset | NetError::Incomplete | NetError::Failed(_));
        match may_have_arrived && self.must_not_repeat() {
            true => ToolError::OutcomeUnknown { reason: Some(error.to_string()) },
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

    /// A body is not part of the URL, so for a call with a body the subject is a text with both.
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
