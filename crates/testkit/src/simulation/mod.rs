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
mod people;
mod process;
mod record;
mod seeds;
mod sent;
mod single;
mod stop_delay;
mod surroundings;
mod tools;
mod watched;
mod watcher;

use std::iter::Sum;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use turnkit_core::{LoggedTurn, Timestamp};

use self::client::Intent;
use self::cluster::Cluster;
pub use self::cluster::ClusterFlaw;
pub use self::seeds::{asked_for, seeds};
use self::single::SingleProcess;
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
    /// How many summaries and edits were stored.
    pub rewrites: usize,
    /// How often a turn waited for a decision.
    pub waits: usize,
    /// How many turns were those of sub-agents.
    pub children: usize,
}

impl Sum for Report {
    fn sum<I: Iterator<Item = Self>>(reports: I) -> Self {
        reports.fold(Self::default(), |sum, report| Self {
            turns: sum.turns + report.turns,
            deaths: sum.deaths + report.deaths,
            effects: sum.effects + report.effects,
            shown: sum.shown + report.shown,
            rewrites: sum.rewrites + report.rewrites,
            waits: sum.waits + report.waits,
            children: sum.children + report.children,
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
    SingleProcess::new(seed, flaw).run().map_err(|promise| Broken { seed, promise, test: "simulation" })
}

/// Runs the simulation of a seed with sessions that do not fit the windows of their models.
///
/// # Errors
/// The first promise that was broken.
pub fn run_in_small_windows(seed: u64, flaw: Option<Flaw>) -> Result<Report, Broken> {
    let simulation = SingleProcess::new(seed, flaw).in_small_windows();
    simulation.run().map_err(|promise| Broken { seed, promise, test: "simulated_windows" })
}

/// Runs the simulation of a seed with calls that wait: for people who approve, deny, answer, or do nothing, for clients with
/// tools of their own, and for sub-agents.
///
/// # Errors
/// The first promise that was broken.
pub fn run_with_people(seed: u64, flaw: Option<Flaw>) -> Result<Report, Broken> {
    let simulation = SingleProcess::new(seed, flaw).with_people();
    simulation.run().map_err(|promise| Broken { seed, promise, test: "simulated_people" })
}

/// Runs the simulation of a seed with several processes on one store.
///
/// # Errors
/// The first promise that was broken.
pub fn run_cluster(seed: u64, services: u16, flaw: Option<ClusterFlaw>) -> Result<Report, Broken> {
    Cluster::run(seed, services, flaw).map_err(|promise| Broken { seed, promise, test: "simulated_cluster" })
}

/// Returns how many summaries and edits were stored.
fn rewrites(disk: &Disk) -> usize {
    let messages = |logged: &LoggedTurn| logged.messages.iter().filter(|entry| entry.message().changes_view()).count();
    disk.turns().iter().map(|(_, logged)| messages(logged)).sum()
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

/// One thread, time that jumps to the next timer.
fn runtime() -> Result<Runtime, String> {
    Builder::new_current_thread().enable_time().start_paused(true).build().map_err(|error| error.to_string())
}
