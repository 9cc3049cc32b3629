//! The thread that reads and writes the content of uploaded files, so that megabytes delay no commit.

use std::io;
use std::thread;

use tokio::sync::{mpsc, oneshot};

/// Pieces that may wait; an upload waits for each of its own, so this many files can be read and written at once.
const MOST_WAITING: usize = 64;

type Work = Box<dyn FnOnce() + Send>;

/// The way to the thread, which ends when the last clone is dropped.
#[derive(Debug, Clone)]
pub(super) struct BlobThread {
    queue: mpsc::Sender<Work>,
}

impl BlobThread {
    pub(super) fn start() -> io::Result<Self> {
        let (queue, mut waiting) = mpsc::channel::<Work>(MOST_WAITING);
        thread::Builder::new().name("store-blobs".to_owned()).spawn(move || {
            while let Some(work) = waiting.blocking_recv() {
                work();
            }
        })?;
        Ok(Self { queue })
    }

    /// Runs `work` on the thread.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> io::Result<T> + Send + 'static,
    ) -> io::Result<T> {
        let (reply, answer) = oneshot::channel();
        let closed = || io::Error::other("the store is closed");
        // The caller may be gone by then.
        let work = Box::new(move || drop(reply.send(work())));
        self.queue.send(work).await.map_err(|_| closed())?;
        answer.await.unwrap_or_else(|_| Err(closed()))
    }

    /// Runs `work` some time, unless too much waits.
    pub(super) fn run_later(&self, work: impl FnOnce() + Send + 'static) {
        let _ = self.queue.try_send(Box::new(work));
    }
}
