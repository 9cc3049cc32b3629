//! Thousands of lives of the service in virtual time, each told by a seed.
//!
//! Clients post, follow turns and sessions, cancel and come back; a model answers by chance; storage fails; the process
//! dies at any await, or is taken for dead and wakes up later. After each death, and at the end, everything that was
//! promised is checked against what clients were told and what tools really did. The last life has no faults: there
//! everything must end.
//!
//! ```
//! use turnkit_testkit::simulation;
//!
//! let told = simulation::run(7, None).unwrap();
//! assert!(told.turns > 0);
//! ```

mod client;
mod cluster;
mod fate;
mod judge;
mod members;
mod model;
mod outage;
mod process;
mod record;
mod stop_delay;
mod tools;
mod watcher;

use std::iter::Sum;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::runtime::{Builder, Runtime};
use turnkit_core::Timestamp;

use self::client::Intent;
use self::cluster::Cluster;
pub use self::cluster::ClusterFlaw;
use self::fate::Fate;
use self::judge::{judge, judge_sessions};
use self::members::{Member, Members};
use self::outage::Outage;
use self::process::Surroundings;
use self::record::Record;
use crate::dice::Dice;
use crate::model_store::{Disk, Flaw};

/// When everything begins.
const START: Timestamp = Timestamp::from_millis(1_800_000_000_000);
/// Within what time everything is over once faults have stopped.
const LIVENESS: Duration = Duration::from_secs(1800);
/// For how long a process that was taken for dead goes on.
const SECOND_LIFE: Duration = Duration::from_secs(5);

/// What a simulation came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Report {
    /// Turns that were accepted.
    pub turns: usize,
    /// How often the process died.
    pub deaths: usize,
    /// Effects of tools.
    pub effects: usize,
    /// Events that clients were shown.
    pub shown: usize,
}

impl Sum for Report {
    fn sum<I: Iterator<Item = Self>>(reports: I) -> Self {
        reports.fold(Self::default(), |sum, report| Self {
            turns: sum.turns + report.turns,
            deaths: sum.deaths + report.deaths,
            effects: sum.effects + report.effects,
            shown: sum.shown + report.shown,
        })
    }
}

/// A promise that was broken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{promise}\nagain: TURNKIT_SEED={seed} cargo test -p turnkit-engine --test {test}")]
pub struct Broken {
    /// The seed that shows it.
    pub seed: u64,
    /// What is wrong.
    pub promise: String,
    /// The test that runs it again.
    test: &'static str,
}

/// Runs the simulation of a seed on a store with `flaw`.
///
/// # Errors
/// The first promise that was broken.
pub fn run(seed: u64, flaw: Option<Flaw>) -> Result<Report, Broken> {
    Simulation::new(seed, flaw).run().map_err(|promise| Broken { seed, promise, test: "simulation" })
}

/// Runs the simulation of a seed with several processes on one store.
///
/// # Errors
/// The first promise that was broken.
pub fn run_cluster(seed: u64, services: u16, flaw: Option<ClusterFlaw>) -> Result<Report, Broken> {
    Cluster::run(seed, services, flaw).map_err(|promise| Broken { seed, promise, test: "simulated_cluster" })
}

struct Simulation {
    dice: Dice,
    flaw: Option<Flaw>,
    disk: Disk,
    record: Record,
    /// By client.
    plans: Vec<Vec<Intent>>,
    now: Timestamp,
    deaths: usize,
    /// A process that was taken for dead.
    undead: Option<(Runtime, Arc<Surroundings>)>,
}

/// What clients want, by client.
fn plans(dice: &mut Dice) -> Vec<Vec<Intent>> {
    let mut number = 0;
    let mut plan = |dice: &mut Dice| {
        let intents = (0..3 + dice.below(4)).filter_map(|_| {
            number += 1;
            Intent::random(number, dice)
        });
        intents.collect()
    };
    (0..2 + dice.below(3)).map(|_| plan(dice)).collect()
}

