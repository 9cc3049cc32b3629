//! Tests every promise of the service over hundreds of seeds, and that a broken promise is detected.

use turnkit_testkit::model_store::Flaw;
use turnkit_testkit::simulation::{Report, run, seeds};

/// The default number of seeds. `TURNKIT_SEEDS` sets another number, and `TURNKIT_SEED` selects a single one.
const SEEDS: u64 = 500;
/// The number of seeds within which a broken promise must be detected.
const FLAW_SEEDS: u64 = 200;

#[test]
fn every_seed_keeps_every_promise() {
    let seeds = seeds(SEEDS);
    let reports = seeds.iter().map(|seed| run(*seed, None));
    let sum: Report = reports.sum::<Result<_, _>>().unwrap_or_else(|broken| panic!("{broken}"));
    println!("{} seeds: {sum:?}", seeds.len());
    if seeds.len() > 100 {
        assert!(sum.deaths > seeds.len() && sum.turns > 4 * seeds.len() && sum.effects > seeds.len(), "{sum:?}");
    }
}

#[test]
fn the_same_seed_tells_the_same_story() {
    for seed in 0..100 {
        assert_eq!(run(seed, None), run(seed, None), "seed {seed}");
    }
}

#[test]
fn every_broken_promise_of_the_store_is_noticed() {
    for flaw in Flaw::OF_ONE_PROCESS {
        let noticed = (0..FLAW_SEEDS).find_map(|seed| run(seed, Some(flaw)).err());
        let Some(noticed) = noticed else { panic!("{flaw:?} went unnoticed") };
        println!("{flaw:?}: seed {}: {}", noticed.seed, noticed.description);
    }
}
