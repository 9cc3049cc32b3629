//! The tools of a server over MCP.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::request::Parts;
use axum::middleware::from_fn_with_state;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, Implementation, ListToolsResult, PaginatedRequestParams,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use tokio_util::sync::CancellationToken;

use crate::caller::Caller;
use crate::guard::guard;
use crate::keys::KeySet;
use crate::running::{RunningServer, bind};
use crate::toolbox::Toolbox;
use crate::verifier::TokenVerifier;

/// The pause between two fetches of keys for tokens with unknown key ids.
const KEY_PAUSE: Duration = Duration::from_secs(10);

/// The settings of a server of tools.
#[derive(Debug, Clone)]
pub struct ServerOptions {
    /// The address to listen on. Port 0 stands for any free port.
    pub listen: SocketAddr,
    /// The address of the identity provider.
    pub issuer: String,
    /// The folder of the database.
    pub data: PathBuf,
}

/// Offers tools at `/mcp` to clients with a token for `audience`, or for the address itself as in RFC 8707.
pub async fn start_tools<D>(
    options: &ServerOptions,
    audience: &str,
    toolbox: Toolbox<D>,
) -> anyhow::Result<RunningServer>
where
    D: Send + Sync + 'static,
{
    let listener = bind(options.listen).await?;
    let audiences = vec![audience.to_owned(), format!("http://{}/mcp", listener.local_addr()?)];
    let verifier = TokenVerifier::new(KeySet::new(&options.issuer, KEY_PAUSE)?, audiences);
    let stopping = CancellationToken::new();
    let routes = routes(toolbox, verifier, stopping.child_token());
    Ok(RunningServer::start(listener, routes, stopping)?)
}

fn routes<D>(toolbox: Toolbox<D>, verifier: TokenVerifier, stopping: CancellationToken) -> Router
where
    D: Send + Sync + 'static,
{
    let toolbox = Arc::new(toolbox);
    let service = StreamableHttpService::new(
        move || Ok(McpServer(Arc::clone(&toolbox))),
        Arc::new(LocalSessionManager::default()),
        StreamableHttpServerConfig::default().with_cancellation_token(stopping),
    );
    Router::new().nest_service("/mcp", service).layer(from_fn_with_state(Arc::new(verifier), guard))
}

/// One session of a client.
struct McpServer<D>(Arc<Toolbox<D>>);

impl<D: Send + Sync + 'static> ServerHandler for McpServer<D> {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new(self.0.name(), env!("CARGO_PKG_VERSION")))
            .with_instructions(self.0.instructions())
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.0.definition(name)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        self.0.page(request.and_then(|page| page.cursor).as_deref())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        // Each message of a session comes with a token of its own, so each call has its own caller.
        let caller = context.extensions.get::<Parts>().and_then(|request| request.extensions.get::<Caller>());
        let Some(caller) = caller else {
            return Err(ErrorData::internal_error("the request has passed no check of its token", None));
        };
        Ok(self.0.call(caller, request)?.into())
    }
}
