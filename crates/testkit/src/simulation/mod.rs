//! Simulates thousands of lives of the service in virtual time. Each simulation is determined by a seed.
//!
//! Clients submit, follow and cancel turns, follow sessions, and reconnect. A model answers at random, and storage
//! fails. The process dies at any await, or is presumed dead and wakes up later. After each death, and at the end, all
//! promises are checked against the responses to clients and the effects of tools. The last life has no faults, so
//! every turn must end in it.
//!
//! ```
//! use turnkit_testkit::simulation;
//!
//! let report = simulation::run(7, None).unwrap();
//! assert!(report.turns > 0);
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
mod process_context;
mod record;
mod seeds;
mod sent;
mod single;
mod stop_delay;
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

/// The time at which every simulation starts.
const START: Timestamp = Timestamp::from_millis(1_800_000_000_000);
/// The time in which everything must end once faults have stopped.
const LIVENESS: Duration = Duration::from_secs(1800);
/// How long a process that was presumed dead keeps running.
const SECOND_LIFE: Duration = Duration::from_secs(5);

/// The result of a simulation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Report {
    /// The number of accepted turns.
    pub turns: usize,
    /// The number of deaths of a process.
    pub deaths: usize,
    /// The number of tool effects.
    pub effects: usize,
    /// The number of events shown to clients.
    pub shown: usize,
    /// The number of summaries and edits stored.
    pub rewrites: usize,
    /// The number of waits.
    pub waits: usize,
    /// The number of sub-agents' turns.
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
#[error("{description}\nagain: TURNKIT_SEED={seed} cargo test -p turnkit-engine --test {test}")]
pub struct Violation {
    /// The seed that reproduces the violation.
    pub seed: u64,
    /// A description of the violation.
    pub description: String,
    /// The test that reproduces the violation.
    test: &'static str,
}

/// Runs the simulation of a seed on a store with `flaw`.
///
/// # Errors
/// Returns the first broken promise.
pub fn run(seed: u64, flaw: Option<Flaw>) -> Result<Report, Violation> {
    SingleProcess::new(seed, flaw).run().map_err(|description| Violation { seed, description, test: "simulation" })
}

/// Runs the simulation of a seed with sessions that do not fit the windows of their models.
///
/// # Errors
/// Returns the first broken promise.
pub fn run_in_small_windows(seed: u64, flaw: Option<Flaw>) -> Result<Report, Violation> {
    let simulation = SingleProcess::new(seed, flaw).in_small_windows();
    simulation.run().map_err(|description| Violation { seed, description, test: "simulated_windows" })
}

/// Runs the simulation of a seed with calls that wait. They wait for people who approve, deny, answer, or do nothing,
/// for clients with their own tools, and for sub-agents.
///
/// # Errors
/// Returns the first broken promise.
pub fn run_with_people(seed: u64, flaw: Option<Flaw>) -> Result<Report, Violation> {
    let simulation = SingleProcess::new(seed, flaw).with_people();
    simulation.run().map_err(|description| Violation { seed, description, test: "simulated_people" })
}

/// Runs the simulation of a seed with several processes on one store.
///
/// # Errors
/// Returns the first broken promise.
pub fn run_cluster(seed: u64, services: u16, flaw: Option<ClusterFlaw>) -> Result<Report, Violation> {
    Cluster::run(seed, services, flaw).map_err(|description| Violation { seed, description, test: "simulated_cluster" })
}

/// Returns the number of summaries and edits stored.
fn rewrites(disk: &Disk) -> usize {
    let messages = |logged: &LoggedTurn| logged.messages.iter().filter(|entry| entry.message().changes_view()).count();
    disk.turns().iter().map(|(_, logged)| messages(logged)).sum()
}

/// Creates the intents of each client.
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

/// Creates a runtime with one thread and paused time, which jumps to the next timer.
fn runtime() -> Result<Runtime, String> {
    Builder::new_current_thread().enable_time().start_paused(true).build().map_err(|error| error.to_string())
}
