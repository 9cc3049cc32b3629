//! The messages that a history sends after changes.

use super::*;
use crate::{CallUid, Image, Role, ToolResult, TurnId};

#[test]
fn without_calls_the_messages_of_the_turn_stay_in_the_turn() {
    let results = || Message::new(Role::Tool, Vec::new());
    let mut history = History::of([Message::user("1 + 2"), results(), Message::user("Sure?")]);
    history.push(Entry::new(Message::user("Well?")));
    history.push(Entry::new(results()));
    history.set_anchor(90, 0, "small".into());
    let without = history.without_calls();
    assert_eq!((without.len(), without.turn().count(), without.branch_len()), (3, 1, history.branch_len()));
    assert_eq!((without.has_calls(), without.anchor()), (false, history.anchor()));
}

#[test]
fn files_of_messages_that_are_left_out_or_changed_are_not_named_any_more() {
    let image = Image::new("image/png", "blob:00000000-0000-0000-0000-000000000007");
    let image = Message::new(Role::User, vec![Part::Image(image)]);
    let mut history = History::of([image, Message::user("Thanks.")]);
    assert!(history.has_blobs());
    assert!(!history.with(|_| Some(Message::user("It was an image."))).has_blobs());
    let summary = Summary { covers: 1, ..Summary::default() };
    history.push(Entry::new(Message::of_summary(summary)));
    assert!(!history.has_blobs());
}

fn results(ordinals: &[u16]) -> Message {
    let result = |ordinal: &u16| {
        let uid = CallUid { turn: TurnId::default(), step: 1, ordinal: *ordinal };
        let (name, content) = ("look".to_owned(), ordinal.to_string());
        Part::ToolResult(ToolResult::new(uid, name, content))
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
        let history = History::of(written.iter().map(|ordinals| results(ordinals)));
        assert_eq!(history.has_late_results(), written.len() > sent.len());
        let sent = History::of(sent.iter().map(|ordinals| results(ordinals)));
        assert_eq!(history.in_call_order(), sent, "{written:?}");
    }
}
