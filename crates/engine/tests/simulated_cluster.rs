//! Tests every promise of services that share a store over a hundred seeds, and that a broken promise is detected.

use turnkit_testkit::model_broker::BrokerFlaw;
use turnkit_testkit::model_store::Flaw;
use turnkit_testkit::simulation::{ClusterFlaw, Report, asked_for, run_cluster, seeds};

/// The default number of seeds. `TURNKIT_SEEDS` sets another number, and `TURNKIT_SEED` selects a single one, with
/// `TURNKIT_SERVICES` services.
const SEEDS: u64 = 100;
/// The number of seeds within which a broken promise must be detected.
const FLAW_SEEDS: u64 = 200;

/// Returns the number of services: one to five.
fn services(seed: u64) -> u16 {
    let asked_for = asked_for("TURNKIT_SERVICES").unwrap_or(1 + seed % 5);
    u16::try_from(asked_for).unwrap_or(1)
}

#[test]
fn every_seed_keeps_every_promise() {
    let seeds = seeds(SEEDS);
    let reports = seeds.iter().map(|seed| run_cluster(*seed, services(*seed), None));
    let sum: Report = reports.sum::<Result<_, _>>().unwrap_or_else(|broken| panic!("{broken}"));
    println!("{} seeds: {sum:?}", seeds.len());
    if seeds.len() >= 100 {
        assert!(sum.deaths > seeds.len() && sum.turns > 4 * seeds.len() && sum.effects > seeds.len(), "{sum:?}");
    }
}

#[test]
fn the_same_seed_tells_the_same_story() {
    for seed in 0..20 {
        let services = services(seed);
        assert_eq!(run_cluster(seed, services, None), run_cluster(seed, services, None), "seed {seed}");
    }
}

#[test]
fn every_broken_promise_among_processes_is_noticed() {
    let of_the_store = Flaw::AMONG_PROCESSES.map(ClusterFlaw::Store);
    let flaws = of_the_store.into_iter().chain(BrokerFlaw::ALL.map(ClusterFlaw::Broker));
    let mut unnoticed = Vec::new();
    for flaw in flaws {
        match (0..FLAW_SEEDS).find_map(|seed| run_cluster(seed, services(seed), Some(flaw)).err()) {
            Some(noticed) => println!("{flaw:?}: seed {}: {}", noticed.seed, noticed.description),
            None => unnoticed.push(flaw),
        }
    }
    assert!(unnoticed.is_empty(), "{unnoticed:?}");
}
