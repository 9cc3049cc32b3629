//! The single writing thread. All queued jobs become one transaction.

use std::collections::VecDeque;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use turnkit_core::StoreError;

use super::batch::Batcher;
use super::job::Job;
use super::queue::{Queue, Service};

/// The maximum number of queued jobs: about a second of work.
const MAX_WAITING: usize = 16_384;
/// The time a batch waits for the callers of the previous batch, which are likely to submit again.
const LINGER: Duration = Duration::from_micros(300);

/// A handle to the writing thread, which ends when it is dropped.
#[derive(Debug)]
pub(super) struct Writer {
    queue: Arc<Queue>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    pub(super) fn start(batcher: Batcher) -> std::io::Result<Self> {
        let queue = Queue::new(MAX_WAITING, "too many writes are waiting");
        let service = queue.serve();
        let thread = thread::Builder::new().name("store-writer".to_owned()).spawn(move || work(&service, &batcher))?;
        Ok(Self { queue, thread: Some(thread) })
    }

    /// Queues a job.
    pub(super) fn submit(&self, job: Box<dyn Job>) -> Result<(), StoreError> {
        self.queue.submit(job)
    }
}

impl Drop for Writer {
    /// Closes the queue, and waits for the queued jobs.
    fn drop(&mut self) {
        self.queue.close();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn work(service: &Service, batcher: &Batcher) {
    let mut jobs = VecDeque::new();
    let mut last = 0;
    while service.take_all(&mut jobs, if last > 1 { last } else { 0 }, LINGER) {
        last = jobs.len();
        batcher.commit(&mut jobs);
    }
}
