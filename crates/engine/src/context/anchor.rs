//! Keeps providers' token counts usable after contents were pruned or the process restarted.

use std::sync::Arc;

use turnkit_core::{Anchor, Entry, History};

use super::{TokenRatios, tokens};

/// Adds a message to a history. If the message prunes contents, the provider's count of the history is kept, less an
/// estimate of the pruned contents. An estimate of the whole history could be so much larger that the request would be
/// reduced a second time.
pub(crate) fn push(history: &mut History, entry: Arc<Entry>) {
    let anchor = history.anchor().filter(|_| entry.message().edits().is_some()).cloned();
    let Some(anchor) = anchor else { return history.push(entry) };
    let (before, ratio) = (estimated(history, &anchor), ratio_of_counted(history, &anchor));
    history.push(entry);
    let saved = before.saturating_sub(estimated(history, &anchor));
    history.keep_anchor(anchor, tokens::scaled(saved, ratio));
}

/// Learns a model's ratio of counted to estimated tokens from the size that was stored with a history. Does nothing if
/// the model has already counted a request in this process. Reads the whole history.
pub(crate) fn learn_stored(history: &History, ratios: &TokenRatios) {
    if let Some(anchor) = history.anchor().filter(|anchor| !anchor.is_reduced && !ratios.knows(&anchor.model)) {
        let counted = history.shown().take_while(|shown| shown.place < anchor.branch_len);
        let of_files = counted.map(|shown| tokens::of_files(shown.entry.message())).sum();
        ratios.learn_earlier(&anchor.model, anchor.tokens, estimated(history, anchor), of_files);
    }
}

/// Returns the ratio of counted to estimated tokens for the part of a history that the provider counted.
pub(super) fn ratio_of_counted(history: &History, anchor: &Anchor) -> f64 {
    anchor.tokens as f64 / estimated(history, anchor).max(1) as f64
}

/// Estimates the tokens of the part that the provider counted.
fn estimated(history: &History, anchor: &Anchor) -> u64 {
    let summary = history.summary().map_or(0, |summary| tokens::of_text(&summary.text));
    let counted = history.shown().take_while(|shown| shown.place < anchor.branch_len);
    anchor.overhead + summary + counted.map(|shown| tokens::of_entry(&shown.entry)).sum::<u64>()
}

#[cfg(test)]
mod tests {
    use turnkit_core::{ChatRequest, Message};

    use super::*;
    use crate::context::prune::tests::{Made, tools, turn};
    use crate::context::rewrite::change;
    use crate::context::{ContextSettings, Fill, FitAction, TokenRatios};

    #[test]
    fn after_contents_were_left_out_the_same_request_is_not_changed_again() {
        let ratios = TokenRatios::default();
        let result: [Made<'_>; 1] = [("read", r#"{"path":"a.rs"}"#, Ok("x".repeat(4_000)))];
        let rounds = [&result[..]; 4];
        let mut request = ChatRequest { history: turn(&rounds), tools: tools().into(), ..ChatRequest::default() };
        let settings = ContextSettings { summarise: false, ..ContextSettings::default() };
        // The model counts half the estimated tokens, and then an answer follows.
        let overhead = Fill::new(&request, None, 4_000, &ratios).overhead;
        request.history.set_anchor(2_100, overhead, "small".into());
        request.history.push(Entry::new(Message::user("x".repeat(3_600))));
        let fill = |request: &ChatRequest| Fill::new(request, None, 4_000, &ratios);
        let Some(FitAction::Rewrite(rewrite)) = change(&request, settings, 2, Some(&fill(&request)), true) else {
            panic!("contents are left out");
        };
        let edits = Entry::new(rewrite.change);
        assert!(edits.message().edits().is_some());
        let mut estimated = request.clone();
        estimated.history.push(Arc::clone(&edits));
        assert!(fill(&estimated).percent() > u64::from(settings.compact_at));
        push(&mut request.history, edits);
        assert_eq!(request.history, estimated.history);
        assert_eq!(change(&request, settings, 2, Some(&fill(&request)), true), None);
        // Half the estimated tokens of the pruned contents: the model counts half.
        let tokens = request.history.anchor().unwrap().tokens;
        assert!((500..700).contains(&tokens), "{tokens}");
        // The difference from the next count is not evidence about the model.
        fill(&request).learn(&turnkit_core::Usage { fresh: 1_000, ..Default::default() }, "small", &ratios);
        assert!((ratios.of(Some("small")) - 1.3).abs() < f64::EPSILON);
    }
}
