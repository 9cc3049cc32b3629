//! The oracle: checks that every promise was kept.

mod decisions;
mod effects;
mod sessions;
mod shown;
#[cfg(test)]
mod tests;
mod turns;

use std::collections::BTreeMap;

use turnkit_core::CallUid;

use super::client::Client;
use super::snapshot::Contents;
use super::violation::{Check, Violation};
use crate::kill::host::Question;

/// Everything recorded about a trial.
pub(super) struct Evidence<'a> {
    pub(super) client: &'a Client,
    /// The database after each death, in order, and after the final life without a fault.
    pub(super) stored: &'a [Contents],
    /// The questions to the model, per life.
    pub(super) questions: &'a [Vec<Question>],
    /// The number of effects of each call.
    pub(super) effects: &'a BTreeMap<CallUid, usize>,
}

/// Returns the promises that were broken.
pub(super) fn judge(evidence: &Evidence<'_>) -> Vec<Violation> {
    let mut violations = evidence.client.violations.clone();
    for (life, stored) in (1..).zip(evidence.stored) {
        if stored.integrity != "ok" {
            violations.push(Violation::new(Check::Integrity, format!("after life {life}: {}", stored.integrity)));
        }
        let broken = stored.broken_files.iter().map(|broken| format!("after life {life}: {broken}"));
        violations.extend(broken.map(|found| Violation::new(Check::Files, found)));
    }
    turns::judge(evidence, &mut violations);
    sessions::judge(evidence, &mut violations);
    shown::judge(evidence, &mut violations);
    effects::judge(evidence, &mut violations);
    decisions::judge(evidence, &mut violations);
    violations
}

impl Evidence<'_> {
    /// Returns the database at the end of the trial.
    fn last(&self) -> Option<&Contents> {
        self.stored.last()
    }
}
