//! The lives of a cluster's processes: started, paused or stopped for good, presumed dead, and woken again.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::super::fate::Fate;
use super::super::members::Member;
use super::super::process::{Setup, start_with, worker};
use super::super::process_context::ProcessContext;
use super::super::{SECOND_LIFE, START};
use super::{Cluster, ClusterFlaw, LEASE};
use crate::VirtualClock;
use crate::dice::Dice;
use crate::model_broker::ModelBroker;

/// How often a process that was paused past its lease checks whether a sweep has removed it.
const LOOKED_EVERY: Duration = Duration::from_millis(5);

impl Cluster {
    /// Runs processes in one slot, one after the other.
    pub(super) async fn live(&self) {
        loop {
            let member = self.start();
            let is_over = self.serve_until_dead(&member).await;
            self.deaths.set(self.deaths.get() + 1);
            member.process.leave();
            sleep(self.draw(|dice| dice.millis(5000))).await;
            if !is_over {
                self.serve_once_more(&member).await;
            }
        }
    }

    fn start(&self) -> Arc<Member> {
        let life = self.lives.get();
        self.lives.set(life + 1);
        let stops_at = self.next_stop();
        let fate = Fate::new(self.draw(Dice::fork), stops_at, stops_at.is_some(), self.outage.clone());
        let (disk, record) = (self.disk.clone(), self.record.clone());
        let process = ProcessContext::among(disk, record, fate, life, self.running.clone(), self.stop_delay);
        let worker = worker(life);
        let (store_flaw, broker_flaw) = match self.flaw {
            Some(ClusterFlaw::Store(flaw)) => (Some(flaw), None),
            Some(ClusterFlaw::Broker(flaw)) => (None, Some(flaw)),
            None => (None, None),
        };
        let clock = VirtualClock::following_tokio(START);
        clock.shift(self.draw(|dice| i64::try_from(dice.below(120_000)).unwrap_or_default() - 60_000));
        let setup = Setup {
            worker: worker.clone(),
            broker: Arc::new(ModelBroker::start_with_flaw(&self.carrier, worker.clone(), broker_flaw)),
            clock: Arc::new(clock),
            flaw: store_flaw,
        };
        let service = start_with(&process, setup, self.draw(Dice::fork));
        Arc::new(Member { worker, process, service })
    }

    /// Returns the point at which the next process stops, if it is to stop.
    fn next_stop(&self) -> Option<u64> {
        let left = self.stops_left.get().checked_sub(1)?;
        self.stops_left.set(left);
        Some(self.draw(|dice| {
            let most = [60, 300, 1200][dice.below(3) as usize];
            1 + dice.below(most)
        }))
    }

    /// Serves until the process stops for a long time. Returns `true` if it never continues.
    async fn serve_until_dead(&self, member: &Arc<Member>) -> bool {
        let fate = &member.process.fate;
        let registers = async {
            while member.service.resume_unfinished().await.is_err() {
                sleep(Duration::from_millis(50)).await;
            }
        };
        let is_registered = tokio::select! {
            biased;
            () = fate.stops() => false,
            () = registers => true,
        };
        if !is_registered {
            return true;
        }
        // Two pauses in a row may together be longer than a lease.
        let mut may_pause_at = Instant::now();
        loop {
            self.members.add(member);
            fate.stops().await;
            self.members.remove(member);
            self.carrier.pause(&member.worker, true);
            let (is_short, is_crash) = self.draw(|dice| (dice.chance(30), dice.chance(60)));
            if !is_short || Instant::now() < may_pause_at {
                return is_crash;
            }
            sleep(self.draw(|dice| dice.millis(6000))).await;
            self.carrier.pause(&member.worker, false);
            may_pause_at = Instant::now() + LEASE;
            fate.resume(self.next_stop());
        }
    }

    /// Wakes a process that was presumed dead, for some time. It does not know that other processes own its turns, and
    /// clients send requests to it.
    async fn serve_once_more(&self, member: &Arc<Member>) {
        let wakes_by = Instant::now() + self.draw(|dice| LEASE + dice.millis(20_000));
        let wakes_at_its_sweep = self.draw(|dice| dice.chance(50));
        while Instant::now() < wakes_by && (!wakes_at_its_sweep || self.disk.is_registered(&member.worker)) {
            sleep(LOOKED_EVERY).await;
        }
        member.process.fate.resume_presumed_dead();
        self.carrier.pause(&member.worker, false);
        self.members.add(member);
        sleep(SECOND_LIFE).await;
        self.members.remove(member);
        member.process.fate.stop();
        self.carrier.pause(&member.worker, true);
    }
}
