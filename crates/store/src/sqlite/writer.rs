//! The one thread that writes. What is queued when it looks becomes one transaction.

use std::collections::VecDeque;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use turnkit_core::StoreError;

use super::batch::Batcher;
use super::job::Job;
use super::queue::{Queue, Service};

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
    pub(super) fn start(batcher: Batcher) -> std::io::Result<Self> {
        let queue = Queue::new(MOST_WAITING, "too many writes are waiting");
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
    /// Finishes what is queued.
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
