//! Group commit: many jobs, one transaction, and no answer before it is durable.

use std::collections::VecDeque;
use std::collections::vec_deque::Drain;
use std::path::PathBuf;
use std::sync::Arc;

use rusqlite::Connection;
use turnkit_core::StoreError;

use super::failpoint::Failpoints;
use super::failure::Failure;
use super::job::Job;

/// A job that ran, and whether it may be committed.
type Ran = (Box<dyn Job>, Result<(), StoreError>);

/// Commits batches of jobs.
pub(super) struct Batcher {
    pub(super) connection: Connection,
    pub(super) path: PathBuf,
    pub(super) failpoints: Arc<Failpoints>,
}

impl Batcher {
    /// Runs and answers all `jobs`.
    pub(super) fn commit(&self, jobs: &mut VecDeque<Box<dyn Job>>) {
        let mut waiting = jobs.drain(..);
        while waiting.len() > 0 {
            self.transaction(&mut waiting);
        }
    }

    /// Runs jobs in one transaction until there are none left or SQLite gave the transaction up.
    fn transaction(&self, waiting: &mut Drain<'_, Box<dyn Job>>) {
        if let Err(error) = self.execute("BEGIN IMMEDIATE") {
            let error = error.explain(&self.path);
            return waiting.for_each(|job| job.answer(Err(error.clone())));
        }
        let mut ran: Vec<Ran> = Vec::with_capacity(waiting.len());
        for mut job in waiting.by_ref() {
            let outcome = self.in_savepoint(&mut *job).map_err(|failure| failure.explain(&self.path));
            ran.push((job, outcome.clone()));
            if let (Err(error), true) = (outcome, self.connection.is_autocommit()) {
                return answer_all(ran, Err(error));
            }
        }
        self.failpoints.before_commit(ran.iter().map(|(job, _)| job.kind()));
        let committed = self.execute("COMMIT").map_err(|failure| {
            // It may have been rolled back already.
            let _ = self.execute("ROLLBACK");
            failure.explain(&self.path)
        });
        if committed.is_ok() {
            self.failpoints.after_commit(ran.iter().map(|(job, _)| job.kind()));
        }
        answer_all(ran, committed);
    }

    /// Runs one job so that its failure does not undo its neighbours.
    fn in_savepoint(&self, job: &mut dyn Job) -> Result<(), Failure> {
        self.execute("SAVEPOINT job")?;
        let done = job.run(&self.connection).and_then(|()| self.execute("RELEASE job"));
        if done.is_err() {
            let undone = self.execute("ROLLBACK TO job").and_then(|()| self.execute("RELEASE job"));
            if undone.is_err() && !self.connection.is_autocommit() {
                self.execute("ROLLBACK")?;
            }
        }
        done
    }

    fn execute(&self, sql: &str) -> Result<(), Failure> {
        self.connection.prepare_cached(sql)?.execute([])?;
        Ok(())
    }
}

/// A job that failed on its own says why; all others share the fate of the transaction.
fn answer_all(ran: Vec<Ran>, committed: Result<(), StoreError>) {
    for (job, outcome) in ran {
        job.answer(outcome.and_then(|()| committed.clone()));
    }
}
