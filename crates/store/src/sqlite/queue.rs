//! A queue of jobs for the threads of the store.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use turnkit_core::StoreError;

use super::job::{Job, closed_error};

/// A bounded queue. It is closed by its owner, or when the last thread that serves it ends.
pub(super) struct Queue {
    state: Mutex<State>,
    filled: Condvar,
    /// The maximum number of queued jobs.
    limit: usize,
    /// The error text when the queue is full.
    full: &'static str,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Box<dyn Job>>,
    /// Threads that sleep until they are notified.
    idle: usize,
    /// The number of threads that serve the queue.
    serving: usize,
    closed: bool,
}

impl Queue {
    pub(super) fn new(limit: usize, full: &'static str) -> Arc<Self> {
        Arc::new(Self { state: Mutex::default(), filled: Condvar::new(), limit, full })
    }

    /// Queues a job.
    pub(super) fn submit(&self, job: Box<dyn Job>) -> Result<(), StoreError> {
        let mut state = self.lock();
        if state.closed {
            return Err(closed_error());
        }
        if state.jobs.len() >= self.limit {
            return Err(StoreError::Unavailable(self.full.to_owned()));
        }
        state.jobs.push_back(job);
        if state.idle > 0 {
            state.idle -= 1;
            drop(state);
            self.filled.notify_one();
        }
        Ok(())
    }

    /// Closes the queue. Queued jobs still run.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.filled.notify_all();
    }

    /// Registers a thread that serves the queue until it drops the returned value.
    pub(super) fn serve(self: &Arc<Self>) -> Service {
        self.lock().serving += 1;
        Service { queue: Arc::clone(self) }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there are jobs. Returns `None` once the queue is closed and empty.
    fn filled(&self) -> Option<MutexGuard<'_, State>> {
        let mut state = self.lock();
        while state.jobs.is_empty() {
            if state.closed {
                return None;
            }
            state.idle += 1;
            state = self.filled.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        Some(state)
    }
}

impl std::fmt::Debug for Queue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Queue").finish_non_exhaustive()
    }
}

/// The registration of a thread that serves a queue.
pub(super) struct Service {
    queue: Arc<Queue>,
}

impl Service {
    /// Waits for a job. Returns `None` once the queue is closed and empty.
    pub(super) fn take_one(&self) -> Option<Box<dyn Job>> {
        self.queue.filled().and_then(|mut state| state.jobs.pop_front())
    }

    /// Waits for jobs and swaps them with the empty `taken`. Returns `false` once the queue is closed and empty. If
    /// there are fewer jobs than `expected`, first sleeps for `linger`.
    pub(super) fn take_all(&self, taken: &mut VecDeque<Box<dyn Job>>, expected: usize, linger: Duration) -> bool {
        let Some(mut state) = self.queue.filled() else { return false };
        if state.jobs.len() < expected && !state.closed {
            drop(state);
            thread::sleep(linger);
            state = self.queue.lock();
        }
        std::mem::swap(&mut state.jobs, taken);
        true
    }
}

impl Drop for Service {
    /// Also runs when a job panicked. If no thread serves the queue any more, the queue closes, and waiting and new
    /// callers get an error.
    fn drop(&mut self) {
        let mut state = self.queue.lock();
        state.serving -= 1;
        if state.serving == 0 {
            state.closed = true;
            let abandoned = std::mem::take(&mut state.jobs);
            drop(state);
            drop(abandoned);
        }
    }
}
