//! Construction of the installation: the only module that names concrete backends.

mod agents;
mod comparison;
mod database;
mod keys;
mod launch;
mod mcp;
mod missing_tool;
mod models;
mod permissions;
mod provider;
mod recordings;
mod replay;
mod server;
mod tools;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use turnkit_broker::InProcess;
use turnkit_core::ports::{BlobStore, Clock as _, IdSource as _, SessionStore, Store, TurnStore};
use turnkit_core::{Scope, StoreError};
use turnkit_engine::{Failpoints, RandomIds, ServiceParts, SystemClock, TurnService};
use turnkit_llm::{Pool, PoolOptions};
use turnkit_mcp::McpServer;
use turnkit_server::CallerTokenCache;
pub(crate) use turnkit_store::Examination;
use turnkit_store::{DataDirectory, LockError, OpenError};

use crate::config::{Resolved, check_hidden};
use crate::failure::Failure;
use agents::{AvailableTools, build_agent};
pub(crate) use database::Database;
pub(crate) use mcp::mcp_servers;
use mcp::mcp_servers_for;
pub(crate) use permissions::{Explained, explain, server_to_ask};
pub(crate) use provider::{build_pool, connect};
pub(crate) use server::{LocalServer, announced, token_settings};
use tools::available_tools;

/// An installation: its locked and open data, and the services on top of it.
pub(crate) struct Installation {
    pub(crate) resolved: Resolved,
    pub(crate) scope: Scope,
    pool: Arc<Pool>,
    database: Database,
    store: Arc<dyn Store>,
    /// The MCP servers of the configuration.
    mcp_servers: Vec<McpServer>,
    /// The tokens of callers, for MCP servers that need them.
    caller_tokens: Arc<CallerTokenCache>,
    /// The lock of the data directory, held until the process ends.
    directory: DataDirectory,
}

/// The result of opening the data.
pub(crate) enum Opened {
    /// This process has locked the data.
    Local(Box<Installation>),
    /// A server has locked the data. The directory names the server's address, even after a restart.
    Remote(PathBuf, LocalServer),
}

impl Installation {
    /// Opens the data in `data`, or else at the configured location, and creates it if it does not exist.
    pub(crate) fn open(resolved: Resolved, data: Option<&Path>) -> Result<Self, Failure> {
        match Self::open_or_remote(resolved, data)? {
            Opened::Local(installation) => Ok(*installation),
            Opened::Remote(path, server) => Err(lock_failure(&LockError::Held { path, server: Some(server) })),
        }
    }

    /// Opens the data like [`open`](Self::open), or returns the server that has locked it.
    pub(crate) fn open_or_remote(resolved: Resolved, data: Option<&Path>) -> Result<Opened, Failure> {
        let database = Database::from_config(&resolved, data)?;
        let pool = build_pool(&resolved)?;
        Self::lock(resolved, database, pool)
    }

    /// Opens the data for a command that contacts no provider. Creates nothing: returns `None` if there is no data.
    pub(crate) fn open_to_replay(resolved: Resolved, data: Option<&Path>) -> Result<Option<Opened>, Failure> {
        let database = Database::from_config(&resolved, data)?;
        let no_providers = Pool::new([], PoolOptions::default(), Arc::new(SystemClock));
        if database.exists()? { Self::lock(resolved, database, no_providers).map(Some) } else { Ok(None) }
    }

    fn lock(mut resolved: Resolved, database: Database, pool: Pool) -> Result<Opened, Failure> {
        hide(&database.directory(), &mut resolved)?;
        let directory = match DataDirectory::lock(database.directory()) {
            Err(LockError::Held { path, server: Some(server) }) => return Ok(Opened::Remote(path, server)),
            locked => locked.map_err(|error| lock_failure(&error))?,
        };
        database.check_folder()?;
        let store = database.open()?;
        let caller_tokens = Arc::new(CallerTokenCache::new(Arc::new(SystemClock)));
        let mcp_servers = mcp_servers_for(&resolved, caller_tokens.clone());
        let (scope, pool) = (Scope::local(), Arc::new(pool));
        let opened = Self { resolved, scope, pool, database, store, mcp_servers, caller_tokens, directory };
        Ok(Opened::Local(Box::new(opened)))
    }

