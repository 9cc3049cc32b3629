//! Chooses the messages and contents that the next request leaves out.

use turnkit_core::ports::ModelLimits;
use turnkit_core::{ChatRequest, Edits, History, Message, Summary};

use super::fill::most;
use super::prune::{prunable, prunable_before};
use super::truncate::truncation_to_tokens;
use super::{CompactionCut, ContextSettings, Fill, Pieces, Pruning, tokens, truncation};

/// The code of the notice that the oldest messages are no longer sent to the model.
const HISTORY_TRUNCATED: &str = "history_truncated";
/// The code of the notice that the provider refused a request as too large and that it is retried without the oldest
/// messages.
pub(crate) const TRUNCATED_AFTER_OVERFLOW: &str = "truncated_after_overflow";
/// The code of the notice that contents of tool results are no longer sent to the model.
const RESULTS_PRUNED: &str = "results_pruned";

/// A change of the messages that are sent to the model.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rewrite {
    /// The message that records the change.
    pub(crate) change: Message,
    /// The code of the notice about the change.
    pub(crate) code: String,
    /// The text of that notice.
    pub(crate) text: String,
}

/// Reports whether a notice with this code is about a change of the messages that are sent.
pub(crate) fn is_of_rewrite(code: &str) -> bool {
    [HISTORY_TRUNCATED, TRUNCATED_AFTER_OVERFLOW, RESULTS_PRUNED].contains(&code)
}

/// The measure to take for a request that is too large.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum FitAction {
    /// Send it without some messages or contents of results.
    Rewrite(Rewrite),
    /// Summarise its oldest messages first.
    Summarise(CompactionCut),
    /// Send it without optional items of the instructions that have this many tokens, if there are any.
    DropOptional(u64),
    /// Do not send it, because no model could accept it. The sentence tells the user why.
    Reject(String),
}

/// Returns the measure to take before the request of step `step` is sent, or `None` to send it unchanged. Messages are
/// summarised only if `may_summarise`, and optional items are dropped only if `may_drop`. Messages over the limit of
/// `max_messages` are summarised if the host has a compactor, and left out otherwise.
pub(crate) fn fit(
    request: &ChatRequest,
    settings: ContextSettings,
    step: u16,
    limits: Option<ModelLimits>,
    fill: Option<&Fill>,
    (may_summarise, may_drop): (bool, bool),
    has_compactor: bool,
) -> Option<FitAction> {
    if may_summarise
        && has_compactor
        && let Some(summary) = truncation(&request.history, settings.max_messages)
    {
        return Some(FitAction::Summarise(CompactionCut::leaving(&request.history, &summary)));
    }
    if let Some(change) = change(request, settings, step, fill, may_summarise) {
        return Some(change);
    }
    let fill = fill?;
    if let Some(needed) = fill.over().filter(|_| may_drop) {
        return Some(FitAction::DropOptional(needed));
    }
    let (least, most) = (fill.least(), most(limits, settings)?);
    let text = || {
        format!(
            "the instructions, the tools and the messages that must be sent have at least {least} tokens, and a request \
             may have {most}: shorten them, or choose a model with a larger window"
        )
    };
    (least > most).then(text).map(FitAction::Reject)
}

/// Returns the change of a request that its provider refused as too large, if a message can be left out. At most half
/// of the tokens of its messages remain. If the limit is known, they also fill at most half of the room for messages.
pub(crate) fn rewrite_after_overflow(request: &ChatRequest, fill: Option<&Fill>) -> Option<Rewrite> {
    let messages = tokens_of_messages(&request.history);
    let most = fill.map_or(u64::MAX, |fill| fill.half(&request.history)).min(messages / 2);
    let summary = truncation_to_tokens(&request.history, most)?;
    let because = "the provider refused the request as too large for its model";
    let rewrite = truncated(&request.history, summary, because);
    Some(Rewrite { code: TRUNCATED_AFTER_OVERFLOW.to_owned(), ..rewrite })
}

