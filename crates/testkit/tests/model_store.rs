//! The store of the simulation does what every store must do.

use std::error::Error;

use turnkit_core::ports::BoxFuture;
use turnkit_testkit::conformance::Backend;
use turnkit_testkit::model_store::{Disk, ModelStore};

struct InMemory {
    store: ModelStore,
    disk: Disk,
}

impl InMemory {
    fn open(disk: Disk) -> Result<Self, Box<dyn Error + Send + Sync>> {
        Ok(Self { store: ModelStore::open(&disk), disk })
    }
}

impl Backend for InMemory {
    type Store = ModelStore;

    fn fresh() -> BoxFuture<'static, Result<Self, Box<dyn Error + Send + Sync>>> {
        Box::pin(async { Self::open(Disk::default()) })
    }

    fn store(&self) -> &ModelStore {
        &self.store
    }

    fn reopen(self) -> BoxFuture<'static, Result<Self, Box<dyn Error + Send + Sync>>> {
        Box::pin(async { Self::open(self.disk) })
    }
}

turnkit_testkit::store_conformance!(InMemory);
