//! Read-only threads, each with its own connection, so that a long read delays no write.

use std::path::Path;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use rusqlite::Connection;
use turnkit_core::StoreError;

use super::failure::Failure;
use super::job::Job;
use super::queue::{Queue, Service};
use super::{OpenError, open};

const THREADS: usize = 2;
/// The maximum number of queued reads.
const MAX_WAITING: usize = 4096;

/// A handle to the reading threads, which end when it is dropped.
#[derive(Debug)]
pub(super) struct Readers {
    queue: Arc<Queue>,
    threads: Vec<JoinHandle<()>>,
}

impl Readers {
    pub(super) fn start(path: &Path) -> Result<Self, OpenError> {
        let queue = Queue::new(MAX_WAITING, "too many reads are waiting");
        let mut readers = Self { queue, threads: Vec::with_capacity(THREADS) };
        for number in 1..=THREADS {
            let connection = open::reader(path)?;
            let (service, path) = (readers.queue.serve(), path.to_owned());
            let thread = thread::Builder::new().name(format!("store-reader-{number}"));
            let thread = thread.spawn(move || work(&service, &connection, &path));
            readers.threads.push(thread.map_err(OpenError::thread)?);
        }
        Ok(readers)
    }

    /// Queues a read.
    pub(super) fn submit(&self, job: Box<dyn Job>) -> Result<(), StoreError> {
        self.queue.submit(job)
    }
}

impl Drop for Readers {
    fn drop(&mut self) {
        self.queue.close();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

fn work(service: &Service, connection: &Connection, path: &Path) {
    while let Some(mut job) = service.take_one() {
        let outcome = read(connection, &mut *job).map_err(|failure| failure.explain(path));
        job.answer(outcome);
    }
}

/// Runs a job on a consistent snapshot.
fn read(connection: &Connection, job: &mut dyn Job) -> Result<(), Failure> {
    let moment = connection.unchecked_transaction()?;
    job.run(&moment)
}
