//! The model store passes the conformance suite, and the suite detects its flaws.

use std::error::Error;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use turnkit_core::Timestamp;
use turnkit_core::ports::BoxFuture;
use turnkit_testkit::VirtualClock;
use turnkit_testkit::conformance::{self, Backend, Outcome};
use turnkit_testkit::model_store::{Disk, Flaw, ModelStore};

struct InMemory {
    store: ModelStore,
    disk: Disk,
    clock: Arc<VirtualClock>,
}

impl InMemory {
    fn open(disk: Disk) -> Self {
        Self { store: ModelStore::open(&disk), disk, clock: clock() }
    }

    fn shared(lease: Duration) -> Self {
        let clock = clock();
        let disk = Disk::shared(clock.clone(), lease);
        Self { clock, ..Self::open(disk) }
    }
}

fn clock() -> Arc<VirtualClock> {
    Arc::new(VirtualClock::fixed(Timestamp::from_millis(1_000)))
}

impl Backend for InMemory {
    type Store = ModelStore;

    fn fresh() -> BoxFuture<'static, Result<Self, Box<dyn Error + Send + Sync>>> {
        Box::pin(async { Ok(Self::open(Disk::default())) })
    }

    fn store(&self) -> &ModelStore {
        &self.store
    }

    fn shared(lease: Duration) -> BoxFuture<'static, Result<Self, Box<dyn Error + Send + Sync>>> {
        Box::pin(async move { Ok(Self::shared(lease)) })
    }

    fn pass(&self, time: Duration) {
        self.clock.advance(time);
    }

    fn reopen(self) -> BoxFuture<'static, Result<Self, Box<dyn Error + Send + Sync>>> {
        Box::pin(async { Ok(Self::open(self.disk)) })
    }
}

turnkit_testkit::store_conformance!(InMemory);

/// The store with one of [`Flaw::OF_SEVERAL_WORKERS`], in a process whose clock stands still.
struct WithFlaw<const FLAW: usize>(InMemory);

impl<const FLAW: usize> WithFlaw<FLAW> {
    fn of(InMemory { store, disk, clock: leases }: InMemory) -> Self {
        let store = store.with_flaw(Some(Flaw::OF_SEVERAL_WORKERS[FLAW])).with_clock(clock());
        Self(InMemory { store, disk, clock: leases })
    }
}

impl<const FLAW: usize> Backend for WithFlaw<FLAW> {
    type Store = ModelStore;

    fn fresh() -> BoxFuture<'static, Result<Self, Box<dyn Error + Send + Sync>>> {
        Box::pin(async { Ok(Self::of(InMemory::open(Disk::default()))) })
    }

    fn store(&self) -> &ModelStore {
        &self.0.store
    }

    fn shared(lease: Duration) -> BoxFuture<'static, Result<Self, Box<dyn Error + Send + Sync>>> {
        Box::pin(async move { Ok(Self::of(InMemory::shared(lease))) })
    }

    fn pass(&self, time: Duration) {
        self.0.pass(time);
    }

    fn reopen(self) -> BoxFuture<'static, Result<Self, Box<dyn Error + Send + Sync>>> {
        Box::pin(async { Ok(Self::of(InMemory::open(self.0.disk))) })
    }
}

/// Returns `true` if the behaviour is broken.
async fn is_broken(behaviour: impl Future<Output = Outcome>) -> bool {
    !matches!(AssertUnwindSafe(behaviour).catch_unwind().await, Ok(Ok(())))
}

#[tokio::test]
async fn every_broken_promise_to_several_workers_is_noticed() {
    assert_eq!(Flaw::OF_SEVERAL_WORKERS, [Flaw::OwnerNotChecked, Flaw::LeaseByLocalClock, Flaw::SweepWithoutOwnLease]);
    assert!(
        is_broken(conformance::ownership::another_worker_with_the_right_fence_changes_nothing::<WithFlaw<0>>()).await
    );
    assert!(is_broken(conformance::leases::turns_of_a_worker_whose_lease_is_over_go_to_another::<WithFlaw<1>>()).await);
    assert!(
        is_broken(conformance::leases::a_failure_that_ends_all_leases_takes_no_turns_from_the_living::<WithFlaw<2>>())
            .await
    );
}
