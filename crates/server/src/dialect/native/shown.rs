//! Removes from messages the opaque data that only its vendor understands, before clients are shown them.

use std::borrow::Cow;

use turnkit_core::{Message, Part};

/// Returns the parts as clients see them.
pub(super) fn parts(parts: &[Part]) -> Cow<'_, [Part]> {
    match parts.iter().any(is_opaque) {
        false => Cow::Borrowed(parts),
        true => Cow::Owned(parts.iter().cloned().map(Part::without_opaque).collect()),
    }
}

/// Returns the messages as clients see them.
pub(super) fn messages(messages: &[Message]) -> Cow<'_, [Message]> {
    match messages.iter().flat_map(|message| &message.parts).any(is_opaque) {
        false => Cow::Borrowed(messages),
        true => Cow::Owned(messages.iter().map(message).collect()),
    }
}

fn message(message: &Message) -> Message {
    let Message { role, parts: original, mark } = message;
    Message { role: *role, parts: parts(original).into_owned(), mark: *mark }
}

fn is_opaque(part: &Part) -> bool {
    part.opaque().is_some()
}
