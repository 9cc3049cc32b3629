//! The HTTP server of an installation.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use turnkit_engine::{Modes, RandomIds, SystemClock, TurnService};
use turnkit_mcp::McpServers;
use turnkit_server::{
    AuthMode, JwtSettings, KeySource, PageFiles, RateLimit, Server, ServerParts, Settings, ToolProvider,
};
use turnkit_store::DataDirectory;
pub(crate) use turnkit_store::LocalServer;

use super::Installation;
use super::agents::purpose;
use crate::config::{self, Config, JwtConfig, Resolved};
use crate::failure::Failure;

/// Returns the server that last announced itself for the data directory at `path`.
pub(crate) fn announced(path: &Path) -> Option<LocalServer> {
    DataDirectory::announced_server(path)
}

impl Installation {
    /// Builds the server that handles requests for the turns of `service`.
    pub(crate) async fn server(&self, service: TurnService) -> Result<Server, Failure> {
        let settings = self.settings(&service);
        let parts = ServerParts {
            service,
            store: self.store.clone(),
            providers: Some(self.pool.clone()),
            mcp_servers: Some(Arc::new(McpServers::new(self.mcp_servers.iter().cloned()))),
            recordings: self.recordings(),
            clock: Arc::new(SystemClock),
            ids: Arc::new(RandomIds),
            settings,
        };
        Ok(Server::new(parts).await?)
    }

    fn settings(&self, service: &TurnService) -> Settings {
        let config = &self.resolved.config;
        Settings {
            auth: match config.auth.mode {
                config::AuthMode::None => AuthMode::None,
                config::AuthMode::ApiKey => AuthMode::ApiKey,
                config::AuthMode::Jwt => AuthMode::Jwt(token_settings(&self.resolved)),
                config::AuthMode::ApiKeyOrJwt => AuthMode::ApiKeyOrJwt(token_settings(&self.resolved)),
            },
            caller_tokens: needs_callers(config).then(|| Arc::clone(&self.caller_tokens)),
            allowed_hosts: config.server.allowed_hosts.clone(),
            allowed_origins: config.server.allowed_origins.clone(),
            public_url: config.server.public_url.clone(),
            body_bytes: config.limits.body_bytes,
            upload_bytes: config.files.upload_bytes,
            rate_limit: config
                .limits
                .rate_limit
                .map(|rate| RateLimit { requests_per_second: rate.requests_per_second, burst: rate.burst }),
            modes: modes(config),
            page: page(&self.resolved),
            prompts: config.prompts.iter().map(|prompt| prompt.name.clone()).collect(),
            agents: config.agents.iter().map(|agent| agent.name.clone()).collect(),
            agent_purposes: config.agents.iter().map(|agent| (agent.name.clone(), purpose(agent).to_owned())).collect(),
            tool_providers: tool_providers(config, service),
            version: env!("CARGO_PKG_VERSION"),
            ..Settings::default()
        }
    }

    /// Stores the address of this server, so that other commands of the user find it.
    pub(crate) fn announce(&self, url: &str, token: &str) -> Result<(), Failure> {
        let server = LocalServer { url: url.to_owned(), token: token.to_owned() };
        let announced = self.directory.announce(&server);
        announced.map_err(|error| Failure::Data(format!("cannot write {}: {error}", self.directory.path().display())))
    }
}

/// Reports whether tools need the tokens of callers. Otherwise none is kept.
fn needs_callers(config: &Config) -> bool {
    config.mcp.iter().any(config::mcp::needs_callers)
}

/// Returns the settings of the tokens that the server accepts.
pub(crate) fn token_settings(resolved: &Resolved) -> JwtSettings {
    let JwtConfig { issuer, audience, jwks_url, discovery_url, tenant_claim, user_claim, scope_claim, leeway_s } =
        &resolved.config.auth.jwt;
    JwtSettings {
        issuer: issuer.clone(),
        audiences: audience.clone(),
        key_source: match (jwks_url, discovery_url) {
            (Some(url), _) => KeySource::KeySet(url.clone()),
            (None, Some(url)) => KeySource::Discovery(url.clone()),
            (None, None) => KeySource::Issuer,
        },
        tenant_claim: tenant_claim.clone(),
        user_claim: user_claim.clone(),
        scope_claim: scope_claim.clone(),
        leeway: Duration::from_secs(*leeway_s),
        proxy: resolved.proxy.clone(),
    }
}

/// Returns the origin of the page's files.
fn page(resolved: &Resolved) -> PageFiles {
    match &resolved.page_folder {
        _ if !resolved.config.page.enabled => PageFiles::None,
        Some(folder) => PageFiles::Folder(folder.clone()),
        None => PageFiles::Embedded,
    }
}

/// Returns what provides the tools that agents list, those of MCP servers apart.
fn tool_providers(config: &Config, service: &TurnService) -> BTreeMap<String, ToolProvider> {
    let listed = service.agents().iter().flat_map(|agent| &agent.tools).map(|tool| tool.definition().name.clone());
    let commands = config.tools.command.iter().map(|tool| tool.name.clone());
    let configured = commands.chain(config.tools.http.iter().map(|tool| tool.name.clone()));
    let of_program = listed.map(|name| (name, ToolProvider::Program));
    of_program.chain(configured.map(|name| (name, ToolProvider::Configuration))).collect()
}

/// Returns the names of the modes of all agents.
fn modes(config: &Config) -> Vec<String> {
    let own = config.agents.iter().flat_map(|agent| agent.modes.keys().cloned());
    let all: BTreeSet<String> = Modes::built_in().map(str::to_owned).chain(own).collect();
    all.into_iter().collect()
}
