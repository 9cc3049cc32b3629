//! Measures how full a model's window is before a call.

use std::sync::Arc;

use turnkit_core::ports::ModelLimits;
use turnkit_core::{Anchor, ChatRequest, Entry, History, Usage};

use super::anchor::ratio_of_counted;
use super::token_ratios::is_plausible;
use super::{ContextSettings, TokenRatios, tokens};

/// The tokens reserved for the answer if the request does not limit it.
pub(super) const RESERVE: u64 = 4_096;
/// The tokens of the message that asks for a summary.
const REQUEST_FOR_SUMMARY: u64 = 250;

/// The size of a request: the provider's count of its beginning, and an estimate of the rest.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fill {
    /// The provider's count of the earlier request that is a prefix of this one.
    counted: u64,
    /// The model that counted it.
    counted_by: Option<Arc<str>>,
    /// Whether contents were pruned since that count.
    is_reduced: bool,
    /// The estimated size of the instructions and the tools.
    pub(crate) overhead: u64,
    /// The estimated size of the uncounted messages.
    estimated: u64,
    /// The share of `estimated` that images and documents have.
    of_files: u64,
    /// The model's ratio of counted to estimated tokens of texts.
    ratio: f64,
    /// The same ratio for images and documents.
    ratio_of_files: f64,
    /// The tokens reserved for the answer.
    reserve: u64,
    /// The token limit of the request together with its answer.
    pub(crate) limit: u64,
    /// The estimated tokens that fit into a request for a summary, if it goes to another model.
    summary_room: Option<u64>,
}

impl Fill {
    /// Measures a request. Reads only the messages that the earlier request did not contain.
    pub(crate) fn new(request: &ChatRequest, limits: Option<ModelLimits>, limit: u64, ratios: &TokenRatios) -> Self {
        let (overhead, reserve) = (overhead(request, ratios), reserve(request, limits, Some(limit)));
        let model = request.model.as_ref().map(|model| &*model.0);
        Self::measured(&request.history, model, ratios, overhead, reserve, limit)
    }

    /// Sets `summary_room`, the room in requests for summaries if another model writes them.
    pub(crate) fn with_summary_room(self, summary_room: Option<u64>) -> Self {
        Self { summary_room, ..self }
    }

    /// Returns the tokens of a request, and the tokens reserved for its answer.
    pub(super) fn used_by(
        request: &ChatRequest,
        limits: Option<ModelLimits>,
        limit: Option<u64>,
        ratios: &TokenRatios,
    ) -> u64 {
        let model = request.model.as_ref().map(|model| &*model.0);
        let (overhead, reserve) = (overhead(request, ratios), reserve(request, limits, limit));
        Self::measured(&request.history, model, ratios, overhead, reserve, limit.unwrap_or(u64::MAX)).used()
    }

    /// Measures the next request: the same instructions and tools with the messages of `history`.
    pub(crate) fn next(&self, history: &History, ratios: &TokenRatios) -> Self {
        Self::measured(history, self.counted_by.as_deref(), ratios, self.overhead, self.reserve, self.limit)
            .with_summary_room(self.summary_room)
    }

    fn measured(
        history: &History,
        model: Option<&str>,
        ratios: &TokenRatios,
        overhead: u64,
        reserve: u64,
        limit: u64,
    ) -> Self {
        // A count under another agent is of other instructions and tools, so it does not apply.
        let is_of = |anchor: &&Anchor| anchor.overhead == overhead && model.is_none_or(|model| *model == *anchor.model);
        let anchor = history.anchor().filter(is_of);
        let (counted, (estimated, of_files)) = match anchor {
            Some(anchor) => {
                let since = history.shown().rev().take_while(|shown| shown.place >= anchor.branch_len);
                (anchor.tokens, estimated(since.map(|shown| &shown.entry)))
            }
            None => {
                let (messages, of_files) = estimated(history.iter());
                (0, (overhead + messages, of_files))
            }
        };
        let model = anchor.map(|anchor| &*anchor.model).or(model);
        Self {
            counted,
            counted_by: anchor.map(|anchor| Arc::clone(&anchor.model)),
            is_reduced: anchor.is_some_and(|anchor| anchor.is_reduced),
            overhead,
            estimated,
            of_files,
            ratio: ratios.of(model),
            ratio_of_files: if of_files > 0 { ratios.of_files(model) } else { 1.0 },
            reserve,
            limit,
            summary_room: None,
        }
    }

    /// Returns the tokens of the request plus the reserve for its answer.
    pub(crate) fn used(&self) -> u64 {
        let texts = tokens::scaled(self.estimated.saturating_sub(self.of_files), self.ratio);
        let files = tokens::scaled(self.of_files, self.ratio_of_files);
        self.counted.saturating_add(texts).saturating_add(files).saturating_add(self.reserve)
    }

