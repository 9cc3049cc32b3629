//! A future that runs to its end even if its caller drops it.

use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::runtime::Handle;
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TrackedFuture;

/// Runs its work in the caller's task, so that no other task has to be woken. If it is dropped before the work is done,
/// the work continues in its own task.
pub(super) struct RunToCompletion<F: Future<Output: Send> + Send + 'static> {
    /// `None` once the work is done or has panicked.
    work: Option<Pin<Box<TrackedFuture<F>>>>,
    tasks: TaskTracker,
    runtime: Handle,
}

impl<F: Future<Output: Send> + Send + 'static> RunToCompletion<F> {
    /// Wraps `work`. From now on, a wait for `tasks` also waits for `work`.
    ///
    /// # Panics
    /// Panics outside of a Tokio runtime.
    pub(super) fn new(work: F, tasks: &TaskTracker) -> Self {
        let tracked = Box::pin(tasks.track_future(work));
        Self { work: Some(tracked), tasks: tasks.clone(), runtime: Handle::current() }
    }
}

impl<F: Future<Output: Send> + Send + 'static> Future for RunToCompletion<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        // Taken out during the poll, so that work that panicked is not polled again.
        let Some(mut work) = self.work.take() else { return Poll::Pending };
        let polled = work.as_mut().poll(context);
        if polled.is_pending() {
            self.work = Some(work);
        }
        polled
    }
}

impl<F: Future<Output: Send> + Send + 'static> Drop for RunToCompletion<F> {
    fn drop(&mut self) {
        if let Some(work) = self.work.take() {
            self.tasks.spawn_on(work, &self.runtime);
        }
    }
}
