//! Tools that are activated by the messages of a history.

use turnkit_core::{History, Part, ToolResult};

use super::{Catalog, READ_RESULT, Runner, SEARCH, search};

/// The maximum number of activated deferred tools. When the model finds more, the oldest are dropped.
const MAX_FOUND: usize = 20;

impl Catalog {
    /// Returns the places of the tools that are activated by the first `messages` of `history`, in addition to the
    /// initial ones: the deferred tools that the model found, and the tool that reads results if one was shortened.
    /// They are in the order of their activation. Only the messages determine them, so a resumed or replayed turn has
    /// the same tools.
    pub(crate) fn activated(&self, history: &History, messages: usize) -> Vec<usize> {
        let mut active = Vec::new();
        if !self.is_deferring && !history.has_kept_results() {
            return active;
        }
        for result in history.iter().take(messages).flat_map(|entry| &entry.message().parts).filter_map(as_result) {
            if result.kept.is_some() {
                self.add(READ_RESULT, &mut active);
            }
            if result.ok && result.name == SEARCH {
                let found = search::found(&result.content).filter(|name| *name != READ_RESULT);
                found.for_each(|name| self.add(name, &mut active));
            }
        }
        let is_found = |place: &usize| self.at(*place).is_some_and(|tool| !matches!(tool.runner, Runner::ReadResult));
        let mut too_many = active.iter().filter(|place| is_found(place)).count().saturating_sub(MAX_FOUND);
        active.retain(|place| {
            let leaves = too_many > 0 && is_found(place);
            too_many -= usize::from(leaves);
            !leaves
        });
        active
    }

    fn add(&self, name: &str, active: &mut Vec<usize>) {
        let Some(place) = self.place(name) else { return };
        if self.at(place).is_some_and(|tool| tool.is_deferred) && !active.contains(&place) {
            active.push(place);
        }
    }
}

fn as_result(part: &Part) -> Option<&ToolResult> {
    match part {
        Part::ToolResult(result) => Some(result),
        _ => None,
    }
}
