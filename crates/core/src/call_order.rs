//! Results of one answer's calls that were written at several boundaries, in the order of the calls: a call that waited
//! for a decision has its result after later calls that did not wait. Not every provider pairs results with calls by id.

use crate::{CallUid, Entry, Message, Part, Role, Shown};

/// Reports whether a message of results holds one of an earlier call than the message of results before it.
pub(crate) fn is_late(before: &Message, message: &Message) -> bool {
    let last = results(before).max();
    message.role == Role::Tool && results(message).min().is_some_and(|first| last.is_some_and(|last| first < last))
}

/// The messages with those of results that follow on each other as one, if they are out of order. All other entries are
/// shared.
pub(crate) fn in_call_order<'a>(messages: impl Iterator<Item = &'a Shown>) -> Vec<Shown> {
    let mut ordered: Vec<Shown> = Vec::new();
    for shown in messages {
        match ordered.last_mut().filter(|before| is_late(before.entry.message(), shown.entry.message())) {
            Some(before) => before.entry = Entry::new(merged(before.entry.message(), shown.entry.message())),
            None => ordered.push(shown.clone()),
        }
    }
    ordered
}

fn merged(before: &Message, message: &Message) -> Message {
    let mut parts: Vec<Part> = before.parts.iter().chain(&message.parts).cloned().collect();
    parts.sort_by_key(result);
    Message { parts, ..before.clone() }
}

fn results(message: &Message) -> impl Iterator<Item = CallUid> {
    message.parts.iter().filter_map(result)
}

fn result(part: &Part) -> Option<CallUid> {
    match part {
        Part::ToolResult(result) => Some(result.uid),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{History, ToolResult, TurnId};

    fn message(ordinals: &[u16]) -> Message {
        let result = |ordinal: &u16| {
            let uid = CallUid { turn: TurnId::default(), step: 1, ordinal: *ordinal };
            let (name, content) = ("look".to_owned(), ordinal.to_string());
            Part::ToolResult(ToolResult { uid, name, ok: true, content, data: None, error: None, truncated: false })
        };
        Message::new(Role::Tool, ordinals.iter().map(result).collect())
    }

    #[test]
    fn late_results_are_sent_in_the_order_of_their_calls() {
        for (written, sent) in [
            (vec![vec![0, 1]], vec![vec![0, 1]]),
            (vec![vec![0], vec![1]], vec![vec![0], vec![1]]),
            (vec![vec![1, 2], vec![0]], vec![vec![0, 1, 2]]),
            (vec![vec![1, 3], vec![2], vec![0], vec![4]], vec![vec![0, 1, 2, 3], vec![4]]),
        ] {
            let history = History::of(written.iter().map(|ordinals| message(ordinals)));
            assert_eq!(history.has_late_results(), written.len() > sent.len());
            let sent = History::of(sent.iter().map(|ordinals| message(ordinals)));
            assert_eq!(history.in_call_order(), sent, "{written:?}");
        }
    }
}
