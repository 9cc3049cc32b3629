//! Tests the requests of sessions that exceed their models' windows over hundreds of seeds, and that a planted bug is
//! detected.

use turnkit_testkit::model_store::Flaw;
use turnkit_testkit::simulation::{Report, run_in_small_windows, seeds};

/// The default number of seeds. `TURNKIT_SEEDS` sets another number, and `TURNKIT_SEED` selects a single one.
const SEEDS: u64 = 200;
/// The number of seeds within which a broken promise must be detected.
const FLAW_SEEDS: u64 = 400;

#[test]
fn every_seed_keeps_every_promise() {
    let seeds = seeds(SEEDS);
    let reports = seeds.iter().map(|seed| run_in_small_windows(*seed, None));
    let sum: Report = reports.sum::<Result<_, _>>().unwrap_or_else(|broken| panic!("{broken}"));
    println!("{} seeds: {sum:?}", seeds.len());
    if seeds.len() > 100 {
        assert!(sum.deaths > seeds.len() && sum.rewrites > 2 * seeds.len(), "{sum:?}");
    }
}

#[test]
fn the_same_seed_tells_the_same_story() {
    for seed in 0..20 {
        assert_eq!(run_in_small_windows(seed, None), run_in_small_windows(seed, None), "seed {seed}");
    }
}

#[test]
fn every_planted_bug_in_summaries_edits_and_chores_is_noticed() {
    let mut unnoticed = Vec::new();
    for flaw in Flaw::OF_SMALL_WINDOWS {
        match (0..FLAW_SEEDS).find_map(|seed| run_in_small_windows(seed, Some(flaw)).err()) {
            Some(noticed) => println!("{flaw:?}: seed {}: {}", noticed.seed, noticed.description),
            None => unnoticed.push(flaw),
        }
    }
    assert!(unnoticed.is_empty(), "{unnoticed:?}");
}
