//! The configured MCP servers.

use std::sync::Arc;

use turnkit_core::ports::{CallerTokens, ToolSource as _};
use turnkit_engine::{SystemClock, ToolSources};
use turnkit_mcp::{McpServer, Transport, Trust};
use turnkit_net::{ClientOptions, HttpClient, TokenGrant, TokenSource};
use turnkit_server::CallerTokenCache;

use super::launch::launch_server;
use crate::config::mcp::{InvalidServer, ServerTokens, client_of, http_server, settings, token_source};
use crate::config::{AgentConfig, ClientConfig, McpConfig, Resolved, server_of};

/// Returns the MCP servers of a configuration for a command, whose user has sent no token.
pub(crate) fn mcp_servers(resolved: &Resolved) -> Vec<McpServer> {
    mcp_servers_for(resolved, Arc::new(CallerTokenCache::new(Arc::new(SystemClock))))
}

/// Returns the MCP servers of a configuration, for turns of these callers. None is started before a turn needs its
/// tools. The operator chose their addresses, so they may be private.
pub(super) fn mcp_servers_for(resolved: &Resolved, callers: Arc<dyn CallerTokens>) -> Vec<McpServer> {
    let client = HttpClient::with_proxy(resolved.proxy.clone(), &ClientOptions::default());
    let mut tokens = SharedTokens { client: client.clone(), callers, sources: Vec::new() };
    let mut servers = Vec::new();
    for server in &resolved.config.mcp {
        match build(server, resolved, &client, &mut tokens) {
            Ok(server) => servers.push(server),
            // The configuration was checked, so this does not happen.
            Err((key, why)) => tracing::error!(server = server.name, key, reason = why, "an MCP server is left out"),
        }
    }
    servers
}

fn build<'a>(
    server: &'a McpConfig,
    resolved: &Resolved,
    client: &HttpClient,
    tokens: &mut SharedTokens<'a>,
) -> Result<McpServer, InvalidServer> {
    let transport = match &server.url {
        Some(url) => {
            let tokens = client_of(server).map(|(client, grant)| tokens.of(client, grant)).transpose()?;
            Transport::Http(http_server(server, url, client.clone(), tokens)?)
        }
        None => {
            let argv = server.command.clone().unwrap_or_default();
            Transport::Stdio { argv, launch: launch_server(&resolved.folder, &server.env) }
        }
    };
    McpServer::new(settings(server, transport)?).map_err(|error| ("headers".to_owned(), error.to_string()))
}

/// The sources of access tokens. Servers with the same settings share one, so its token is requested once.
struct SharedTokens<'a> {
    client: HttpClient,
    callers: Arc<dyn CallerTokens>,
    sources: Vec<(&'a ClientConfig, TokenGrant, Arc<TokenSource>)>,
}

impl<'a> SharedTokens<'a> {
    fn of(&mut self, client: &'a ClientConfig, grant: TokenGrant) -> Result<ServerTokens, InvalidServer> {
        let source = self.source(client, grant)?;
        Ok(match grant {
            TokenGrant::ClientCredentials => ServerTokens::Own(source),
            TokenGrant::Exchange => ServerTokens::Exchanged(source, Arc::clone(&self.callers)),
        })
    }

    fn source(&mut self, client: &'a ClientConfig, grant: TokenGrant) -> Result<Arc<TokenSource>, InvalidServer> {
        let known = self.sources.iter().find(|(known, kind, _)| *known == client && *kind == grant);
        if let Some((_, _, source)) = known {
            return Ok(Arc::clone(source));
        }
        let source = Arc::new(token_source(client, grant, self.client.clone())?);
        self.sources.push((client, grant, Arc::clone(&source)));
        Ok(source)
    }
}

/// Returns the sources of an agent's tools: the servers whose tools it lists. Only those tools are accepted.
pub(super) fn sources(agent: &AgentConfig, config: &[McpConfig], servers: &[McpServer]) -> ToolSources {
    let deferring = ToolSources::default().deferring(agent.defer_tools.iter().cloned());
    let listed = servers.iter().filter(|server| lists(agent, config, server));
    let sources = listed.cloned().fold(deferring, |sources, server| sources.with(server));
    let names: Vec<String> = agent.tools.iter().filter(|tool| server_of(tool, config).is_some()).cloned().collect();
    // Without a server, there is nothing to accept, and a replay has tools that the agent once had.
    if names.is_empty() { sources } else { sources.allowing(names) }
}

/// Returns the names of tools whose servers are fully trusted, so that their calls run without approval.
pub(super) fn trusted(servers: &[McpServer]) -> impl Iterator<Item = String> {
    servers.iter().filter(|server| server.trust() == Trust::Full).map(McpServer::tool_pattern)
}

/// Reports whether an agent lists tools of a server.
fn lists(agent: &AgentConfig, config: &[McpConfig], server: &McpServer) -> bool {
    agent.tools.iter().any(|tool| server_of(tool, config) == Some(server.name()))
}
