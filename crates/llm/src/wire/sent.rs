//! The messages of a history that a request sends, and their form.

use turnkit_core::{ChatRequest, Entry, History, Message, Part, Role, Str, WireId};

/// Calls `write` with the role and the encoded form of each message to send. `encode` gets a message and the assistant
/// message before it, which made the calls of its results; `form` names the encoding.
///
/// A request without tools sends neither calls nor results: providers refuse them where no tool is declared.
pub(super) fn each_sent(
    request: &ChatRequest,
    form: Str,
    encode: impl Fn(&Message, Option<&Message>) -> Vec<u8>,
    mut write: impl FnMut(Role, &[u8]),
) {
    let form = WireId(form);
    if request.tools.is_empty() && request.history.has_calls() {
        return each_without_calls(&request.history, &form, encode, write);
    }
    let mut caller: Option<&Entry> = None;
    // A loop would ask for each message which part of the history it is in.
    request.history.iter().for_each(|entry| {
        let encode = |message: &Message| encode(message, caller.map(Entry::message));
        entry.encoded(&form, encode, |encoded| write(entry.message().role, encoded));
        if entry.message().role == Role::Assistant {
            caller = Some(entry);
        }
    });
}

/// Writes a history without calls and results. The text beside calls is sent with the next answer of the same turn. A running
/// turn has no such answer yet: its text is left out, so that the request does not end with the assistant.
fn each_without_calls(
    history: &History,
    form: &WireId,
    encode: impl Fn(&Message, Option<&Message>) -> Vec<u8>,
    mut write: impl FnMut(Role, &[u8]),
) {
    let mut said = Vec::new();
    for entry in history.iter().filter(|entry| !entry.message().is_of_notices()) {
        let message = entry.message();
        if message.is_of_calls() {
            said.extend(message.parts.iter().filter(|part| !is_left_out(part)).map(without_opaque));
            continue;
        }
        if !said.is_empty() {
            let said = std::mem::take(&mut said);
            if message.role == Role::Assistant {
                write(message.role, &encode(&continued(said, message), None));
                continue;
            }
            write(Role::Assistant, &encode(&Message::new(Role::Assistant, said), None));
        }
        entry.encoded(form, |message| encode(message, None), |encoded| write(message.role, encoded));
    }
}

/// Reports whether a part of a message with calls is left out: calls, results, the reasoning before calls, and notices,
/// which no request sends.
fn is_left_out(part: &Part) -> bool {
    matches!(part, Part::ToolCall(_) | Part::ToolResult(_) | Part::Reasoning(_) | Part::Notice(_))
}

/// Returns a part without the opaque data of its text: a provider may refuse the id of a text whose reasoning is left out.
fn without_opaque(part: &Part) -> Part {
    let mut part = part.clone();
    if let Part::Text(text) = &mut part {
        text.opaque = None;
    }
    part
}

/// Prepends the text of earlier messages of the turn to an answer.
fn continued(mut said: Vec<Part>, answer: &Message) -> Message {
    if let Some(Part::Text(last)) = said.last_mut() {
        last.text.push_str("\n\n");
    }
    said.extend(answer.parts.iter().cloned());
    Message { parts: said, ..*answer }
}
