//! The one thread that writes. What is queued when it looks becomes one transaction.

use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rusqlite::Connection;
use turnkit_core::StoreError;

use super::batch::Batcher;
use super::failpoint::Failpoints;
use super::job::{Job, gone};

/// Jobs that may wait: about a second of work.
const MOST_WAITING: usize = 16_384;
/// How long a batch waits for the callers of the batch before it, who are likely to come again.
const LINGER: Duration = Duration::from_micros(300);

/// The way to the writing thread, which ends when this is dropped.
#[derive(Debug)]
pub(super) struct Writer {
    queue: Arc<Queue>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    pub(super) fn start(connection: Connection, path: PathBuf, failpoints: Arc<Failpoints>) -> std::io::Result<Self> {
        let queue = Arc::new(Queue::default());
        let batcher = Batcher { connection, path, failpoints };
        let mut work = Work { queue: Arc::clone(&queue), batcher };
        let thread = thread::Builder::new().name("store-writer".to_owned()).spawn(move || work.run())?;
        Ok(Self { queue, thread: Some(thread) })
    }

    /// Queues a job.
    pub(super) fn submit(&self, job: Box<dyn Job>) -> Result<(), StoreError> {
        let mut state = self.queue.lock();
        if state.closed {
            return Err(gone());
        }
        if state.jobs.len() >= MOST_WAITING {
            return Err(StoreError::Unavailable("too many writes are waiting".to_owned()));
        }
        state.jobs.push(job);
        if std::mem::take(&mut state.idle) {
            self.queue.filled.notify_one();
        }
        Ok(())
    }
}

impl Drop for Writer {
    /// Finishes what is queued.
    fn drop(&mut self) {
        self.queue.lock().closed = true;
        self.queue.filled.notify_one();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[derive(Default)]
struct Queue {
    state: Mutex<State>,
    filled: Condvar,
}

#[derive(Default)]
struct State {
    jobs: Vec<Box<dyn Job>>,
    /// The thread sleeps until it is notified.
    idle: bool,
    closed: bool,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for jobs and swaps them with the empty `taken`; `false` once the queue is closed and empty.
    fn take(&self, taken: &mut Vec<Box<dyn Job>>, last: usize) -> bool {
        let mut state = self.lock();
        while state.jobs.is_empty() {
            if state.closed {
                return false;
            }
            state.idle = true;
            state = self.filled.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.idle = false;
        if last > 1 && state.jobs.len() < last && !state.closed {
            drop(state);
            thread::sleep(LINGER);
            state = self.lock();
        }
        std::mem::swap(&mut state.jobs, taken);
        true
    }
}

impl std::fmt::Debug for Queue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Queue").finish_non_exhaustive()
    }
}

struct Work {
    queue: Arc<Queue>,
    batcher: Batcher,
}

impl Work {
    fn run(&mut self) {
        let mut jobs = Vec::new();
        let mut last = 0;
        while self.queue.take(&mut jobs, last) {
            last = jobs.len();
            self.batcher.commit(&mut jobs);
        }
    }
}

impl Drop for Work {
    /// Also when a job panicked: whoever waits, and whoever comes, learns that nobody works here any more.
    fn drop(&mut self) {
        let mut state = self.queue.lock();
        state.closed = true;
        let abandoned = std::mem::take(&mut state.jobs);
        drop(state);
        drop(abandoned);
    }
}
