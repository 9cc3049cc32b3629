//! The servers, and connections to them.

use std::path::Path;

use rmcp::model::{CallToolRequestParams, CallToolResult};
use rmcp::service::RunningService;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{RoleClient, serve_client};
use serde_json::Value;
use support_desk_identity_provider::{Client, ProviderOptions, system_clock};
use support_desk_shared::{RunningServer, ServerOptions};
use tempfile::TempDir;

const SECRET: &str = "open sesame";
const EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";
const ACCESS_TOKEN: &str = "urn:ietf:params:oauth:token-type:access_token";

/// The identity provider and both servers of tools, with new databases.
pub(crate) struct Servers {
    provider: RunningServer,
    ticketing: RunningServer,
    organisations: RunningServer,
    http: reqwest::Client,
    data: TempDir,
}

/// A connection to a server of tools.
pub(crate) struct Connection {
    client: RunningService<RoleClient, ()>,
}

impl Servers {
    pub(crate) async fn start() -> Self {
        let listen = "127.0.0.1:0".parse().unwrap();
        let client = Client { id: "support-desk".to_owned(), secret: SECRET.to_owned() };
        let options = ProviderOptions { listen, client, token_life: 600, clock: system_clock() };
        let provider = support_desk_identity_provider::start(options).await.unwrap();
        let data = TempDir::new().unwrap();
        let options = options_of(&provider, data.path());
        Self {
            ticketing: support_desk_ticketing::start(&options).await.unwrap(),
            organisations: support_desk_organisations::start(&options).await.unwrap(),
            provider,
            http: reqwest::Client::new(),
            data,
        }
    }

    /// Starts the ticketing server again, with the same database.
    pub(crate) async fn restart_ticketing(self) -> Self {
        self.ticketing.stop().await;
        let options = options_of(&self.provider, self.data.path());
        Self { ticketing: support_desk_ticketing::start(&options).await.unwrap(), ..self }
    }

    /// Stops the identity provider, which has not been asked for its keys before.
    pub(crate) async fn stop_provider(self) -> impl Sized {
        self.provider.stop().await;
        (self.ticketing, self.organisations, self.data)
    }

    pub(crate) fn ticketing_url(&self) -> String {
        format!("{}/mcp", self.ticketing.url())
    }

    pub(crate) fn organisations_url(&self) -> String {
        format!("{}/mcp", self.organisations.url())
    }

    /// Returns a token of the desk itself.
    pub(crate) async fn token(&self, audience: &str) -> String {
        self.issued("/token", &[("grant_type", "client_credentials"), ("audience", audience)]).await
    }

    /// Returns a token of the desk itself for both servers.
    pub(crate) async fn token_for_both(&self) -> String {
        let grant = ("grant_type", "client_credentials");
        self.issued("/token", &[grant, ("audience", "ticketing"), ("audience", "organisations")]).await
    }

    /// Returns a token with which the desk acts for a user.
    pub(crate) async fn token_for(&self, user: &str, audience: &str) -> String {
        let subject = self.issued("/login", &[("user", user), ("audience", "turnkit")]).await;
        let kind = ("subject_token_type", ACCESS_TOKEN);
        let fields = [("grant_type", EXCHANGE), ("subject_token", &subject), kind, ("audience", audience)];
        self.issued("/token", &fields).await
    }

    async fn issued(&self, path: &str, fields: &[(&str, &str)]) -> String {
        let credentials = [("client_id", "support-desk"), ("client_secret", SECRET)];
        let request = self.http.post(format!("{}{path}", self.provider.url()));
        let response = request.form(&[&credentials[..], fields].concat()).send().await.unwrap();
        let issued: Value = response.error_for_status().unwrap().json().await.unwrap();
        issued["access_token"].as_str().unwrap().to_owned()
    }

    /// Connects to the ticketing server as the desk itself.
    pub(crate) async fn ticketing(&self) -> Connection {
        Connection::open(&self.ticketing_url(), self.token("ticketing").await).await
    }

    /// Connects to the ticketing server for a user.
    pub(crate) async fn ticketing_for(&self, user: &str) -> Connection {
        Connection::open(&self.ticketing_url(), self.token_for(user, "ticketing").await).await
    }

    /// Connects to the server of organisations.
    pub(crate) async fn organisations(&self) -> Connection {
        Connection::open(&self.organisations_url(), self.token("organisations").await).await
    }
}

fn options_of(provider: &RunningServer, data: &Path) -> ServerOptions {
    let listen = "127.0.0.1:0".parse().unwrap();
    ServerOptions { listen, issuer: provider.url().to_owned(), data: data.to_owned() }
}

impl Connection {
    async fn open(url: &str, token: String) -> Self {
        let config = StreamableHttpClientTransportConfig::with_uri(url).auth_header(token);
        let transport = StreamableHttpClientTransport::from_config(config);
        Self { client: serve_client((), transport).await.unwrap() }
    }

    pub(crate) fn client(&self) -> &RunningService<RoleClient, ()> {
        &self.client
    }

    /// Calls a tool, and returns the structured content of its result.
    pub(crate) async fn call(&self, tool: &'static str, arguments: Value) -> Value {
        let result = self.result(tool, arguments).await;
        assert_ne!(result.is_error, Some(true), "{tool}: {result:?}");
        result.structured_content.unwrap()
    }

    /// Calls a tool that fails, and returns the text of its result.
    pub(crate) async fn failure(&self, tool: &'static str, arguments: Value) -> String {
        let result = self.result(tool, arguments).await;
        assert_eq!(result.is_error, Some(true), "{tool}: {result:?}");
        result.content[0].as_text().unwrap().text.clone()
    }

    async fn result(&self, tool: &'static str, arguments: Value) -> CallToolResult {
        let arguments = arguments.as_object().unwrap().clone();
        let call = CallToolRequestParams::new(tool).with_arguments(arguments);
        self.client.call_tool(call).await.unwrap()
    }
}
