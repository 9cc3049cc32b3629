//! A store whose calls a test can observe, delay, replace or fail.

mod grants;
mod pins;
mod sessions;
mod turns;

use std::sync::Arc;

use turnkit_core::ports::{BoxFuture, Store};
use turnkit_core::{
    Checkpoint, CheckpointOutcome, Claim, ClaimedTurn, ClaimedTurns, Grant, Resolution, ResolveOutcome, Scope,
    StoreError, Sweep, Timestamp, TurnId, WaitId,
};

/// A pending call of a store method.
pub type StoreCall<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

/// A store that passes each call through an interceptor to an inner store.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// use std::sync::{Arc, Mutex};
///
/// use turnkit_core::ports::KeyStore as _;
/// use turnkit_testkit::model_store::{Disk, ModelStore};
/// use turnkit_testkit::{InterceptedStore, StoreCall, StoreInterceptor};
///
/// /// Records the names of all calls.
/// #[derive(Default)]
/// struct Names(Mutex<Vec<&'static str>>);
///
/// impl StoreInterceptor for Names {
///     fn intercept<'a, T: Send + 'a>(&'a self, method: &'static str, call: StoreCall<'a, T>) -> StoreCall<'a, T> {
///         self.0.lock().unwrap().push(method);
///         call
///     }
/// }
///
/// let names = Arc::new(Names::default());
/// let store = InterceptedStore::around(Arc::new(ModelStore::open(&Disk::default())), names.clone());
/// store.keys().await.unwrap();
/// assert_eq!(*names.0.lock().unwrap(), ["keys"]);
/// # });
/// ```
pub struct InterceptedStore<I> {
    inner: Arc<dyn Store>,
    interceptor: Arc<I>,
}

impl<I: StoreInterceptor> InterceptedStore<I> {
    /// Wraps a store with an interceptor.
    pub fn around(inner: Arc<dyn Store>, interceptor: Arc<I>) -> Self {
        Self { inner, interceptor }
    }
}

/// Intercepts the calls of a store. By default, each call passes through.
pub trait StoreInterceptor: Send + Sync {
    /// Returns the answer to a call of `method`. The store does nothing until `call` is polled.
    fn intercept<'a, T: Send + 'a>(&'a self, method: &'static str, call: StoreCall<'a, T>) -> StoreCall<'a, T> {
        let _ = method;
        call
    }

    /// Intercepts [`TurnStore::checkpoint`](turnkit_core::ports::TurnStore::checkpoint) of `store`.
    fn checkpoint<'a>(
        &'a self,
        store: &'a dyn Store,
        claim: &'a Claim,
        checkpoint: Checkpoint,
    ) -> StoreCall<'a, CheckpointOutcome> {
        self.intercept("checkpoint", store.checkpoint(claim, checkpoint))
    }

    /// Intercepts [`TurnStore::claim`](turnkit_core::ports::TurnStore::claim) of `store`.
    fn claim<'a>(
        &'a self,
        store: &'a dyn Store,
        sweep: &'a Sweep,
        turn: TurnId,
        at: Timestamp,
    ) -> StoreCall<'a, Option<ClaimedTurn>> {
        self.intercept("claim", store.claim(sweep, turn, at))
    }

    /// Intercepts [`WorkerStore::claim_oldest`](turnkit_core::ports::WorkerStore::claim_oldest) of `store`.
    fn claim_oldest<'a>(
        &'a self,
        store: &'a dyn Store,
        sweep: &'a Sweep,
        most: usize,
        at: Timestamp,
    ) -> StoreCall<'a, ClaimedTurns> {
        self.intercept("claim_oldest", store.claim_oldest(sweep, most, at))
    }

    /// Intercepts [`TurnStore::resolve`](turnkit_core::ports::TurnStore::resolve) of `store`.
    fn resolve<'a>(
        &'a self,
        store: &'a dyn Store,
        scope: &'a Scope,
        wait: WaitId,
        resolution: Resolution,
        grant: Option<Grant>,
        at: Timestamp,
    ) -> StoreCall<'a, ResolveOutcome> {
        self.intercept("resolve", store.resolve(scope, wait, resolution, grant, at))
    }
}
