//! Removes tool calls and results from messages.

use crate::{Message, Part, Role};

/// Removes calls, results and notices from a sequence of messages. The text beside calls is merged into the next answer
/// of the same turn. A running turn has no such answer yet: its text is removed, so that the messages do not end with
/// the assistant.
#[derive(Debug, Default)]
pub(crate) struct WithoutCalls {
    /// The text beside the calls of the turn. `place` is the index of the last message that it is from.
    kept: Vec<Part>,
    place: u32,
}

/// The result for one message.
pub(crate) enum Kept {
    /// The message is removed.
    Nothing,
    /// The message is kept.
    Same,
    /// The message is replaced by this one.
    Continued(Message),
    /// The message is kept, and this message is inserted before it at an earlier index.
    Preceded(u32, Message),
}

impl WithoutCalls {
    /// Returns the result for the next message.
    pub(crate) fn next(&mut self, place: u32, message: &Message) -> Kept {
        if message.is_notices_only() {
            return Kept::Nothing;
        }
        if message.has_calls_or_results() {
            self.kept.extend(message.parts.iter().filter(|part| !is_left_out(part)).map(without_opaque));
            self.place = place;
            return Kept::Nothing;
        }
        if self.kept.is_empty() {
            return Kept::Same;
        }
        let kept = std::mem::take(&mut self.kept);
        match message.role {
            Role::Assistant => Kept::Continued(continued(kept, message)),
            _ => Kept::Preceded(self.place, Message::new(Role::Assistant, kept)),
        }
    }
}

/// Reports whether a part of a message with calls is removed: calls, results, the reasoning before calls, and notices,
/// which no request contains.
fn is_left_out(part: &Part) -> bool {
    matches!(part, Part::ToolCall(_) | Part::ToolResult(_) | Part::Reasoning(_) | Part::Notice(_))
}

/// Returns a part without the opaque data of its text, because a provider may reject the id of a text without its
/// reasoning.
fn without_opaque(part: &Part) -> Part {
    let mut part = part.clone();
    if let Part::Text(text) = &mut part {
        text.opaque = None;
    }
    part
}

/// Prepends the text of earlier messages of the turn to an answer.
fn continued(mut kept: Vec<Part>, answer: &Message) -> Message {
    if let Some(Part::Text(last)) = kept.last_mut() {
        last.text.push_str("\n\n");
    }
    kept.extend(answer.parts.iter().cloned());
    Message { parts: kept, ..*answer }
}
