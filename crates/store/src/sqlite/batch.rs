//! Group commit: many jobs, one transaction, and no answer before it is durable.

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

/// What becomes of a job.
type Outcome = Result<(), StoreError>;

/// A transaction was undone `by` the failure of a job. So many `before` it can be committed without it.
struct Undone {
    before: usize,
    by: StoreError,
}

impl Batcher {
    /// Runs and answers all `jobs`, as if one after the other. They share a transaction, until one fails and may have
    /// written: then those before it run again and are committed first. From there on twice as many share each next one:
    /// where all fail, none runs more often than a few times.
    pub(super) fn commit(&self, jobs: &mut VecDeque<Box<dyn Job>>) {
        let mut together = jobs.len();
        while together > 0 {
            let outcomes = match self.transaction(jobs, together) {
                Ok(outcomes) => outcomes,
                Err(Undone { before: 0, by }) => vec![Err(by)],
                Err(Undone { before, .. }) => {
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

    /// Runs the first jobs in one transaction.
    fn transaction(&self, jobs: &mut VecDeque<Box<dyn Job>>, together: usize) -> Result<Vec<Outcome>, Undone> {
        let before = self.connection.total_changes();
        if let Err(failure) = self.execute("BEGIN IMMEDIATE") {
            return Ok(vec![Err(self.explain(failure)); together]);
        }
        let mut outcomes = self.run(jobs.iter_mut().take(together))?;
        if let Err(failure) = self.days.write(&self.connection) {
            self.roll_back();
            // It is not known whose job it comes from: half of them may do without it.
            return Err(Undone { before: together / 2, by: self.explain(failure) });
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

    fn run<'a>(&self, jobs: impl Iterator<Item = &'a mut Box<dyn Job>>) -> Result<Vec<Outcome>, Undone> {
        let mut outcomes = Vec::with_capacity(jobs.size_hint().0);
        for job in jobs {
            let changes = self.changes();
            let done = job.run(&self.connection);
            let spoils = done.as_ref().is_err_and(|failure| self.may_have_written(failure, changes));
            match done.map_err(|failure| self.explain(failure)) {
                Err(by) if spoils => {
                    self.roll_back();
                    return Err(Undone { before: outcomes.len(), by });
                }
                outcome => outcomes.push(outcome),
            }
        }
        Ok(outcomes)
    }

    /// What the caller is told, and the health of the store if writing itself failed.
    fn explain(&self, failure: Failure) -> StoreError {
        let is_of_writing = failure.is_of_writing();
        let error = failure.explain(&self.path);
        if is_of_writing {
            self.health.failed(error.clone());
        }
        error
    }

    /// Whether something of a failed job may be left, which there was not when there had been so many `changes`. SQLite
    /// itself may fail in the middle of a statement, and may give the transaction up.
    fn may_have_written(&self, failure: &Failure, changes: u64) -> bool {
        matches!(failure, Failure::Sqlite(_)) || self.changes() != changes
    }

    /// How much was written, or is to be written at the end of the transaction.
    fn changes(&self) -> u64 {
        self.connection.total_changes() + self.days.calls()
    }

    /// SQLite may have done so already.
    fn roll_back(&self) {
        let _ = self.execute("ROLLBACK");
        self.days.forget();
    }

    fn execute(&self, sql: &str) -> Result<(), Failure> {
        self.connection.prepare_cached(sql)?.execute([])?;
        Ok(())
    }
}
