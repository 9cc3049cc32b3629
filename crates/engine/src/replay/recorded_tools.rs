//! Stand-ins for the tools that a stored turn got from the sources of its agent.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use turnkit_core::ports::{BoxFuture, Tool, ToolContext, ToolSet};
use turnkit_core::{
    CallUid, LoggedTurn, Part, RawJson, Recorded, ToolDefinition, ToolError, ToolErrorKind, ToolFlags, ToolOutput,
    ToolResult,
};

use crate::catalog::{OfferedTools, READ_RESULT};

/// A tool known only from its recorded calls. It is never run.
struct RecordedTool(ToolDefinition);

/// Returns stand-ins for the tools that the turn called, except those that are `known` without its sources. Recorded
/// refusals of their calls are repeated.
pub(super) fn recorded_tools(turn: &LoggedTurn, known: impl Fn(&str) -> bool) -> OfferedTools {
    let messages = || turn.messages.iter().map(|entry| entry.message());
    let results: HashMap<CallUid, &ToolResult> =
        messages().flat_map(|message| &message.parts).filter_map(as_result).collect();
    let (mut tools, mut refused) = (BTreeMap::<&str, ToolFlags>::new(), HashMap::new());
    let of_sources = messages().flat_map(|message| message.calls());
    for call in of_sources.filter(|call| call.name != READ_RESULT && !known(&call.name)) {
        let result = results.get(&call.uid).copied();
        let first = first_event(turn, call.uid);
        if let Some(why) = result.filter(|_| first == FirstEvent::Refused).and_then(refusal) {
            refused.insert(call.uid, why);
            continue;
        }
        let flags = tools.entry(&call.name).or_insert_with(ToolFlags::read_only);
        // A read-only call needs no approval and never has an unknown outcome.
        if first == FirstEvent::Asked
            || result.is_some_and(|result| result.error == Some(ToolErrorKind::OutcomeUnknown))
        {
            *flags = ToolFlags::default();
        }
    }
    let tools = tools.into_iter().filter_map(|(name, flags)| {
        let definition = ToolDefinition::new(name, "", "{}").ok()?.with_flags(flags);
        Some(Arc::new(RecordedTool(definition)) as Arc<dyn Tool>)
    });
    OfferedTools { refused, ..OfferedTools::recorded(ToolSet::new(tools)) }
}

/// The first recorded event of a call.
#[derive(PartialEq)]
enum FirstEvent {
    Refused,
    Asked,
    Started,
}

fn first_event(turn: &LoggedTurn, call: CallUid) -> FirstEvent {
    let mut entries = turn.chunks.iter().flat_map(|chunk| &chunk.entries).map(|entry| &entry.kind);
    let first = entries.find_map(|kind| match kind {
        Recorded::InteractionRequested { id, .. } if id.call == call => Some(FirstEvent::Asked),
        Recorded::ToolStarted { uid } if *uid == call => Some(FirstEvent::Started),
        _ => None,
    });
    first.unwrap_or(FirstEvent::Refused)
}

/// Returns the reason why a call was refused, unless the machine itself refused it.
pub(super) fn refusal(result: &ToolResult) -> Option<(ToolErrorKind, String)> {
    let why = result.content.strip_prefix(&format!("Error executing {}: ", result.name))?;
    let kind = result.error.filter(|kind| {
        matches!(kind, ToolErrorKind::UnknownTool | ToolErrorKind::InvalidArguments | ToolErrorKind::Denied)
    });
    Some((kind?, why.to_owned()))
}

fn as_result(part: &Part) -> Option<(CallUid, &ToolResult)> {
    match part {
        Part::ToolResult(result) => Some((result.uid, result)),
        _ => None,
    }
}

impl Tool for RecordedTool {
    fn definition(&self) -> &ToolDefinition {
        &self.0
    }

    fn call<'a>(&'a self, _: &'a RawJson, _: ToolContext<'a>) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
        Box::pin(std::future::ready(Err(ToolError::UnknownTool)))
    }
}
