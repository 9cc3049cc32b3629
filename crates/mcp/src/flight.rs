//! Work that several callers wait for.

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, Shared};
use tokio::task::JoinSet;

/// Work in a task of its own, whose result several callers wait for. It goes on if all of them leave, and is aborted
/// when the last clone is dropped.
#[derive(Clone)]
pub(crate) struct Flight<T: Clone>(Shared<BoxFuture<'static, Option<T>>>);

impl<T: Clone + Send + Sync + 'static> Flight<T> {
    /// Starts the work.
    pub(crate) fn start(work: impl Future<Output = T> + Send + 'static) -> Self {
        let mut tasks = JoinSet::new();
        tasks.spawn(work);
        Self(async move { tasks.join_next().await?.ok() }.boxed().shared())
    }

    /// Reports whether the work has ended, perhaps by a panic.
    pub(crate) fn has_ended(&self) -> bool {
        self.0.clone().now_or_never().is_some()
    }

    /// Waits for the result; `None` if the work panicked.
    pub(crate) async fn result(self) -> Option<T> {
        self.0.await
    }
}
