//! Work that is done to its end even if whoever asked for it hangs up.

use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::runtime::Handle;
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TrackedFuture;

/// Does its work in the task of whoever waits for it, so that nobody else has to be woken. If it is dropped before the work
/// is done, the work goes on in a task of its own.
pub(super) struct SeenThrough<F: Future<Output: Send> + Send + 'static> {
    /// None once it is done or has panicked.
    work: Option<Pin<Box<TrackedFuture<F>>>>,
    tasks: TaskTracker,
    runtime: Handle,
}

impl<F: Future<Output: Send> + Send + 'static> SeenThrough<F> {
    /// Whoever waits for `tasks` waits for `work` too, from now on.
    ///
    /// # Panics
    /// There is no runtime.
    pub(super) fn new(work: F, tasks: &TaskTracker) -> Self {
        let tracked = Box::pin(tasks.track_future(work));
        Self { work: Some(tracked), tasks: tasks.clone(), runtime: Handle::current() }
    }
}

impl<F: Future<Output: Send> + Send + 'static> Future for SeenThrough<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        // Taken out meanwhile: what panics is not gone on with.
        let Some(mut work) = self.work.take() else { return Poll::Pending };
        let polled = work.as_mut().poll(context);
        if polled.is_pending() {
            self.work = Some(work);
        }
        polled
    }
}

impl<F: Future<Output: Send> + Send + 'static> Drop for SeenThrough<F> {
    fn drop(&mut self) {
        if let Some(work) = self.work.take() {
            self.tasks.spawn_on(work, &self.runtime);
        }
    }
}
