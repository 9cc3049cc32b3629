//! The worker operations of the store.

use std::future::ready;

use turnkit_core::ports::{BoxFuture, WorkerStore};
use turnkit_core::{ClaimedTurns, Lease, StoreError, Sweep, SweepOutcome, Timestamp, WorkerId};

use super::job::{self, JobKind};
use super::leases::Leases;
use super::{SqliteStore, claim, deaths};

/// The number of turns that are found and claimed at once.
const SLICE: usize = 64;

impl WorkerStore for SqliteStore {
    fn register<'a>(&'a self, worker: &'a WorkerId) -> BoxFuture<'a, Result<Lease, StoreError>> {
        Box::pin(ready(Ok(self.leases.register(worker))))
    }

    fn renew<'a>(&'a self, worker: &'a WorkerId) -> BoxFuture<'a, Result<Lease, StoreError>> {
        Box::pin(ready(self.leases.renew(worker)))
    }

    fn sweep<'a>(&'a self, sweep: &'a Sweep) -> BoxFuture<'a, Result<SweepOutcome, StoreError>> {
        Box::pin(async move {
            if let Leases::Timed(leases) = &self.leases {
                // Owners are read before the leases are judged: a worker that registers in between owns none of these
                // turns.
                let owners = self.read(claim::owners).await?;
                for dead in leases.remove_dead(sweep.worker(), owners)? {
                    self.write(JobKind::Other, move |connection| deaths::record_worker(connection, &dead)).await?;
                }
            }
            let worker = sweep.worker().clone();
            self.read(move |connection| claim::swept(connection, &worker)).await
        })
    }

    fn claim_oldest<'a>(
        &'a self,
        sweep: &'a Sweep,
        most: usize,
        at: Timestamp,
    ) -> BoxFuture<'a, Result<ClaimedTurns, StoreError>> {
        Box::pin(async move {
            self.leases.check(sweep.worker())?;
            let (mut turns, mut last) = (ClaimedTurns::default(), 0);
            while turns.claimed.len() < most {
                let limit = SLICE.min(most - turns.claimed.len());
                let found = match self.read(move |connection| claim::oldest(connection, last, limit)).await {
                    Ok(found) => found,
                    Err(error) if turns.claimed.is_empty() => return Err(error),
                    // The claimed turns must reach the caller. If the failure persists, the next call returns it.
                    Err(_) => break,
                };
                let Some((end, _)) = found.last() else { break };
                last = *end;
                // All claims are queued before the first is awaited, so that they share commits.
                let claims = found.into_iter().filter_map(|(_, turn)| turn).map(|turn| {
                    let worker = sweep.worker().clone();
                    let work = move |connection: &_| claim::claim(connection, &worker, turn, at);
                    let (job, reply) = job::job(JobKind::Other, work);
                    (turn, self.writer.submit(job).map(|()| reply))
                });
                for (turn, submitted) in claims.collect::<Vec<_>>() {
                    let claimed = match submitted {
                        Ok(reply) => job::wait_for_answer(reply).await,
                        Err(error) => Err(error),
                    };
                    match claimed {
                        Ok(claimed) => turns.claimed.extend(claimed),
                        Err(error) => turns.failed.push((turn, error)),
                    }
                }
            }
            Ok(turns)
        })
    }
}
