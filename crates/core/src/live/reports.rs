//! Progress reports of running calls.

use crate::{ToolProgress, TurnLog};

/// The last progress report of each running call. Reports are numbered in order of arrival, so that a follower can tell
/// which ones are new.
#[derive(Debug, Default)]
pub(super) struct Reports {
    reports: Vec<(u32, ToolProgress)>,
    last: u32,
}

impl Reports {
    /// Adds a report, replacing the previous one of the same call. Drops the reports of calls that have ended.
    pub(super) fn take(&mut self, progress: ToolProgress, log: &TurnLog) {
        self.take_numbered(self.last.saturating_add(1), progress, log);
    }

    /// Adds a report under the number that it has in another process. A report that is already known changes nothing.
    pub(super) fn take_numbered(&mut self, number: u32, progress: ToolProgress, log: &TurnLog) {
        if number > self.last {
            self.last = number;
            self.reports.retain(|(_, kept)| kept.uid != progress.uid && log.is_call_running(kept.uid) != Some(false));
            self.reports.push((number, progress));
        }
    }

    /// Returns the reports after number `seen` with their numbers, and advances `seen`. A report is held back until the
    /// start of its call is visible.
    pub(super) fn after(&self, seen: &mut u32, log: &TurnLog) -> Vec<(u32, ToolProgress)> {
        let mut new = Vec::new();
        if *seen == self.last {
            return new;
        }
        let known = *seen;
        for (number, progress) in self.reports.iter().filter(|(number, _)| *number > known) {
            match log.is_call_running(progress.uid) {
                Some(true) => new.push((*number, progress.clone())),
                Some(false) => {}
                None => return new,
            }
            *seen = *number;
        }
        *seen = self.last;
        new
    }
}