/// Returns the next change of the request of step `step`. There is one if the request is too large and can be reduced
/// or summarised, or if the agent always prunes tool results.
pub(crate) fn change(
    request: &ChatRequest,
    settings: ContextSettings,
    step: u16,
    fill: Option<&Fill>,
    may_summarise: bool,
) -> Option<FitAction> {
    let ContextSettings { max_messages, compact_at, summarise, keep_messages, pruning, keep_results, .. } = settings;
    let history = &request.history;
    if let Some(summary) = truncation(history, max_messages) {
        return Some(FitAction::Rewrite(truncated(
            history,
            summary,
            &format!("context.max_messages is {max_messages}"),
        )));
    }
    if pruning == Pruning::Always
        && let Some(edits) = prunable_before(history, &request.tools, keep_results, step)
    {
        return Some(FitAction::Rewrite(pruned(edits)));
    }
    let fill = fill.filter(|fill| fill.percent() > u64::from(compact_at))?;
    if pruning != Pruning::Never
        && let Some((edits, saved)) = prunable(history, &request.tools, keep_results)
        && fill.is_worth(fill.of_earlier(saved, history), compact_at)
    {
        return Some(FitAction::Rewrite(pruned(edits)));
    }
    if summarise {
        if may_summarise && let Some(cut) = summarisable(history, keep_messages, compact_at, fill) {
            return Some(FitAction::Summarise(cut));
        }
        if !fill.is_over() {
            return None;
        }
    }
    let (half, messages) = (fill.half(history), tokens_of_messages(history));
    let most = match messages > half {
        true => half,
        // Fewer messages would cost another miss of the provider's cache and make little room.
        false if !fill.is_over() => return None,
        false => 0,
    };
    let summary = truncation_to_tokens(history, most)?;
    let because = format!("the request and its answer would fill {} % of {} tokens", fill.percent(), fill.limit);
    Some(FitAction::Rewrite(truncated(history, summary, &because)))
}

/// Returns the cut for a summary that leaves `keep` messages. Requires that requests have room for the messages to
/// summarise, and that the rest of the request fills at most `percent` of the limit.
fn summarisable(history: &History, keep: u32, percent: u8, fill: &Fill) -> Option<CompactionCut> {
    let keep = usize::try_from(keep).unwrap_or(usize::MAX);
    let cut = CompactionCut::within(history, keep, fill.half(history))?;
    let saved = fill.of_earlier(cut.tokens, history);
    let is_possible = || Pieces::split(cut.covered(history), fill.room(history)).is_some();
    (fill.is_worth(saved, percent) && is_possible()).then_some(cut)
}

/// Returns the cut for a summary ahead of need, if the next request fills more than `precompact_at` percent and a
/// summary makes enough room.
pub(crate) fn summarisable_ahead(history: &History, settings: ContextSettings, fill: &Fill) -> Option<CompactionCut> {
    let ContextSettings { precompact_at, keep_messages, .. } = settings;
    let is_full = fill.percent() > u64::from(precompact_at);
    is_full.then(|| summarisable(history, keep_messages, precompact_at, fill)).flatten()
}

fn tokens_of_messages(history: &History) -> u64 {
    history.shown().map(|shown| tokens::of_entry(&shown.entry)).sum()
}

fn truncated(history: &History, summary: Summary, because: &str) -> Rewrite {
    let left_out = history.shown().filter(|shown| !summary.keeps_message(shown.place)).count();
    let sent = history.shown().count();
    let text = format!("the oldest {left_out} of {sent} messages are no longer sent to the model, because {because}");
    Rewrite { change: Message::of_summary(summary), code: HISTORY_TRUNCATED.to_owned(), text }
}

fn pruned(edits: Edits) -> Rewrite {
    let results = edits.blank.len();
    let of = if results == 1 { "an earlier tool result".to_owned() } else { format!("{results} earlier tool results") };
    let text = format!("the content of {of} is no longer sent to the model");
    Rewrite { change: Message::of_edits(edits), code: RESULTS_PRUNED.to_owned(), text }
}

#[cfg(test)]
mod tests {
    use turnkit_core::{Entry, History, Message, Part, Role};

    use super::*;
    use crate::context::TokenRatios;
    use crate::context::prune::tests::{Made, tools, turn};

    fn rewritten_as(change: Option<FitAction>) -> Option<Rewrite> {
        change.map(|change| match change {
            FitAction::Rewrite(rewrite) => rewrite,
            other => panic!("{other:?}"),
        })
    }

    #[test]
    fn messages_are_left_out_only_above_the_threshold_and_then_down_to_half_of_the_room() {
        // Turns of 100 tokens, initially counted as 130. The reserve is a quarter of the limit.
        let request = |turns: usize| {
            let text = || "x".repeat(46 * 4);
            let turn = |_| [Message::user(text()), Message::new(Role::Assistant, vec![Part::text(text())])];
            let history = History::of((0..turns).flat_map(turn).chain([Message::user(text())]));
            ChatRequest { history, ..ChatRequest::default() }
        };
        let settings = ContextSettings { summarise: false, ..ContextSettings::default() };
        let rewritten = |turns: usize, settings| {
            let request = request(turns);
            let fill = Fill::new(&request, None, 4_000, &TokenRatios::default());
            rewritten_as(change(&request, settings, 1, Some(&fill), true))
        };
        assert_eq!(rewritten(18, settings), None);
        let rewrite = rewritten(19, settings).unwrap();
        // Half of 3,000 tokens is 1,154 estimated tokens: eleven turns and the last message.
        let summary = rewrite.change.summary().unwrap();
        assert_eq!((summary.covers, summary.keeps), (16, None));
        let because = "the request and its answer would fill 88 % of 4000 tokens";
        assert!(rewrite.text.ends_with(because), "{}", rewrite.text);
        assert!(rewritten(12, ContextSettings { compact_at: 60, ..settings }).is_some());
        assert_eq!(rewritten(19, ContextSettings { compact_at: 100, ..settings }), None);

        let mut request = request(19);
        request.history.push(Entry::new(rewrite.change));
        let fill = Fill::new(&request, None, 4_000, &TokenRatios::default());
        let next = change(&request, settings, 1, Some(&fill), true);
        assert_eq!(next, None, "one change makes the request small enough");
    }

