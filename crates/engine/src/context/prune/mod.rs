//! Prunes tool results that are no longer needed. This requires neither a model nor a store.

mod file_access;
mod patterns;
mod prunable_result;
#[cfg(test)]
pub(super) mod tests;

use std::collections::{BTreeMap, BTreeSet};

use turnkit_core::{Edits, History, Message, PruneReason, PrunedResult, Role, ToolDefinition};

use self::file_access::FileAccess;
use self::prunable_result::{PrunableResult, prunable_results};
use super::tokens;

/// The minimum tokens of a content worth pruning. An empty result may have fewer.
const MIN_PRUNED_TOKENS: u64 = 50;
/// The most tokens that may follow a pruned result between two turns: the provider's cache misses them once.
const MAX_TOKENS_AFTER: u64 = 8_000;
/// The minimum saving, in tokens, for pruning within a turn.
const MIN_WITHIN_TURN: u64 = 3_000;
/// The first step at which a turn prunes its own results.
const FIRST_WITHIN_TURN: u16 = 4;

/// Returns edits that prune every unneeded result and all results before the newest `keep`, and the tokens saved.
/// Returns `None` if there is nothing to prune. `tools` are the tools of the turn. If `keep` is 0, no result is pruned
/// for its age.
///
/// The results of the newest round and all calls stay.
pub(super) fn prunable(history: &History, tools: &[ToolDefinition], keep: u32) -> Option<(Edits, u64)> {
    if tools.is_empty() || !history.has_calls() {
        return None;
    }
    let outcomes = prunable_results(history);
    let keep = keep as usize;
    let stale = beyond_kept(&outcomes, keep, keep + 1).map(|outcome| (outcome, PruneReason::Stale));
    let all = stale.chain(obsolete(&outcomes, tools)).map(|(outcome, why)| (outcome.place(), (outcome, why)));
    let all: BTreeMap<_, _> = all.collect();
    let saved = all.values().map(|(outcome, why)| outcome.tokens.saturating_sub(left_by(*why))).sum();
    let edits = edits(all.into_iter().map(|(place, (_, why))| (place, why)))?;
    Some((edits, saved))
}

/// Returns the edits that an agent that always prunes makes before step `step` of a turn, like [`prunable`].
///
/// Before its first step, a turn prunes the results that earlier turns no longer need, unless too many tokens follow
/// them. From its fourth step on, it prunes its own unneeded results as soon as that saves enough. The results of the
/// newest round and all calls stay. Results older than the newest `keep` are pruned once there are twice as many.
///
/// After the edits are applied, another call returns `None`.
pub(super) fn prunable_before(history: &History, tools: &[ToolDefinition], keep: u32, step: u16) -> Option<Edits> {
    // Without tools, no results are sent.
    if tools.is_empty() || !history.has_calls() {
        return None;
    }
    let outcomes = prunable_results(history);
    let mut blank: BTreeMap<(u32, u32), PruneReason> = BTreeMap::new();
    let keep = keep as usize;
    blank.extend(beyond_kept(&outcomes, keep, keep.saturating_mul(2)).map(|stale| (stale.place(), PruneReason::Stale)));
    if step == 1 {
        let obsolete: Vec<_> = obsolete(&outcomes, tools).collect();
        let stale = outcomes.iter().filter_map(|outcome| Some((outcome, *blank.get(&outcome.place())?)));
        let left_out = stale.chain(obsolete.iter().copied());
        let saved =
            |(outcome, why): (&PrunableResult<'_>, _)| (outcome.place(), outcome.tokens.saturating_sub(left_by(why)));
        let saved = left_out.map(saved).collect();
        let first = first_near_the_end(history, &saved);
        let near = obsolete.into_iter().filter(|(outcome, _)| outcome.message >= first);
        blank.extend(near.map(|(outcome, why)| (outcome.place(), why)));
    } else if step >= FIRST_WITHIN_TURN {
        let begins_turn = |message: &Message| message.role == Role::User && !message.is_steering();
        let asked = history.shown().rfind(|shown| begins_turn(shown.entry.message()));
        let asked = asked.map_or(0, |asked| asked.place);
        let of_turn: Vec<_> = obsolete(&outcomes, tools).filter(|(outcome, _)| outcome.message > asked).collect();
        let saved: u64 = of_turn.iter().map(|(outcome, why)| outcome.tokens.saturating_sub(left_by(*why))).sum();
        if saved >= MIN_WITHIN_TURN {
            blank.extend(of_turn.into_iter().map(|(outcome, why)| (outcome.place(), why)));
        }
    }
    edits(blank)
}

fn edits(blank: impl IntoIterator<Item = ((u32, u32), PruneReason)>) -> Option<Edits> {
    let blank: Vec<_> = blank.into_iter().map(|((place, part), reason)| PrunedResult { place, part, reason }).collect();
    (!blank.is_empty()).then_some(Edits { blank })
}

/// Returns the place of the first message that is followed by few enough tokens. The tokens in `saved`, by the places
/// of results, do not count: if they did, the next call would prune more.
fn first_near_the_end(history: &History, saved: &BTreeMap<(u32, u32), u64>) -> u32 {
    let (mut first, mut tokens_after) = (history.branch_len(), 0_u64);
    for shown in history.shown().rev() {
        if tokens_after > MAX_TOKENS_AFTER {
            break;
        }
        first = shown.place;
        let saved: u64 = saved.range((shown.place, 0)..=(shown.place, u32::MAX)).map(|(_, saved)| saved).sum();
        tokens_after += tokens::of_entry(&shown.entry).saturating_sub(saved);
    }
    first
}

/// Returns the tokens of the placeholder that replaces a pruned content.
fn left_by(reason: PruneReason) -> u64 {
    tokens::of_text(reason.placeholder())
}

/// Returns the results before the newest `keep`, if there are at least `least` in all.
fn beyond_kept<'a>(
    outcomes: &'a [PrunableResult<'a>],
    keep: usize,
    least: usize,
) -> impl Iterator<Item = &'a PrunableResult<'a>> {
    let newest = outcomes.last().map(|outcome| outcome.message);
    let can_be_left_out =
        |outcome: &&PrunableResult<'_>| outcome.tokens >= MIN_PRUNED_TOKENS && !outcome.must_be_known();
    let counted = || outcomes.iter().filter(can_be_left_out);
    let count = counted().count();
    let older = if keep > 0 && count >= least { count - keep } else { 0 };
    counted().take(older).filter(move |outcome| Some(outcome.message) != newest)
}