    /// Returns a lower bound on the tokens of the request. No known model counts as little as half of the estimate.
    pub(super) fn least(&self) -> u64 {
        self.counted.saturating_add(self.estimated / 2)
    }

    /// Returns the percentage of the limit that is used.
    pub(crate) fn percent(&self) -> u64 {
        self.used().saturating_mul(100) / self.limit.max(1)
    }

    /// Scales `estimated` tokens of messages in the earlier request to the provider's count.
    pub(super) fn of_earlier(&self, estimated: u64, history: &History) -> u64 {
        tokens::scaled(estimated, self.ratio_of_earlier(history))
    }

    fn ratio_of_earlier(&self, history: &History) -> f64 {
        let anchor = history.anchor().filter(|_| self.counted_by.is_some());
        anchor.map_or(self.ratio, |anchor| ratio_of_counted(history, anchor))
    }

    /// Reports whether saving `saved` tokens makes enough room. The rest must fill at most `percent` of the limit, and
    /// the saving must be at least a tenth of the limit, so that the next change is not needed soon.
    pub(super) fn is_worth(&self, saved: u64, percent: u8) -> bool {
        let over = self.used().saturating_sub(self.limit.saturating_mul(u64::from(percent)) / 100);
        saved >= over && saved >= self.limit / 10
    }

    /// Returns the estimated tokens of messages that fill half the room left by instructions, tools, summary and
    /// reserve.
    pub(super) fn half(&self, history: &History) -> u64 {
        let summary = history.summary().map_or(0, |summary| tokens::of_text(&summary.text));
        let overhead = tokens::scaled(self.overhead + summary, self.ratio).saturating_add(self.reserve);
        tokens::scaled(self.limit.saturating_sub(overhead) / 2, 1.0 / self.ratio)
    }

    /// Reports whether the request would exceed the limit.
    pub(super) fn is_over(&self) -> bool {
        self.used() > self.limit
    }

    /// Returns the estimated tokens by which the request exceeds the limit, or `None` if it fits.
    pub(super) fn over(&self) -> Option<u64> {
        let over = self.used().saturating_sub(self.limit);
        (over > 0).then(|| tokens::scaled(over, 1.0 / self.ratio).max(1))
    }

    /// Returns the estimated tokens of messages of `history` that fit into a request with the same instructions and
    /// tools plus one message that asks for a summary.
    pub(crate) fn room(&self, history: &History) -> u64 {
        let of_same_model = || {
            let of_limit = self.limit.saturating_sub(self.reserve);
            tokens::scaled(of_limit, 1.0 / self.ratio_of_earlier(history))
        };
        let room = self.summary_room.unwrap_or_else(of_same_model);
        room.saturating_sub(self.overhead + REQUEST_FOR_SUMMARY)
    }

    /// Learns from the provider's count of the request. Returns the name of the model if the count covers the whole
    /// request.
    pub(crate) fn learn(&self, usage: &Usage, model: &str, ratios: &TokenRatios) -> Option<Arc<str>> {
        // The difference between the counts of two models is not evidence about either, nor is one from an estimate.
        let is_of_model = self.counted_by.as_deref().is_none_or(|by| by == model);
        let estimated = if is_of_model && !self.is_reduced { self.estimated } else { 0 };
        let model = ratios.learn(model, usage.input().saturating_sub(self.counted), estimated, self.of_files);
        // Some providers count only the part that was not in their cache.
        is_plausible(usage.input(), self.counted.saturating_add(self.estimated), self.of_files).then_some(model)
    }
}

/// Returns the token limit of a request together with its answer, if there is one.
pub(crate) fn limit(limits: Option<ModelLimits>, settings: ContextSettings) -> Option<u64> {
    let window = limits.map(|limits| limits.window);
    window.into_iter().chain(settings.budget).min().map(u64::from)
}

/// Returns the largest token limit of a request among the models that may answer, if it is known.
pub(super) fn most(limits: Option<ModelLimits>, settings: ContextSettings) -> Option<u64> {
    let window = limits.and_then(|limits| limits.largest_window);
    window.into_iter().chain(settings.budget).min().map(u64::from)
}

/// Returns the tokens to reserve for the answer.
pub(super) fn reserve(request: &ChatRequest, limits: Option<ModelLimits>, limit: Option<u64>) -> u64 {
    let longest = limits.and_then(|limits| limits.max_output).map_or(u64::MAX, u64::from);
    // A small window needs room for the request, too.
    let usual = || limit.map_or(RESERVE, |limit| RESERVE.min(limit / 4));
    request.params.max_tokens.map_or_else(usual, u64::from).min(longest)
}

/// Estimates the tokens of messages. Also returns the share that images and documents have.
fn estimated<'a>(entries: impl Iterator<Item = &'a Arc<Entry>>) -> (u64, u64) {
    entries.fold((0, 0), |(all, of_files), entry| {
        (all + tokens::of_entry(entry), of_files + tokens::of_files(entry.message()))
    })
}

