//! The SQLite store does what every store must do.

use std::error::Error;

use tempfile::TempDir;
use turnkit_core::ports::BoxFuture;
use turnkit_store::{SqliteOptions, SqliteStore};
use turnkit_testkit::conformance::Backend;

struct InSqlite {
    store: SqliteStore,
    folder: TempDir,
}

impl InSqlite {
    fn open(folder: TempDir) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let store = SqliteStore::open(&SqliteOptions::at(folder.path().join("turnkit.db")))?;
        Ok(Self { store, folder })
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

    fn reopen(self) -> BoxFuture<'static, Result<Self, Box<dyn Error + Send + Sync>>> {
        Box::pin(async {
            drop(self.store);
            Self::open(self.folder)
        })
    }
}

turnkit_testkit::store_conformance!(InSqlite);
