//! Validates an imported session before it is stored.

use std::collections::{HashSet, VecDeque};

use serde_json::{Map, Value};
use turnkit_core::{CallUid, InvalidParam, Message, Part, Role, is_shallow_metadata, metadata_contains_nul};

use super::line::SessionLine;

/// The maximum size of the metadata, in bytes of JSON: as much as one tool result may set.
const METADATA_BYTES: usize = 1024 * 1024;
/// The maximum length of the name of an agent, a prompt or a mode, in bytes.
pub(super) const NAME_BYTES: usize = 128;

/// Checks the fields of a session that are stored unchanged.
pub(super) fn check_session(session: &SessionLine) -> Result<(), String> {
    let is_name = |name: &str| name.len() <= NAME_BYTES && !name.chars().any(char::is_control);
    if !is_name(&session.agent) {
        return Err(format!("agent: must be at most {NAME_BYTES} bytes, without control characters"));
    }
    if !session.prompt.as_deref().is_none_or(is_name) {
        return Err(format!("prompt: must be at most {NAME_BYTES} bytes, without control characters"));
    }
    if !session.mode.as_deref().is_none_or(is_name) {
        return Err(format!("mode: must be at most {NAME_BYTES} bytes, without control characters"));
    }
    session.params.check().map_err(|InvalidParam { field, reason }| format!("{field}: {reason}"))?;
    check_metadata(&session.metadata)
}

fn check_metadata(metadata: &Map<String, Value>) -> Result<(), String> {
    if serde_json::to_string(metadata).map_or(usize::MAX, |json| json.len()) > METADATA_BYTES {
        return Err(format!("metadata: must be at most {METADATA_BYTES} bytes"));
    }
    if !is_shallow_metadata(metadata) {
        return Err("metadata: nested too deeply".to_owned());
    }
    match metadata_contains_nul(metadata) {
        true => Err("metadata: contains a NUL character".to_owned()),
        false => Ok(()),
    }
}

/// Returns the text as one line of at most `most` characters.
pub(super) fn clean(text: &str, most: usize) -> String {
    text.chars().filter(|c| !c.is_control()).take(most).collect()
}

/// Checks that calls are followed by their results, in the order of the calls.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    /// The calls of the turn.
    calls: HashSet<CallUid>,
    /// The calls without a result so far.
    open: VecDeque<CallUid>,
}

impl Pairs {
    /// Checks the next message of the turn.
    pub(super) fn check(&mut self, message: &Message) -> Result<(), String> {
        if message.is_notices_only() {
            return Ok(());
        }
        if message.role != Role::Tool && !self.open.is_empty() {
            return Err("a tool call of an earlier message has no result".to_owned());
        }
        for part in &message.parts {
            match (message.role, part) {
                (Role::Assistant, Part::ToolCall(call)) => {
                    if !self.calls.insert(call.uid) {
                        return Err("uid: duplicate tool call".to_owned());
                    }
                    self.open.push_back(call.uid);
                }
                (Role::Tool, Part::ToolResult(result)) => self.close(result.uid)?,
                (Role::Tool, Part::Notice(_)) => {}
                (_, Part::ToolCall(_) | Part::ToolResult(_)) | (Role::Tool, _) => {
                    return Err(
                        "only an assistant message may contain tool calls, and a tool message may contain only results"
                            .to_owned(),
                    );
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn close(&mut self, call: CallUid) -> Result<(), String> {
        match self.open.pop_front() {
            Some(next) if next == call => Ok(()),
            _ => Err("uid: not the next tool call without a result".to_owned()),
        }
    }

    /// Checks that every call of the turn has a result, and resets the state for the next turn.
    pub(super) fn end_turn(&mut self) -> Result<(), String> {
        self.calls.clear();
        match std::mem::take(&mut self.open).is_empty() {
            true => Ok(()),
            false => Err("a tool call of the previous turn has no result".to_owned()),
        }
    }
}
