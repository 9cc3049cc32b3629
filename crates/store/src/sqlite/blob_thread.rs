//! The thread that reads and writes the content of uploaded files, so that large files delay no commit.

use std::io;
use std::thread;

use tokio::sync::{mpsc, oneshot};

/// The maximum number of queued pieces. An upload waits for each of its pieces, so this many files can be transferred
/// at once.
const MAX_WAITING: usize = 64;

type Work = Box<dyn FnOnce() + Send>;

/// A handle to the thread, which ends when the last clone is dropped.
#[derive(Debug, Clone)]
pub(super) struct BlobThread {
    queue: mpsc::Sender<Work>,
}

impl BlobThread {
    pub(super) fn start() -> io::Result<Self> {
        let (queue, mut waiting) = mpsc::channel::<Work>(MAX_WAITING);
        thread::Builder::new().name("store-blobs".to_owned()).spawn(move || {
            while let Some(work) = waiting.blocking_recv() {
                work();
            }
        })?;
        Ok(Self { queue })
    }

    /// Runs `work` on the thread, and waits for its result.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> io::Result<T> + Send + 'static,
    ) -> io::Result<T> {
        let (reply, answer) = oneshot::channel();
        let closed = || io::Error::other("the store is closed");
        // The caller may have stopped waiting.
        let work = Box::new(move || drop(reply.send(work())));
        self.queue.send(work).await.map_err(|_| closed())?;
        answer.await.unwrap_or_else(|_| Err(closed()))
    }

    /// Runs `work` later, without waiting. Drops it if the queue is full.
    pub(super) fn run_later(&self, work: impl FnOnce() + Send + 'static) {
        let _ = self.queue.try_send(Box::new(work));
    }
}
