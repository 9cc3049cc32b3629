//! Threads that only read, each with its own connection, so that a long read delays no write.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;
use turnkit_core::StoreError;

use super::failure::Failure;
use super::job::{Job, gone};
use super::{OpenError, open};

const THREADS: usize = 2;
/// Reads that may wait.
const MOST_WAITING: usize = 4096;

/// The way to the reading threads, which end when this is dropped.
#[derive(Debug)]
pub(super) struct Readers {
    queue: Arc<Queue>,
    threads: Vec<JoinHandle<()>>,
}

impl Readers {
    pub(super) fn start(path: &Path) -> Result<Self, OpenError> {
        let mut readers = Self { queue: Arc::default(), threads: Vec::with_capacity(THREADS) };
        for number in 1..=THREADS {
            let connection = open::reader(path)?;
            let (queue, path) = (Arc::clone(&readers.queue), path.to_owned());
            let thread = thread::Builder::new().name(format!("store-reader-{number}"));
            let thread = thread.spawn(move || work(&queue, &connection, &path));
            readers.threads.push(thread.map_err(OpenError::thread)?);
        }
        Ok(readers)
    }

    /// Queues a read.
    pub(super) fn submit(&self, job: Box<dyn Job>) -> Result<(), StoreError> {
        let mut state = self.queue.lock();
        if state.closed {
            return Err(gone());
        }
        if state.jobs.len() >= MOST_WAITING {
            return Err(StoreError::Unavailable("too many reads are waiting".to_owned()));
        }
        state.jobs.push_back(job);
        drop(state);
        self.queue.filled.notify_one();
        Ok(())
    }
}

impl Drop for Readers {
    fn drop(&mut self) {
        self.queue.lock().closed = true;
        self.queue.filled.notify_all();
        for thread in self.threads.drain(..) {
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
    jobs: VecDeque<Box<dyn Job>>,
    closed: bool,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> Option<Box<dyn Job>> {
        let mut state = self.lock();
        loop {
            if let Some(job) = state.jobs.pop_front() {
                return Some(job);
            }
            if state.closed {
                return None;
            }
            state = self.filled.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl std::fmt::Debug for Queue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Queue").finish_non_exhaustive()
    }
}

fn work(queue: &Queue, connection: &Connection, path: &Path) {
    while let Some(mut job) = queue.take() {
        let outcome = read(connection, &mut *job).map_err(|failure| failure.explain(path));
        job.answer(outcome);
    }
}

/// All that a job reads is of one moment.
fn read(connection: &Connection, job: &mut dyn Job) -> Result<(), Failure> {
    let moment = connection.unchecked_transaction()?;
    job.run(&moment)
}
