//! The one place that names concrete backends.

mod agents;
mod keys;
mod models;
mod provider;
mod replay;
mod server;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use turnkit_broker::InProcess;
use turnkit_core::ports::{SessionStore, TurnStore};
use turnkit_core::{Scope, StoreError, WorkerId};
use turnkit_engine::{Failpoints, RandomIds, ServiceParts, SystemClock, TurnService};
use turnkit_llm::{Pool, PoolOptions};
pub(crate) use turnkit_store::Examined;
use turnkit_store::{DataDirectory, LockError, OpenError, SqliteOptions, SqliteStore, UrlError};

use crate::config::{DATABASE, Resolved};
use crate::failure::Failure;
use agents::build_agent;
pub(crate) use provider::{build_pool, connect};
pub(crate) use server::{LocalServer, announced};

/// An installation: its data, opened and locked, and what runs on it.
pub(crate) struct Installation {
    pub(crate) resolved: Resolved,
    pub(crate) scope: Scope,
    pool: Arc<Pool>,
    database: SqliteOptions,
    store: Arc<SqliteStore>,
    /// Held until the process ends.
    directory: DataDirectory,
}

/// A database that may be another process's.
pub(crate) struct DatabaseFile(SqliteOptions);

impl DatabaseFile {
    /// The database in `data`, or where the configuration says.
    pub(crate) fn of(resolved: &Resolved, data: Option<&Path>) -> Result<Self, Failure> {
        database(resolved, data).map(Self)
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Reads it through for damage, also while it is in use.
    pub(crate) fn examine(&self) -> Result<Examined, OpenError> {
        SqliteStore::examine(&self.0)
    }
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
        let database = database(&resolved, data)?;
        let pool = build_pool(&resolved)?;
        Self::lock(resolved, database, pool)
    }

    /// Opens the data for a command that asks no provider; makes nothing: `None` where there is none.
    pub(crate) fn open_to_replay(resolved: Resolved, data: Option<&Path>) -> Result<Option<Opened>, Failure> {
        let database = database(&resolved, data)?;
        let nobody = Pool::new([], PoolOptions::default(), Arc::new(SystemClock));
        if exists(&database)? { Self::lock(resolved, database, nobody).map(Some) } else { Ok(None) }
    }

    fn lock(resolved: Resolved, database: SqliteOptions, pool: Pool) -> Result<Opened, Failure> {
        let path = directory_of(&database);
        let directory = match DataDirectory::lock(&path) {
            Err(LockError::Held { path, server: Some(server) }) => return Ok(Opened::Served(path, server)),
            locked => locked.map_err(|error| held(&error))?,
        };
        let store = SqliteStore::open(&database).map_err(|error| Failure::Data(error.to_string()))?;
        let store = Arc::new(store);
        let (scope, pool) = (Scope::local(), Arc::new(pool));
        Ok(Opened::Here(Box::new(Self { resolved, scope, pool, database, store, directory })))
    }

    /// Opens the data like [`open_or_served`](Self::open_or_served), but makes nothing: `None` where there is none.
    pub(crate) fn open_existing(resolved: Resolved, data: Option<&Path>) -> Result<Option<Opened>, Failure> {
        if exists(&database(&resolved, data)?)? { Self::open_or_served(resolved, data).map(Some) } else { Ok(None) }
    }

    /// The data directory of [`open`](Self::open), whether it exists or not.
    pub(crate) fn directory_for(resolved: &Resolved, data: Option<&Path>) -> Result<PathBuf, Failure> {
        database(resolved, data).map(|database| directory_of(&database))
    }

    /// The data directory.
    pub(crate) fn directory(&self) -> &DataDirectory {
        &self.directory
    }

    /// Where the database is.
    pub(crate) fn database(&self) -> &SqliteOptions {
        &self.database
    }

    /// Reads the database through for damage.
    pub(crate) fn examine(&self) -> Result<Examined, OpenError> {
        SqliteStore::examine(&self.database)
    }

    /// Writes a little and removes it again, to see whether writes succeed.
    pub(crate) async fn try_out(&self) -> Result<(), StoreError> {
        self.store.try_out().await
    }

    /// Sessions, to be read and edited.
    pub(crate) fn sessions(&self) -> &dyn SessionStore {
        self.store.as_ref()
    }

    /// Turns, to be read.
    pub(crate) fn turns(&self) -> &dyn TurnStore {
        self.store.as_ref()
    }

    /// What runs turns.
    pub(crate) fn service(&self) -> TurnService {
        let config = &self.resolved.config;
        let clock = Arc::new(SystemClock);
        let tools = turnkit_tools::built_in(clock.clone());
        let agents = config.agents.iter().map(|agent| build_agent(agent, config, &tools)).collect();
        TurnService::new(ServiceParts {
            store: self.store.clone(),
            sessions: self.store.clone(),
            broker: Arc::new(InProcess::default()),
            provider: self.pool.clone(),
            directory: Some(self.pool.clone()),
            agents,
            clock,
            ids: Arc::new(RandomIds),
            worker: WorkerId("local".into()),
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

fn database(resolved: &Resolved, data: Option<&Path>) -> Result<SqliteOptions, Failure> {
    if let Some(directory) = data {
        return itself(SqliteOptions::at(directory.join(DATABASE)));
    }
    let Some(url) = &resolved.config.store.url else {
        let homeless =
            || Failure::Data("you have no home folder to keep data in: choose a folder with --data".to_owned());
        let directory = resolved.data.as_ref().ok_or_else(homeless)?;
        return itself(SqliteOptions::at(directory.join(DATABASE)));
    };
    // The text may hold a password, and is not shown.
    let url = url.parse::<SqliteOptions>().map_err(|UrlError { why, .. }| {
        let message = format!("{why}; expected sqlite:PATH or sqlite:PATH?synchronous=full|normal");
        resolved.source.complaint("store.url", message)
    })?;
    itself(url.relative_to(&resolved.folder))
}

/// The file itself: it is locked where it is, by whatever path it is reached.
fn itself(database: SqliteOptions) -> Result<SqliteOptions, Failure> {
    let path = database.path().display().to_string();
    let file = database.resolved();
    file.map_err(|error| {
        Failure::Data(format!("cannot look for {path}: {error}; choose another directory with --data"))
    })
}

fn exists(database: &SqliteOptions) -> Result<bool, Failure> {
    let path = database.path();
    path.try_exists().map_err(|error| {
        Failure::Data(format!("cannot look for {}: {error}; choose another directory with --data", path.display()))
    })
}

fn directory_of(database: &SqliteOptions) -> PathBuf {
    match database.path().parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

fn held(error: &LockError) -> Failure {
    let way_out = match error {
        LockError::Held { .. } => "; stop it, or choose another directory with --data",
        LockError::Unusable { .. } => "; choose another directory with --data",
    };
    Failure::Data(format!("{error}{way_out}"))
}
