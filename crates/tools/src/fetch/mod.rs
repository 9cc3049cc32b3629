//! A tool that reads web pages.

mod html;
mod nesting;
mod page;

use serde::Deserialize;
use turnkit_core::ports::{BoxFuture, Tool, ToolContext};
use turnkit_core::{RawJson, Subject, ToolDefinition, ToolError, ToolFlags, ToolOutput};
use turnkit_net::{ClientOptions, HttpClient, NetError, Reach, Response, Target};
use url::Url;

use crate::arguments;

/// The largest number of redirects.
const MAX_REDIRECTS: usize = 3;

const SCHEMA: &str = r#"{"type":"object","properties":{"url":{"type":"string","description":"The address of the page, beginning with http:// or https://"}},"required":["url"],"additionalProperties":false}"#;

/// The tool `fetch_url {url}`. Returns the text of a page: HTML as text with its links, other texts unchanged.
///
/// Its usual client connects only to addresses of the public internet. The resolved address is checked, for the first
/// request and again for each redirect.
pub struct FetchUrl {
    definition: ToolDefinition,
    client: HttpClient,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FetchArguments {
    url: String,
}

impl Default for FetchUrl {
    fn default() -> Self {
        let options = ClientOptions { reach: Reach::Public, idle_per_host: 2, ..ClientOptions::default() };
        Self::new(HttpClient::new(&options))
    }
}

impl FetchUrl {
    /// The name of the tool, as models call it.
    pub const NAME: &str = "fetch_url";

    /// Creates a tool that sends requests through `client`, which decides the reachable addresses.
    pub fn new(client: HttpClient) -> Self {
        let description = "Reads a page of the web and returns its text.";
        let flags = ToolFlags { open_world: true, ..ToolFlags::read_only() };
        Self { definition: arguments::read_only(Self::NAME, description, SCHEMA).with_flags(flags), client }
    }

    /// Fetches `url` and follows redirects to pages of the same host. Each address is checked when its connection is
    /// made.
    async fn page(&self, url: &str) -> Result<(Url, Response), ToolError> {
        let mut url = web_address(url)?;
        for _ in 0..=MAX_REDIRECTS {
            let response = self.client.get(&target(&url)?).await.map_err(|error| failed(&url, &error))?;
            let location = response.header("location").filter(|_| is_redirect(response.status()));
            let Some(location) = location else { return Ok((url, response)) };
            let next = url.join(location).map_err(|error| ToolError::Failed(format!("invalid redirect: {error}")))?;
            // A decision about one host does not apply to another host.
            if next.host() != url.host() || web_address(next.as_str()).is_err() {
                return Err(ToolError::Failed(format!("redirected to another host: {next}")));
            }
            url = next;
        }
        Err(ToolError::Failed(format!("more than {MAX_REDIRECTS} redirects")))
    }
}

impl Tool for FetchUrl {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn subject(&self, arguments: &RawJson) -> Result<Subject, ToolError> {
        let FetchArguments { url } = arguments::read(arguments)?;
        web_address(&url).map(|url| Subject::Url(url.into()))
    }

    /// Returns the requested URL, with its host in ASCII, because letters of other scripts can imitate a known name.
    fn preview(&self, arguments: &RawJson) -> Option<String> {
        let FetchArguments { url } = arguments::read(arguments).ok()?;
        web_address(&url).ok().map(|url| format!("GET {url}"))
    }

    fn call<'a>(&'a self, arguments: &'a RawJson, _: ToolContext<'a>) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
        Box::pin(async move {
            let FetchArguments { url } = arguments::read(arguments)?;
            let (url, response) = self.page(&url).await?;
            match response.status() {
                200..=299 => page::text(response).await.map(ToolOutput::from),
                status => Err(ToolError::Failed(format!("{} answered with status {status}", host(&url)))),
            }
        })
    }
}

/// Parses a URL. Rejects a user or a password in it, which would be sent to the page.
fn web_address(url: &str) -> Result<Url, ToolError> {
    let invalid = |why: &str| ToolError::InvalidArguments(format!("`url` {why}"));
    let url = Url::parse(url.trim()).map_err(|error| invalid(&format!("is not an address: {error}")))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(invalid("begins with neither http: nor https:"));
    }
    match url.username().is_empty() && url.password().is_none() {
        true => Ok(url),
        false => Err(invalid("names a user")),
    }
}

fn target(url: &Url) -> Result<Target, ToolError> {
    let headers = [
        ("user-agent", concat!("turnkit/", env!("CARGO_PKG_VERSION"))),
        ("accept", "text/html, text/*;q=0.9, application/json;q=0.9, */*;q=0.1"),
    ];
    let target = Target::new(url.as_str());
    let target = headers.into_iter().fold(target, |target, (name, value)| target?.header(name, value));
    target.map_err(|error| failed(url, &error))
}

fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

fn failed(url: &Url, error: &NetError) -> ToolError {
    ToolError::Failed(format!("{}: {error}", host(url)))
}

fn host(url: &Url) -> &str {
    url.host_str().unwrap_or_default()
}
