//! The one place that names concrete backends.

mod agents;
mod database;
mod keys;
mod models;
mod permissions;
mod provider;
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
pub(crate) use turnkit_store::Examined;
use turnkit_store::{DataDirectory, LockError, OpenError};

use crate::config::{Resolved, check_hidden};
use crate::failure::Failure;
use agents::build_agent;
pub(crate) use database::Database;
pub(crate) use permissions::{Explained, explain};
pub(crate) use provider::{build_pool, connect};
pub(crate) use server::{LocalServer, announced};
use tools::available_tools;

/// An installation: its data, opened and locked, and what runs on it.
pub(crate) struct Installation {
    pub(crate) resolved: Resolved,
    pub(crate) scope: Scope,
    pool: Arc<Pool>,
    database: Database,
    store: Arc<dyn Store>,
    /// Held until the process ends.
    directory: DataDirectory,
}

/// What came of opening data.
pub(crate) enum Opened {
    /// It belongs to this process now.
    Here(Box<Installation>),
    /// It belongs to a server. The directory says where that is, also after a restart.
    Served(PathBuf, LocalServer),
}

impl Installation {
    /// Opens the data in `data`, or where the configuration says; made if there is none.
    pub(crate) fn open(resolved: Resolved, data: Option<&Path>) -> Result<Self, Failure> {
        match Self::open_or_served(resolved, data)? {
            Opened::Here(installation) => Ok(*installation),
            Opened::Served(path, server) => Err(held(&LockError::Held { path, server: Some(server) })),
        }
    }

    /// Opens the data like [`open`](Self::open), or finds the server that has it.
    pub(crate) fn open_or_served(resolved: Resolved, data: Option<&Path>) -> Result<Opened, Failure> {
        let database = Database::of(&resolved, data)?;
        let pool = build_pool(&resolved)?;
        Self::lock(resolved, database, pool)
    }

    /// Opens the data for a command that asks no provider; makes nothing: `None` where there is none.
    pub(crate) fn open_to_replay(resolved: Resolved, data: Option<&Path>) -> Result<Option<Opened>, Failure> {
        let database = Database::of(&resolved, data)?;
        let nobody = Pool::new([], PoolOptions::default(), Arc::new(SystemClock));
        if database.exists()? { Self::lock(resolved, database, nobody).map(Some) } else { Ok(None) }
    }

    fn lock(mut resolved: Resolved, database: Database, pool: Pool) -> Result<Opened, Failure> {
        hide(&database.directory(), &mut resolved)?;
        let directory = match DataDirectory::lock(database.directory()) {
            Err(LockError::Held { path, server: Some(server) }) => return Ok(Opened::Served(path, server)),
            locked => locked.map_err(|error| held(&error))?,
        };
        let store = database.open()?;
        let (scope, pool) = (Scope::local(), Arc::new(pool));
        Ok(Opened::Here(Box::new(Self { resolved, scope, pool, database, store, directory })))
    }

    /// Opens the data like [`open_or_served`](Self::open_or_served), but makes nothing: `None` where there is none.
    pub(crate) fn open_existing(resolved: Resolved, data: Option<&Path>) -> Result<Option<Opened>, Failure> {
        if Database::of(&resolved, data)?.exists()? { Self::open_or_served(resolved, data).map(Some) } else { Ok(None) }
    }

    /// The data directory of [`open`](Self::open), whether it exists or not.
    pub(crate) fn directory_for(resolved: &Resolved, data: Option<&Path>) -> Result<PathBuf, Failure> {
        Database::of(resolved, data).map(|database| database.directory())
    }

    /// The data directory.
    pub(crate) fn directory(&self) -> &DataDirectory {
        &self.directory
    }

    /// Where the database is.
    pub(crate) fn database(&self) -> &Database {
        &self.database
    }

    /// Reads the database through for damage.
    pub(crate) fn examine(&self) -> Result<Examined, OpenError> {
        self.database.examine()
    }

    /// Writes a little and removes it again, to see whether writes succeed.
    pub(crate) async fn try_out(&self) -> Result<(), StoreError> {
        self.store.try_writing().await
    }

    /// Sessions, to be read and edited.
    pub(crate) fn sessions(&self) -> &dyn SessionStore {
        self.store.as_ref()
    }

    /// Turns, to be read.
    pub(crate) fn turns(&self) -> &dyn TurnStore {
        self.store.as_ref()
    }

    /// Uploaded files.
    pub(crate) fn files(&self) -> &dyn BlobStore {
        self.store.as_ref()
    }

    /// What runs turns.
    pub(crate) fn service(&self) -> TurnService {
        let Resolved { config, folder, .. } = &self.resolved;
        let clock = Arc::new(SystemClock);
        let tools = available_tools(&self.resolved, clock.clone());
        let agents = config.agents.iter().map(|agent| build_agent(agent, config, folder, &tools)).collect();
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

    /// How long running turns may finish when the process ends.
    pub(crate) fn drain(&self) -> Duration {
        Duration::from_secs(self.resolved.config.server.drain_s)
    }
}

/// Keeps the data out of what turns and programs may read.
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

fn held(error: &LockError) -> Failure {
    let way_out = match error {
        LockError::Held { .. } => "; stop it, or choose another directory with --data",
        LockError::Unusable { .. } => "; choose another directory with --data",
    };
    Failure::Data(format!("{error}{way_out}"))
}