/// Returns the results before the newest round that later rounds make obsolete.
fn obsolete<'a>(
    outcomes: &'a [PrunableResult<'a>],
    tools: &'a [ToolDefinition],
) -> impl Iterator<Item = (&'a PrunableResult<'a>, PruneReason)> {
    let mut later = LaterRounds::default();
    outcomes.chunk_by(|one, next| one.message == next.message).rev().flat_map(move |round| {
        let judged: Vec<_> =
            round.iter().filter_map(|outcome| Some((outcome, later.obsolete_reason(outcome, tools)?))).collect();
        later.add(round, tools);
        judged
    })
}

/// The rounds after a result.
#[derive(Default)]
struct LaterRounds<'a> {
    /// The tools that succeeded.
    succeeded: BTreeSet<&'a str>,
    /// The paths that were changed.
    changed: BTreeSet<String>,
    /// The files that were read, each with the tool and the part of the file. `None` for a whole file.
    read: BTreeSet<(&'a str, String, Option<String>)>,
    /// The results of the next round.
    next: &'a [PrunableResult<'a>],
}

impl<'a> LaterRounds<'a> {
    fn obsolete_reason(&self, outcome: &PrunableResult<'_>, tools: &[ToolDefinition]) -> Option<PruneReason> {
        if self.next.is_empty() {
            return None;
        }
        let result = outcome.result;
        if patterns::is_empty(&result.content) {
            return (result.ok && outcome.tokens > left_by(PruneReason::Empty)).then_some(PruneReason::Empty);
        }
        if outcome.tokens < MIN_PRUNED_TOKENS || outcome.must_be_known() {
            return None;
        }
        if outcome.has_failed() {
            return self.succeeded.contains(result.name.as_str()).then_some(PruneReason::RetriedSuccessfully);
        }
        let is_repeated = || self.next.iter().any(|next| next.repeats(outcome));
        (self.has_read_or_changed(outcome, tools) || is_repeated()).then_some(PruneReason::Superseded)
    }

    fn has_read_or_changed(&self, outcome: &PrunableResult<'_>, tools: &[ToolDefinition]) -> bool {
        let Some(FileAccess::Read { path, lines }) = FileAccess::from_result(outcome, tools) else { return false };
        let is_read = |lines| self.read.contains(&(outcome.result.name.as_str(), path.clone(), lines));
        self.changed.contains(&path) || is_read(None) || lines.is_some() && is_read(lines.clone())
    }

    fn add(&mut self, round: &'a [PrunableResult<'a>], tools: &[ToolDefinition]) {
        for outcome in round.iter().filter(|outcome| outcome.result.ok && !outcome.has_failed()) {
            let name = outcome.result.name.as_str();
            self.succeeded.insert(name);
            match FileAccess::from_result(outcome, tools) {
                Some(FileAccess::Read { path, lines }) => drop(self.read.insert((name, path, lines))),
                Some(FileAccess::Change { path }) => drop(self.changed.insert(path)),
                None => {}
            }
        }
        self.next = round;
    }
}
