//! Which messages the next request does without.

use turnkit_core::{ChatRequest, Summary};

use super::truncate::truncation_to_tokens;
use super::{ContextSettings, Fill, truncation};

/// The code of the notice that the model is no longer sent the oldest messages.
pub(crate) const HISTORY_TRUNCATED: &str = "history_truncated";

/// A change of the messages that are sent.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rewrite {
    /// Leaves out the messages.
    pub(crate) summary: Summary,
    /// Code of the notice about it.
    pub(crate) code: String,
    /// Its sentence.
    pub(crate) text: String,
}

/// Returns the change that makes a request small enough, if it is too large and a message can be left out.
pub(crate) fn rewrite(request: &ChatRequest, settings: ContextSettings, fill: Option<&Fill>) -> Option<Rewrite> {
    let ContextSettings { max_messages, compact_at, .. } = settings;
    let history = &request.history;
    let truncated = |summary: Summary, because: String| {
        let left_out = history.shown().filter(|shown| !summary.leaves(shown.place)).count();
        let sent = history.shown().count();
        let text =
            format!("the oldest {left_out} of {sent} messages are no longer sent to the model, because {because}");
        Rewrite { summary, code: HISTORY_TRUNCATED.to_owned(), text }
    };
    if let Some(summary) = truncation(history, max_messages) {
        return Some(truncated(summary, format!("context.max_messages is {max_messages}")));
    }
    let fill = fill.filter(|fill| fill.percent() > u64::from(compact_at))?;
    let summary = truncation_to_tokens(history, fill.half(request))?;
    let because = format!("the request and its answer would fill {} % of {} tokens", fill.percent(), fill.limit);
    Some(truncated(summary, because))
}

#[cfg(test)]
mod tests {
    use turnkit_core::{Entry, History, Message, Part, Role};

    use super::*;
    use crate::context::TokenRatios;

    #[test]
    fn messages_are_left_out_only_above_the_threshold_and_then_down_to_half_of_the_room() {
        // Turns of 100 tokens, which are taken for 130 at first. The reserve is a quarter.
        let request = |turns: usize| {
            let text = || "x".repeat(46 * 4);
            let turn = |_| [Message::user(text()), Message::new(Role::Assistant, vec![Part::text(text())])];
            let history = History::of((0..turns).flat_map(turn).chain([Message::user(text())]));
            ChatRequest { history, ..ChatRequest::default() }
        };
        let settings = ContextSettings::default();
        let rewritten = |turns: usize, settings| {
            let request = request(turns);
            let fill = Fill::of(&request, None, 4_000, &TokenRatios::default());
            rewrite(&request, settings, Some(&fill))
        };
        assert_eq!(rewritten(18, settings), None);
        let rewrite = rewritten(19, settings).unwrap();
        // Half of 3,000 tokens are 1,154 estimated ones: eleven turns and the last message.
        assert_eq!((rewrite.summary.covers, rewrite.summary.keeps), (16, None));
        let because = "the request and its answer would fill 88 % of 4000 tokens";
        assert!(rewrite.text.ends_with(because), "{}", rewrite.text);
        assert!(rewritten(12, ContextSettings { compact_at: 60, ..settings }).is_some());
        assert_eq!(rewritten(19, ContextSettings { compact_at: 100, ..settings }), None);

        let mut request = request(19);
        request.history.push(Entry::new(Message::of_summary(rewrite.summary)));
        let fill = Fill::of(&request, None, 4_000, &TokenRatios::default());
        assert_eq!(super::rewrite(&request, settings, Some(&fill)), None, "one change makes the request small enough");
    }
}