    #[test]
    fn messages_are_summarised_above_the_threshold_and_left_out_only_if_the_request_would_not_fit() {
        // Turns of 100 tokens, initially counted as 130. The reserve is a quarter of the limit.
        let found = |turns: usize, summarise: bool, may_summarise: bool| {
            let text = || "x".repeat(46 * 4);
            let turn = |_| [Message::user(text()), Message::new(Role::Assistant, vec![Part::text(text())])];
            let history = History::of((0..turns).flat_map(turn).chain([Message::user(text())]));
            let request = ChatRequest { history, ..ChatRequest::default() };
            let fill = Fill::new(&request, None, 4_000, &TokenRatios::default());
            let settings = ContextSettings { summarise, ..ContextSettings::default() };
            change(&request, settings, 1, Some(&fill), may_summarise).map(|fit| match fit {
                FitAction::Summarise(cut) => ("summarised", cut.messages),
                FitAction::Rewrite(rewrite) => {
                    ("left out", rewrite.change.summary().map_or(0, |summary| summary.covers))
                }
                FitAction::DropOptional(_) | FitAction::Reject(_) => ("not sent", 0),
            })
        };
        for (turns, summarise, may_summarise, expected) in [
            (18, true, true, None),
            // Ten messages stay, and one more, because the cut must be at a user message.
            (19, true, true, Some(("summarised", 28))),
            (19, true, false, None),
            (19, false, true, Some(("left out", 16))),
            (23, true, false, Some(("left out", 24))),
            // These messages fit into several requests.
            (30, true, true, Some(("summarised", 50))),
            // These do not fit even into four requests.
            (100, true, true, Some(("left out", 178))),
        ] {
            assert_eq!(found(turns, summarise, may_summarise), expected, "{turns} {summarise} {may_summarise}");
        }
    }

    #[test]
    fn as_many_of_the_newest_messages_stay_besides_a_summary_as_the_agent_wants_and_half_of_the_room_holds() {
        let text = || "x".repeat(46 * 4);
        let turn = |_| [Message::user(text()), Message::new(Role::Assistant, vec![Part::text(text())])];
        let history = History::of((0..19).flat_map(turn).chain([Message::user(text())]));
        let request = ChatRequest { history, ..ChatRequest::default() };
        let fill = Fill::new(&request, None, 4_000, &TokenRatios::default());
        for (keep_messages, summarised) in [(2, 36), (10, 28), (100, 16)] {
            let settings = ContextSettings { keep_messages, ..ContextSettings::default() };
            let Some(FitAction::Summarise(cut)) = change(&request, settings, 1, Some(&fill), true) else { panic!() };
            assert_eq!(cut.messages, summarised, "{keep_messages}");
        }
    }

    #[test]
    fn contents_of_results_are_left_out_before_messages_are_if_that_makes_enough_room() {
        let path = |path: &str| format!(r#"{{"path":"{path}.rs"}}"#);
        let (a, b) = (path("a"), path("b"));
        let read = |path, tokens: usize| -> [Made<'_>; 1] { [("read", path, Ok("x".repeat(4 * tokens)))] };
        let (same, other, few) = (read(&a, 1_000), read(&b, 1_000), read(&a, 200));
        let codes = |first: &[Made<'_>], settings: ContextSettings| {
            let mut request =
                ChatRequest { history: turn(&[first, &other, &same]), tools: tools().into(), ..ChatRequest::default() };
            let mut codes = Vec::new();
            let fill = |request: &ChatRequest| Fill::new(request, None, 5_000, &TokenRatios::default());
            while let Some(rewrite) = rewritten_as(change(&request, settings, 2, Some(&fill(&request)), true)) {
                codes.push(rewrite.code);
                request.history.push(Entry::new(rewrite.change));
            }
            codes
        };
        let settings = |pruning| ContextSettings { pruning, summarise: false, ..ContextSettings::default() };
        for (pruning, expected) in [
            (Pruning::Pressure, RESULTS_PRUNED),
            (Pruning::Always, RESULTS_PRUNED),
            (Pruning::Never, HISTORY_TRUNCATED),
        ] {
            assert_eq!(codes(&same, settings(pruning)), [expected], "{pruning:?}");
        }
        // The little that can be left out makes too little room.
        let small = ContextSettings { compact_at: 60, summarise: false, ..ContextSettings::default() };
        assert_eq!(codes(&few, small), [HISTORY_TRUNCATED]);
    }
}
