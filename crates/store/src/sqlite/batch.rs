//! Group commit: runs many jobs in one transaction, and answers none before the commit is durable.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;

use rusqlite::Connection;
use turnkit_core::StoreError;

use super::days::Days;
use super::failpoint::Failpoints;
use super::failure::Failure;
use super::health::WriteHealth;
use super::job::Job;

/// Commits batches of jobs.
pub(super) struct Batcher {
    pub(super) connection: Connection,
    pub(super) days: Arc<Days>,
    pub(super) path: PathBuf,
    pub(super) health: Arc<WriteHealth>,
    pub(super) failpoints: Arc<Failpoints>,
}

/// The outcome of a job.
type Outcome = Result<(), StoreError>;

/// A transaction that was rolled back because a job failed with `by`. The first `before` jobs can be committed without
/// that job.
struct RolledBack {
    before: usize,
    by: StoreError,
}

impl Batcher {
    /// Runs and answers all `jobs` as if one after another. They share a transaction until a job fails that may have
    /// written. The jobs before it then run again and are committed first. After that, each transaction takes twice as
    /// many jobs as the previous one, so that even if all fail, no job runs more than a few times.
    pub(super) fn commit(&self, jobs: &mut VecDeque<Box<dyn Job>>) {
        let mut together = jobs.len();
        while together > 0 {
            let outcomes = match self.transaction(jobs, together) {
                Ok(outcomes) => outcomes,
                Err(RolledBack { before: 0, by }) => vec![Err(by)],
                Err(RolledBack { before, .. }) => {
                    together = before;
                    continue;
                }
            };
            let answered = outcomes.len();
            for (job, outcome) in jobs.drain(..answered).zip(outcomes) {
                job.answer(outcome);
            }
            together = (2 * answered).min(jobs.len());
        }
    }

    /// Runs the first `together` jobs in one transaction.
    fn transaction(&self, jobs: &mut VecDeque<Box<dyn Job>>, together: usize) -> Result<Vec<Outcome>, RolledBack> {
        let before = self.connection.total_changes();
        if let Err(failure) = self.execute("BEGIN IMMEDIATE") {
            return Ok(vec![Err(self.explain(failure)); together]);
        }
        let mut outcomes = self.run(jobs.iter_mut().take(together))?;
        if let Err(failure) = self.days.write(&self.connection) {
            self.roll_back();
            // The job that caused the failure is unknown, so the first half is tried without the rest.
            return Err(RolledBack { before: together / 2, by: self.explain(failure) });
        }
        let kinds = || jobs.iter().take(together).map(|job| job.kind());
        self.failpoints.before_commit(kinds());
        match self.execute("COMMIT") {
            Ok(()) => {
                if self.connection.total_changes() != before {
                    self.health.succeeded();
                }
                self.failpoints.after_commit(kinds());
            }
            Err(failure) => {
                self.roll_back();
                let lost = self.explain(failure);
                outcomes.iter_mut().filter(|outcome| outcome.is_ok()).for_each(|outcome| *outcome = Err(lost.clone()));
            }
        }
        Ok(outcomes)
    }

    fn run<'a>(&self, jobs: impl Iterator<Item = &'a mut Box<dyn Job>>) -> Result<Vec<Outcome>, RolledBack> {
        let mut outcomes = Vec::with_capacity(jobs.size_hint().0);
        for job in jobs {
            let changes = self.changes();
            let done = job.run(&self.connection);
            let spoils = done.as_ref().is_err_and(|failure| self.may_have_written(failure, changes));
            match done.map_err(|failure| self.explain(failure)) {
                Err(by) if spoils => {
                    self.roll_back();
                    return Err(RolledBack { before: outcomes.len(), by });
                }
                outcome => outcomes.push(outcome),
            }
        }
        Ok(outcomes)
    }

    /// Returns the error for the caller. If writing itself failed, also updates the health of the store.
    fn explain(&self, failure: Failure) -> StoreError {
        let is_write_failure = failure.is_write_failure();
        let error = failure.explain(&self.path);
        if is_write_failure {
            self.health.failed(error.clone());
        }
        error
    }

    /// Reports whether a failed job may have left changes, compared with the number of `changes` before it. SQLite may
    /// fail in the middle of a statement, and may roll back the transaction by itself.
    fn may_have_written(&self, failure: &Failure, changes: u64) -> bool {
        matches!(failure, Failure::Sqlite(_)) || self.changes() != changes
    }

    /// Returns the number of changes that were made, or that are due at the end of the transaction.
    fn changes(&self) -> u64 {
        self.connection.total_changes() + self.days.calls()
    }

    /// Rolls back the transaction. SQLite may already have done so.
    fn roll_back(&self) {
        let _ = self.execute("ROLLBACK");
        self.days.clear();
    }

    fn execute(&self, sql: &str) -> Result<(), Failure> {
        self.connection.prepare_cached(sql)?.execute([])?;
        Ok(())
    }
}
