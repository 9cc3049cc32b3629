//! Selects and encodes the messages of a history that a request sends.

use turnkit_core::{ChatRequest, Entry, History, Message, Role, Str, WireId};

/// Calls `write` with each message to send and its encoded form. `encode` gets a message and the assistant
/// message before it, which made the calls of its results; `form` names the encoding.
///
/// A request without tools sends neither calls nor results: providers reject them if no tool is declared.
pub(super) fn each_sent(
    request: &ChatRequest,
    form: Str,
    encode: impl Fn(&Message, Option<&Message>) -> Vec<u8>,
    write: impl FnMut(&Message, &[u8]),
) {
    if request.tools.is_empty() && request.history.has_calls() {
        each_of(&request.history.without_calls(), form, encode, write);
    } else {
        each_of(&request.history, form, encode, write);
    }
}

fn each_of(
    history: &History,
    form: Str,
    encode: impl Fn(&Message, Option<&Message>) -> Vec<u8>,
    mut write: impl FnMut(&Message, &[u8]),
) {
    let form = WireId(form);
    let mut caller: Option<&Entry> = None;
    // `for_each`, because a `for` loop would check for each message which part of the history it is in.
    history.iter().for_each(|entry| {
        let encode = |message: &Message| encode(message, caller.map(Entry::message));
        entry.encoded(&form, encode, |encoded| write(entry.message(), encoded));
        if entry.message().role == Role::Assistant {
            caller = Some(entry);
        }
    });
}
