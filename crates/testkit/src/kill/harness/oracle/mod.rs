//! Whether everything that was promised was kept.

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

/// All that is known of a trial.
pub(super) struct Evidence<'a> {
    pub(super) client: &'a Client,
    /// The database after each death, in order, then after the life that was left alone.
    pub(super) stored: &'a [Contents],
    /// The questions of each life to the model.
    pub(super) questions: &'a [Vec<Question>],
    /// How many effects each call had.
    pub(super) effects: &'a BTreeMap<CallUid, usize>,
}

/// The promises that were broken.
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
    /// The database at the end.
    fn last(&self) -> Option<&Contents> {
        self.stored.last()
    }
}
