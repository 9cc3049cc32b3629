//! The seeds that a test tries.

/// Returns the seeds below `usual`, or those that the caller of the test asks for: `TURNKIT_SEEDS` sets how many,
/// `TURNKIT_SEED` names a single one, as a failure prints it.
pub fn seeds(usual: u64) -> Vec<u64> {
    match asked_for("TURNKIT_SEED") {
        Some(seed) => vec![seed],
        None => (0..asked_for("TURNKIT_SEEDS").unwrap_or(usual)).collect(),
    }
}

/// Returns the number in a variable of the environment, if it is one.
#[expect(clippy::disallowed_methods, reason = "how a failed seed is asked for again")]
pub fn asked_for(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}
