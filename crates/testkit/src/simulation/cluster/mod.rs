//! Several processes on one store, each with its own fate.

mod clients;
mod lives;

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::time::{sleep, timeout};

use super::client::Intent;
use super::judge::{judge, judge_sessions};
use super::members::{Member, Members};
use super::outage::Outage;
use super::record::{Record, Running};
use super::stop_delay::StopDelay;
use super::{LIVENESS, Report, START, plans, rewrites, runtime};
use crate::VirtualClock;
use crate::dice::Dice;
use crate::model_broker::{BrokerFlaw, Carrier, CarrierFaults};
use crate::model_store::{Disk, Flaw};

/// The length of a lease.
const LEASE: Duration = Duration::from_secs(15);
/// How often the promises and the leases of live processes are checked.
const JUDGED_EVERY: Duration = Duration::from_millis(500);

/// A promise that one part of a cluster breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClusterFlaw {
    /// A flaw of the store.
    Store(Flaw),
    /// A flaw of the broker.
    Broker(BrokerFlaw),
}

/// Processes that share a store.
pub(super) struct Cluster {
    dice: RefCell<Dice>,
    flaw: Option<ClusterFlaw>,
    disk: Disk,
    record: Record,
    carrier: Carrier,
    running: Running,
    stop_delay: StopDelay,
    outage: Outage,
    members: Members,
    lives: Cell<u16>,
    /// The number of processes that are still to stop.
    stops_left: Cell<u64>,
    deaths: Cell<usize>,
}

impl Cluster {
    pub(super) fn run(seed: u64, services: u16, flaw: Option<ClusterFlaw>) -> Result<Report, String> {
        let mut dice = Dice::new(seed);
        let plans = plans(&mut dice);
        runtime()?.block_on(async {
            let cluster = Self::new(seed, services, flaw, dice);
            let lives = (0..services).map(|_| cluster.live());
            let everything = async {
                tokio::select! {
                    biased;
                    () = cluster.serve(&plans) => Ok(()),
                    wrong = cluster.look(&plans) => Err(wrong),
                    _ = join_all(lives) => Err("every process is gone".to_owned()),
                    () = cluster.fail_for_all() => Err("the store failed for ever".to_owned()),
                }
            };
            let over = timeout(LIVENESS, everything).await;
            over.map_err(|_| format!("not over after {LIVENESS:?}"))??;
            let intents: Vec<Intent> = plans.iter().flatten().cloned().collect();
            judge(&cluster.disk, &cluster.record, &intents, true)?;
            judge_sessions(&cluster.disk, &intents).await?;
            let facts = cluster.record.facts();
            Ok(Report {
                turns: cluster.disk.turns().len(),
                deaths: cluster.deaths.get(),
                effects: facts.effects.len(),
                shown: facts.clients.values().map(|client| client.seen.len()).sum(),
                rewrites: rewrites(&cluster.disk),
                waits: cluster.disk.waits().len(),
                children: 0,
            })
        })
    }

    fn new(seed: u64, services: u16, flaw: Option<ClusterFlaw>, mut dice: Dice) -> Self {
        let carrier = Carrier::new(seed);
        let is_reliable = dice.chance(40);
        if !is_reliable {
            carrier.set_faults(CarrierFaults {
                lost: dice.below(40),
                repeated: dice.below(30),
                delay: Duration::from_millis(dice.below(400)),
            });
        }
        let stops = dice.below(2 * u64::from(services) + 1);
        let members = Members::new(dice.fork());
        Self {
            dice: RefCell::new(dice),
            flaw,
            disk: Disk::shared(Arc::new(VirtualClock::following_tokio(START)), LEASE),
            record: Record::default(),
            carrier,
            running: Running::default(),
            stop_delay: if is_reliable { StopDelay::RELIABLE } else { StopDelay::LOSSY },
            outage: Outage::default(),
            members,
            lives: Cell::new(0),
            stops_left: Cell::new(stops),
            deaths: Cell::new(0),
        }
    }

    fn draw<T>(&self, draw: impl FnOnce(&mut Dice) -> T) -> T {
        draw(&mut self.dice.borrow_mut())
    }

    /// Returns the first promise that is broken while the simulation runs.
    async fn look(&self, plans: &[Vec<Intent>]) -> String {
        let intents: Vec<Intent> = plans.iter().flatten().cloned().collect();
        loop {
            sleep(JUDGED_EVERY).await;
            if let Err(wrong) = judge(&self.disk, &self.record, &intents, false) {
                return wrong;
            }
            if let Some(wrong) = self.members.living().iter().find_map(|member| self.wrong_lease_of(member)) {
                return wrong;
            }
        }
    }

    /// Returns what is wrong with the lease of a live process, if anything.
    fn wrong_lease_of(&self, member: &Member) -> Option<String> {
        let undisturbed_since = member.process.fate.undisturbed_since();
        let can_renew = !self.outage.is_now() && undisturbed_since.elapsed() >= LEASE;
        let wrong = match self.disk.is_registered(&member.worker) {
            false => "lost its turns",
            true if can_renew && !self.disk.has_lease(&member.worker) => "has no lease",
            true => return None,
        };
        Some(format!("{} lives and {wrong}", member.worker.0))
    }

    /// Occasionally disconnects every process from the store for longer than a lease.
    async fn fail_for_all(&self) {
        if self.draw(|dice| dice.chance(30)) {
            sleep(self.draw(|dice| dice.millis(4000))).await;
            self.outage.set(true);
            sleep(self.draw(|dice| LEASE + dice.millis(10_000))).await;
            self.outage.set(false);
        }
        std::future::pending().await
    }
}