    /// Opens the data like [`open_or_remote`](Self::open_or_remote), but creates nothing: returns `None` if there is no
    /// data.
    pub(crate) fn open_existing(resolved: Resolved, data: Option<&Path>) -> Result<Option<Opened>, Failure> {
        let database = Database::from_config(&resolved, data)?;
        // A server may have locked a folder whose database has another name.
        let is_found = database.exists()? || database.other_in_folder()?.is_some();
        if is_found { Self::open_or_remote(resolved, data).map(Some) } else { Ok(None) }
    }

    /// Returns the data directory that [`open`](Self::open) would use, which may not exist.
    pub(crate) fn directory_for(resolved: &Resolved, data: Option<&Path>) -> Result<PathBuf, Failure> {
        Database::from_config(resolved, data).map(|database| database.directory())
    }

    /// Returns the data directory.
    pub(crate) fn directory(&self) -> &DataDirectory {
        &self.directory
    }

    /// Returns the database.
    pub(crate) fn database(&self) -> &Database {
        &self.database
    }

    /// Checks the whole database for damage.
    pub(crate) fn examine(&self) -> Result<Examination, OpenError> {
        self.database.examine()
    }

    /// Writes a small record and deletes it, to check that writes succeed.
    pub(crate) async fn check_writable(&self) -> Result<(), StoreError> {
        self.store.try_writing().await
    }

    /// Returns the session store, to read and edit sessions.
    pub(crate) fn sessions(&self) -> &dyn SessionStore {
        self.store.as_ref()
    }

    /// Returns the turn store, to read turns.
    pub(crate) fn turns(&self) -> &dyn TurnStore {
        self.store.as_ref()
    }

    /// Returns the store of uploaded files.
    pub(crate) fn files(&self) -> &dyn BlobStore {
        self.store.as_ref()
    }

    /// Builds the service that runs turns.
    pub(crate) fn service(&self) -> TurnService {
        let Resolved { config, folder, .. } = &self.resolved;
        let clock = Arc::new(SystemClock);
        let tools = available_tools(&self.resolved, clock.clone());
        let available = AvailableTools { tools: &tools, servers: &self.mcp_servers };
        let agents = config.agents.iter().map(|agent| build_agent(agent, config, folder, &available)).collect();
        TurnService::new(ServiceParts {
            store: self.store.clone(),
            broker: Arc::new(InProcess::default()),
            provider: self.pool.clone(),
            directory: Some(self.pool.clone()),
            agents,
            clock,
            ids: Arc::new(RandomIds),
            worker: RandomIds.worker(SystemClock.now()),
            slots: config.worker.slots,
            first_suspension: TurnService::FIRST_SUSPENSION,
            failpoints: Failpoints::default(),
        })
    }

    /// Returns how long running turns may take to finish when the process ends.
    pub(crate) fn drain(&self) -> Duration {
        Duration::from_secs(self.resolved.config.server.drain_s)
    }
}

/// Checks that turns and programs cannot read the data.
fn hide(data: &Path, resolved: &mut Resolved) -> Result<(), Failure> {
    let roots = std::mem::take(&mut resolved.config.files.found_roots);
    if let Some(root) = roots.folder_in(data) {
        let (root, data) = (root.display(), data.display());
        let why = format!(
            "files.roots: {root} is in the data directory {data}: keep the data elsewhere, with `store.url` or --data"
        );
        return Err(resolved.source.complaint("files.roots", why).into());
    }
    resolved.config.files.found_roots = roots.without(data);
    if let Some(run) = &resolved.config.tools.run_command {
        check_hidden(run, data, &resolved.source)?;
    }
    Ok(())
}

fn lock_failure(error: &LockError) -> Failure {
    let remedy = match error {
        LockError::Held { server: None, .. } => {
            "; stop it, or choose another directory with --data; to use the data from several terminals, run `turnkit \
             serve`: commands here talk to it, and commands elsewhere with --server URL"
        }
        LockError::Held { server: Some(_), .. } => "; stop it, or choose another directory with --data",
        LockError::Unusable { .. } => "; choose another directory with --data",
    };
    Failure::Data(format!("{error}{remedy}"))
}
