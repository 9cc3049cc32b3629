//! Runs the conformance tests of stores on the SQLite store.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;
use turnkit_core::Timestamp;
use turnkit_core::ports::BoxFuture;
use turnkit_store::{SqliteOptions, SqliteStore};
use turnkit_testkit::VirtualClock;
use turnkit_testkit::conformance::Backend;

struct InSqlite {
    store: SqliteStore,
    folder: TempDir,
    clock: Arc<VirtualClock>,
}

impl InSqlite {
    fn open(folder: TempDir) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let store = SqliteStore::open(&Self::options(&folder))?;
        Ok(Self { store, folder, clock: Self::clock() })
    }

    fn options(folder: &TempDir) -> SqliteOptions {
        SqliteOptions::at(folder.path().join("turnkit.db"))
    }

    fn clock() -> Arc<VirtualClock> {
        Arc::new(VirtualClock::fixed(Timestamp::from_millis(1_000)))
    }
}

impl Backend for InSqlite {
    type Store = SqliteStore;

    fn fresh() -> BoxFuture<'static, Result<Self, Box<dyn Error + Send + Sync>>> {
        Box::pin(async { Self::open(tempfile::tempdir()?) })
    }

    fn store(&self) -> &SqliteStore {
        &self.store
    }

    fn shared(lease: Duration) -> BoxFuture<'static, Result<Self, Box<dyn Error + Send + Sync>>> {
        Box::pin(async move {
            let (folder, clock) = (tempfile::tempdir()?, Self::clock());
            let store = SqliteStore::open_shared(&Self::options(&folder), clock.clone(), lease)?;
            Ok(Self { store, folder, clock })
        })
    }

    fn pass(&self, time: Duration) {
        self.clock.advance(time);
    }

    fn reopen(self) -> BoxFuture<'static, Result<Self, Box<dyn Error + Send + Sync>>> {
        Box::pin(async {
            drop(self.store);
            Self::open(self.folder)
        })
    }
}

turnkit_testkit::store_conformance!(InSqlite);
