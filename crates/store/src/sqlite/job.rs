//! A unit of work for a storage thread. Its answer waits for the commit.

use rusqlite::Connection;
use tokio::sync::oneshot;
use turnkit_core::StoreError;

use super::failure::Failure;

/// The kind of a job, as distinguished by failpoints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JobKind {
    Accept,
    Checkpoint,
    Other,
}

/// A job, as executed by the writer.
pub(super) trait Job: Send {
    fn kind(&self) -> JobKind;

    /// Does the work in an open transaction and stores its value. If the transaction is rolled back, the job runs again
    /// in another one.
    fn run(&mut self, connection: &Connection) -> Result<(), Failure>;

    /// Answers the caller: with the value if `outcome` is `Ok`, which means that it is durable.
    fn answer(self: Box<Self>, outcome: Result<(), StoreError>);
}

pub(super) type Reply<T> = oneshot::Receiver<Result<T, StoreError>>;

struct Task<W, T> {
    kind: JobKind,
    work: W,
    value: Option<T>,
    reply: oneshot::Sender<Result<T, StoreError>>,
}

/// Creates a job that runs `work`, and the receiver of its answer.
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
        // The caller may have stopped waiting. The work is committed nevertheless.
        let _ = reply.send(outcome.and_then(|()| value.ok_or_else(closed_error)));
    }
}

/// Waits for the answer of a job.
pub(super) async fn wait_for_answer<T>(reply: Reply<T>) -> Result<T, StoreError> {
    reply.await.unwrap_or_else(|_| Err(closed_error()))
}

/// Returns the error for a storage thread that has ended.
pub(super) fn closed_error() -> StoreError {
    StoreError::Unavailable("the store is closed".to_owned())
}
