//! The seeds that a test runs.

/// Returns the seeds below `usual`, unless the environment overrides them: `TURNKIT_SEEDS` sets their number, and
/// `TURNKIT_SEED` selects a single one, as printed by a failure.
pub fn seeds(usual: u64) -> Vec<u64> {
    match asked_for("TURNKIT_SEED") {
        Some(seed) => vec![seed],
        None => (0..asked_for("TURNKIT_SEEDS").unwrap_or(usual)).collect(),
    }
}

/// Returns the number in an environment variable, if it contains one.
#[expect(clippy::disallowed_methods, reason = "how a failed seed is asked for again")]
pub fn asked_for(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}
