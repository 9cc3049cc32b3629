//! One unit of work for a storage thread, and the answer that waits for its commit.

use rusqlite::Connection;
use tokio::sync::oneshot;
use turnkit_core::StoreError;

use super::failure::Failure;

/// Which method a job belongs to, as far as failpoints tell them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JobKind {
    Accept,
    Checkpoint,
    Other,
}

/// A job as the writer sees it.
pub(super) trait Job: Send {
    fn kind(&self) -> JobKind;

    /// Does the work inside an open transaction and keeps its value. If that is undone, it is done again in another.
    fn run(&mut self, connection: &Connection) -> Result<(), Failure>;

    /// Tells the caller: the value if `outcome` is that it is durable.
    fn answer(self: Box<Self>, outcome: Result<(), StoreError>);
}

pub(super) type Reply<T> = oneshot::Receiver<Result<T, StoreError>>;

struct Task<W, T> {
    kind: JobKind,
    work: W,
    value: Option<T>,
    reply: oneshot::Sender<Result<T, StoreError>>,
}

/// A job that runs `work`, and where its answer will come.
pub(super) fn job<W, T>(kind: JobKind, work: W) -> (Box<dyn Job>, Reply<T>)
where
    W: Fn(&Connection) -> Result<T, Failure> + Send + 'static,
    T: Send + 'static,
{
    let (reply, receiver) = oneshot::channel();
    (Box::new(Task { kind, work, value: None, reply }), receiver)
}

impl<W, T> Job for Task<W, T>
where
    W: Fn(&Connection) -> Result<T, Failure> + Send,
    T: Send,
{
    fn kind(&self) -> JobKind {
        self.kind
    }

    fn run(&mut self, connection: &Connection) -> Result<(), Failure> {
        self.value = Some((self.work)(connection)?);
        Ok(())
    }

    fn answer(self: Box<Self>, outcome: Result<(), StoreError>) {
        let Self { value, reply, .. } = *self;
        // The caller may have lost interest; what was done stays done.
        let _ = reply.send(outcome.and_then(|()| value.ok_or_else(gone)));
    }
}

/// Waits for an answer.
pub(super) async fn answered<T>(reply: Reply<T>) -> Result<T, StoreError> {
    reply.await.unwrap_or_else(|_| Err(gone()))
}

/// The storage thread has ended.
pub(super) fn gone() -> StoreError {
    StoreError::Unavailable("the store is closed".to_owned())
}