impl Simulation {
    fn new(seed: u64, flaw: Option<Flaw>) -> Self {
        let mut dice = Dice::new(seed);
        let (plans, now) = (plans(&mut dice), START);
        Self { dice, flaw, disk: Disk::default(), record: Record::default(), plans, now, deaths: 0, undead: None }
    }

    fn run(mut self) -> Result<Report, String> {
        let intents: Vec<Intent> = self.plans.iter().flatten().cloned().collect();
        let lives = u16::try_from(self.dice.below(5)).unwrap_or(0);
        for life in 0..lives {
            let stops_at = 1 + [20, 80, 400][self.dice.below(3) as usize];
            let stops_at = 1 + self.dice.below(stops_at);
            self.live(life, Some(stops_at))?;
            judge(&self.disk, &self.record, &intents, false)?;
        }
        self.live(lives, None)?;
        judge(&self.disk, &self.record, &intents, true)?;
        runtime()?.block_on(judge_sessions(&self.disk, &intents))?;
        let facts = self.record.facts();
        Ok(Report {
            turns: self.disk.turns().len(),
            deaths: self.deaths,
            effects: facts.effects.len(),
            shown: facts.told.values().map(|told| told.seen.len()).sum(),
        })
    }

    /// One process from its start to its death, or to the end of everything.
    fn live(&mut self, life: u16, stops_at: Option<u64>) -> Result<(), String> {
        let runtime = runtime()?;
        // If there is a process that was taken for dead, this one pauses to let it wake up.
        let pauses_at = self.undead.as_ref().map(|_| 1 + self.dice.below(60)).filter(|_| stops_at.is_some());
        let mut fate = || Fate::new(self.dice.fork(), pauses_at.or(stops_at), stops_at.is_some(), Outage::default());
        let fate = runtime.block_on(async { fate() });
        let around = Surroundings::new(self.disk.clone(), self.record.clone(), fate, life);
        let dice = self.dice.fork();
        let (service, clock) = runtime.block_on(async { process::start(&around, life, self.now, self.flaw, dice) });
        let worker = process::worker(life);
        let member = Arc::new(Member { worker, around: Arc::clone(&around), service: service.clone() });
        let members = Members::new(self.dice.clone());
        members.add(&member);
        let mut serve = Box::pin(async {
            while service.resume_unfinished().await.is_err() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            let clients =
                self.plans.iter().map(|plan| client::live(Arc::clone(&member), members.clone(), plan.clone()));
            watcher::watch_all(Arc::clone(&around), service.clone(), join_all(clients)).await;
        });
        let mut stopped = run_until_stopped(&runtime, &around.fate, serve.as_mut())?;
        if let Some((undead, its)) = self.undead.take() {
            its.fate.wake_up();
            undead.block_on(async { tokio::time::sleep(SECOND_LIFE).await });
            drop(undead);
            if stopped && pauses_at.is_some() {
                around.fate.go_on(stops_at);
                stopped = run_until_stopped(&runtime, &around.fate, serve.as_mut())?;
            }
        }
        drop(serve);
        self.now = clock.now().plus(Duration::from_secs(1));
        if stopped {
            self.deaths += 1;
            self.record.lose_requests();
            if self.dice.chance(40) {
                self.undead = Some((runtime, around));
            }
        }
        Ok(())
    }
}

/// Whether the process stopped before it was done.
fn run_until_stopped(runtime: &Runtime, fate: &Fate, serve: impl Future<Output = ()>) -> Result<bool, String> {
    runtime.block_on(async {
        tokio::select! {
            biased;
            () = fate.stops() => Ok(true),
            done = tokio::time::timeout(LIVENESS, serve) => match done {
                Ok(()) => Ok(false),
                Err(_) => Err(format!("not over after {LIVENESS:?}")),
            },
        }
    })
}

/// One thread, time that jumps to the next timer.
fn runtime() -> Result<Runtime, String> {
    Builder::new_current_thread().enable_time().start_paused(true).build().map_err(|error| error.to_string())
}
