//! The report of a session's next request, with the size of each piece.

use turnkit_core::ports::ModelLimits;
use turnkit_core::{ChatRequest, Str};

use super::fill::reserve;
use super::item::{CutReason, PlacedItem};
use super::{Assembled, Fill, TokenRatios, tokens};

/// The request that a turn of the session would send at this time, with the size of each piece.
#[derive(Debug, Clone, PartialEq)]
pub struct ContextReport {
    /// The agent that would answer.
    pub agent: String,
    /// The pieces of the request, in the order they are sent.
    pub items: Vec<ReportedItem>,
    /// The sources without a text in the instructions, each with the reason.
    pub left_out: Vec<(Str, String)>,
    /// The tokens of the request plus the reserve for its answer. If the request begins with the last one, the
    /// provider's count of that request, and an estimate of the rest.
    pub used: u64,
    /// The token limit of the request together with its answer, if there is one: the window of the smallest model that
    /// may answer, or the budget of the agent.
    pub limit: Option<u64>,
    /// The request.
    pub request: ChatRequest,
}

/// A piece of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedItem {
    /// The category of an item of the instructions, or `tool`, `history` or `reserve`.
    pub category: &'static str,
    /// The origin of the piece.
    pub source: Str,
    /// The estimated tokens: 0 if the piece was left out.
    pub tokens: u64,
    /// Whether the text was not written by the operator.
    pub untrusted: bool,
    /// The reduction of the piece, if it was shortened.
    pub cut: Option<ReportedCut>,
}

/// The reduction of an item that was shortened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportedCut {
    /// The estimated tokens of the item before it was shortened.
    pub from: u64,
    /// `cap`: the item exceeds its own limit. `budget`: its category exceeds its budget, and the item was left out.
    /// `room`: the request would be too large with the item, and it was left out.
    pub reason: &'static str,
}

impl ContextReport {
    pub(crate) fn new(
        agent: &str,
        assembled: Assembled,
        request: ChatRequest,
        limits: Option<ModelLimits>,
        limit: Option<u64>,
        ratios: &TokenRatios,
    ) -> Self {
        let mut items: Vec<ReportedItem> = assembled.items.iter().map(ReportedItem::from_placed).collect();
        items.extend(request.tools.iter().map(|tool| ReportedItem::new("tool", &tool.name, tokens::of_tool(tool))));
        let used = Fill::used_by(&request, limits, limit, ratios);
        let sent = request.history.iter().filter(|entry| !entry.message().is_notices_only());
        let history = sent.map(|entry| tokens::of_entry(entry)).sum();
        items.push(ReportedItem::new("history", "messages", history));
        items.push(ReportedItem::new("reserve", "answer", reserve(&request, limits, limit)));
        let failed = assembled.failures.into_iter().map(|failure| (failure.provider, failure.why));
        let left_out = failed.chain(assembled.left_out.into_iter().map(|(source, why)| (source, why.into()))).collect();
        Self { agent: agent.to_owned(), items, left_out, used, limit, request }
    }
}

impl ReportedItem {
    fn new(category: &'static str, source: &str, tokens: u64) -> Self {
        Self { category, source: source.into(), tokens, untrusted: false, cut: None }
    }

    fn from_placed(item: &PlacedItem) -> Self {
        let cut = item.cut.map(|cut| ReportedCut {
            from: cut.from,
            reason: match cut.why {
                CutReason::Cap => "cap",
                CutReason::Budget => "budget",
                CutReason::Room => "room",
            },
        });
        let untrusted = item.untrusted;
        Self { untrusted, cut, ..Self::new(item.category.name(), &item.source, item.tokens) }
    }
}