/// Estimates everything but the messages.
fn overhead(request: &ChatRequest, ratios: &TokenRatios) -> u64 {
    request.instructions.as_deref().map_or(0, tokens::of_text) + ratios.tools.of(&request.tools)
}

#[cfg(test)]
mod tests {
    use turnkit_core::{Message, ModelName, Params, Summary, ToolDefinition};

    use super::*;

    /// Returns a message of `tokens` estimated tokens.
    fn message(tokens: usize) -> Message {
        Message::user("x".repeat((tokens - 4) * 4))
    }

    fn request(messages: &[usize]) -> ChatRequest {
        let instructions = Some("x".repeat(400).into());
        ChatRequest {
            instructions,
            history: History::of(messages.iter().map(|size| message(*size))),
            ..Default::default()
        }
    }

    fn used(request: &ChatRequest) -> u64 {
        Fill::new(request, None, 20_000, &TokenRatios::default()).used()
    }

    #[test]
    fn without_a_count_of_the_provider_everything_is_estimated() {
        let mut request = request(&[100, 200]);
        assert_eq!(used(&request), 520 + 4_096);
        request.tools = ToolDefinition::new("lookup", "x".repeat(4_000), "{}").into_iter().collect();
        assert_eq!(used(&request), 520 + 1_306 + 4_096);
    }

    #[test]
    fn tokens_counted_by_the_provider_are_not_estimated() {
        let mut request = request(&[100, 200]);
        request.history.set_anchor(290, 100, "small".into());
        assert_eq!(used(&request), 290 + 4_096);
        request.history.push(Entry::new(message(1_000)));
        assert_eq!(used(&request), 290 + 1_300 + 4_096);
        request.model = Some(ModelName("small".into()));
        assert_eq!(used(&request), 290 + 1_300 + 4_096);
        request.model = Some(ModelName("large".into()));
        assert_eq!(used(&request), 1_820 + 4_096, "another model counts other tokens");
        request.model = Some(ModelName("small".into()));
        request.tools = ToolDefinition::new("lookup", "", "{}").into_iter().collect();
        assert!(used(&request) > 1_820 + 4_096, "the counted request had no tools");
        request.tools = [].into();
        request.model = None;
        let instructions = request.instructions.replace("x".repeat(2_000).into());
        assert_eq!(used(&request), 2_340 + 4_096, "other instructions were not counted");
        request.instructions = instructions;
        request.history.push(Entry::new(Message::of_summary(Summary { covers: 1, ..Summary::default() })));
        assert_eq!(used(&request), 1_690 + 4_096, "the counted request had another message");
    }

    #[test]
    fn the_reserve_is_the_answer_limit_of_the_request() {
        let limits = |max_output| Some(ModelLimits { window: 200_000, largest_window: None, max_output });
        for (max_tokens, limits, limit, expected) in [
            (None, None, None, 4_096),
            (None, limits(None), Some(200_000), 4_096),
            (None, limits(Some(1_000)), Some(200_000), 1_000),
            (None, limits(None), Some(8_000), 2_000),
            (Some(6_000), limits(None), Some(8_000), 6_000),
            (Some(6_000), limits(Some(5_000)), Some(8_000), 5_000),
        ] {
            let request = ChatRequest { params: Params { max_tokens, ..Params::default() }, ..ChatRequest::default() };
            assert_eq!(reserve(&request, limits, limit), expected, "{max_tokens:?} {limits:?} {limit:?}");
        }
    }

    #[test]
    fn the_smaller_of_window_and_budget_is_the_limit() {
        let limits = |largest_window| Some(ModelLimits { window: 8_000, largest_window, max_output: None });
        for (limits, budget, expected, expected_most) in [
            (None, None, None, None),
            (limits(Some(8_000)), None, Some(8_000), Some(8_000)),
            (limits(Some(32_000)), None, Some(8_000), Some(32_000)),
            (limits(None), None, Some(8_000), None),
            (None, Some(9_000), Some(9_000), Some(9_000)),
            (limits(Some(32_000)), Some(9_000), Some(8_000), Some(9_000)),
            (limits(None), Some(9), Some(9), Some(9)),
        ] {
            let settings = ContextSettings { budget, ..ContextSettings::default() };
            assert_eq!((limit(limits, settings), most(limits, settings)), (expected, expected_most));
        }
    }

    #[test]
    fn a_count_of_only_a_part_of_the_request_is_not_taken_for_the_whole() {
        let ratios = TokenRatios::default();
        let fill = Fill::new(&request(&[1_000, 1_000]), None, 20_000, &ratios);
        for (input, whole) in [(2_000, true), (3_000, true), (0, false), (100, false), (20_000, false)] {
            let usage = Usage { fresh: input, ..Usage::default() };
            assert_eq!(fill.learn(&usage, "small", &ratios).is_some(), whole, "{input}");
        }
    }
}
