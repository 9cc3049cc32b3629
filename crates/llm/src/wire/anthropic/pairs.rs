//! Removes unpaired tools and results of the provider, because it rejects a request with one and not the other.
//!
//! An answer may end between the two. If the provider pauses there, the result is in a later message of the same
//! answer, unless the turn ends before it arrives.

use std::borrow::Cow;

use serde::Deserialize;
use turnkit_core::{History, Message, Part, ProviderTool, Role};

use crate::wire::Vendor;
use crate::wire::transcript::opaque_of;

/// Returns the history without unpaired tools and results; `None` if there are none. A paused answer at the end of the
/// history keeps its tools, because the provider is about to continue it.
pub(super) fn without_unpaired(history: &History, vendor: &Vendor) -> Option<History> {
    let mut unpaired = Vec::new();
    // The messages of one answer that hold tools of a provider.
    let mut answer = Vec::new();
    for entry in history.iter() {
        let message = entry.message();
        if message.role != Role::Assistant {
            take_unpaired(&mut answer, vendor, &mut unpaired);
        } else if provider_tools(message).next().is_some() {
            answer.push(message);
        }
    }
    let last = history.iter().next_back().map(|entry| entry.message());
    let is_paused = last.is_some_and(|last| last.role == Role::Assistant && last.mark.is_none());
    if !is_paused {
        take_unpaired(&mut answer, vendor, &mut unpaired);
    }
    if unpaired.is_empty() {
        return None;
    }
    let is_unpaired = |tool: &ProviderTool| unpaired.iter().any(|other| std::ptr::eq(*other, tool));
    let is_kept = |part: &Part| !matches!(part, Part::ProviderTool(tool) if is_unpaired(tool));
    Some(history.with(|message| {
        let is_whole = message.parts.iter().all(is_kept);
        let kept = || message.parts.iter().filter(|part| is_kept(part)).cloned().collect();
        (!is_whole).then(|| Message { parts: kept(), ..*message })
    }))
}

/// Moves the unpaired tools and results of an answer to `unpaired`.
fn take_unpaired<'a>(answer: &mut Vec<&'a Message>, vendor: &Vendor, unpaired: &mut Vec<&'a ProviderTool>) {
    let tools = || answer.iter().copied().flat_map(provider_tools);
    let is_paired = |tool: &ProviderTool| tools().filter(|other| other.provider_id == tool.provider_id).count() > 1;
    unpaired.extend(tools().filter(|tool| !is_paired(tool) && is_of_pair(tool, vendor)));
    answer.clear();
}

fn provider_tools(message: &Message) -> impl Iterator<Item = &ProviderTool> {
    message.parts.iter().filter_map(|part| match part {
        Part::ProviderTool(tool) => Some(tool),
        _ => None,
    })
}

/// Reports whether a block of `vendor` is a tool or a result: other blocks stand alone.
fn is_of_pair(tool: &ProviderTool, vendor: &Vendor) -> bool {
    #[derive(Deserialize)]
    struct Block<'a> {
        #[serde(borrow)]
        r#type: Cow<'a, str>,
    }
    let block = opaque_of(tool.opaque.as_ref(), vendor).and_then(|block| serde_json::from_str::<Block<'_>>(block).ok());
    block.is_some_and(|block| block.r#type.ends_with("tool_use") || block.r#type.ends_with("tool_result"))
}
