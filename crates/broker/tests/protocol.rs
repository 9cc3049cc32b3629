//! Checks which messages a process sends and when. It sends nothing unless another process needs it.

use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use turnkit_broker::protocol::{Envelope, FollowRequest, Message, Node, Recipient};
use turnkit_core::{
    BrokerError, Fence, LiveTurn, LogOperation, LogPosition, Piece, Recorded, SessionId, StopReason, Timestamp, TurnId,
    TurnLog, WorkerId,
};
use uuid::Uuid;

fn process(name: &str) -> WorkerId {
    WorkerId(name.into())
}

fn seconds(seconds: i64) -> Timestamp {
    Timestamp::from_millis(1_000_000 + seconds * 1_000)
}

fn turn(number: u128) -> TurnId {
    TurnId(Uuid::from_u128(number))
}

fn running(number: u128) -> Arc<LiveTurn> {
    let live = LiveTurn::new(TurnLog::new(SessionId::default(), turn(number), 1, Fence(1)));
    notes(&live);
    live
}

fn notes(live: &LiveTurn) {
    live.write(|log| {
        log.stage(Timestamp::default(), Recorded::Notice { code: "n".to_owned(), text: "something".to_owned() });
        log.commit();
    });
}

fn request(number: u128) -> Message {
    Message::Follow(FollowRequest { turn: turn(number), fence: Fence::default(), after: LogPosition::default() })
}

/// Returns the envelopes that the process sends now.
fn sent(node: &mut Node, now: Timestamp) -> Vec<(Recipient, Vec<Message>)> {
    match node.poll_envelopes(now, &mut Context::from_waker(Waker::noop())) {
        Poll::Ready(envelopes) => {
            envelopes.into_iter().map(|(recipient, envelope)| (recipient, envelope.messages)).collect()
        }
        Poll::Pending => Vec::new(),
    }
}

fn receives(
    node: &mut Node,
    messages: Vec<Message>,
    now: Timestamp,
    turns: &[Arc<LiveTurn>],
) -> Vec<(TurnId, StopReason)> {
    let envelope = Envelope { from: process("other"), messages };
    let find = |turn| turns.iter().find(|live| live.read(TurnLog::turn) == turn).cloned();
    node.receive(envelope, now, find).stops
}

#[test]
fn a_process_without_remote_followers_sends_nothing() {
    let (mut node, live) = (Node::new(process("one")), running(1));
    for second in 0..60 {
        notes(&live);
        node.changed(SessionId::default());
        node.tick(seconds(second));
        assert_eq!(sent(&mut node, seconds(second)), []);
    }
    assert_eq!(live.follower_counts().total, 0);
}

#[test]
fn the_operations_of_all_turns_of_a_follower_share_one_envelope() {
    let (mut node, turns) = (Node::new(process("owner")), [running(1), running(2)]);
    receives(&mut node, vec![request(1), request(2)], seconds(0), &turns);
    let envelopes = sent(&mut node, seconds(0));
    let [(recipient, messages)] = &envelopes[..] else { panic!("{envelopes:?}") };
    assert_eq!(*recipient, Recipient::Process(process("other")));
    assert!(matches!(&messages[..], [Message::Operations(_), Message::Operations(_)]), "{messages:?}");
    assert_eq!(sent(&mut node, seconds(0)), []);
}

#[test]
fn a_want_that_is_not_renewed_ends_after_fifteen_seconds() {
    let (mut node, turns) = (Node::new(process("owner")), [running(1)]);
    receives(&mut node, vec![request(1)], seconds(0), &turns);
    node.tick(seconds(10));
    receives(&mut node, vec![request(1)], seconds(10), &turns);
    for (second, following) in [(15, 1), (24, 1), (25, 0)] {
        node.tick(seconds(second));
        assert_eq!(turns[0].follower_counts().current, following, "after {second} s");
    }
}

#[test]
fn a_leave_removes_a_follower_at_once() {
    let (mut node, turns) = (Node::new(process("owner")), [running(1)]);
    receives(&mut node, vec![request(1)], seconds(0), &turns);
    receives(&mut node, vec![Message::Leave(turn(1))], seconds(1), &turns);
    assert_eq!(turns[0].follower_counts().current, 0);
}

#[test]
fn an_idle_owner_sends_a_heartbeat_each_second() {
    let (mut node, turns) = (Node::new(process("owner")), [running(1)]);
    receives(&mut node, vec![request(1)], seconds(0), &turns);
    assert_eq!(sent(&mut node, seconds(0)).len(), 1);
    for second in 1..10 {
        node.tick(seconds(second));
        assert_eq!(
            sent(&mut node, seconds(second)),
            [(Recipient::Process(process("other")), vec![Message::Heartbeat])]
        );
    }
}

#[test]
fn an_up_to_date_follower_renews_its_want_at_its_position() {
    let (mut owner, mut reader, turns) = (Node::new(process("other")), Node::new(process("reader")), [running(1)]);
    let _answered = reader.follow(turn(1), &process("other"), seconds(0));
    assert_eq!(sent(&mut reader, seconds(0)), [(Recipient::Process(process("other")), vec![request(1)])]);
    owner.receive(Envelope { from: process("reader"), messages: vec![request(1)] }, seconds(0), |_| {
        Some(turns[0].clone())
    });
    let (_, messages) = sent(&mut owner, seconds(0)).remove(0);
    receives(&mut reader, messages, seconds(0), &[]);
    let mirror = reader.answer(turn(1), &process("other")).unwrap().unwrap();
    let _tail = mirror.tail(0);
    let after = LogPosition { seq: 1, messages: 0 };
    let renewed = Message::Follow(FollowRequest { turn: turn(1), fence: Fence(1), after });
    for second in 1..=10 {
        receives(&mut reader, vec![Message::Heartbeat], seconds(second), &[]);
        reader.tick(seconds(second));
        let expected = vec![(Recipient::Process(process("other")), vec![renewed.clone()])];
        assert_eq!(
            sent(&mut reader, seconds(second)),
            if second % 5 == 0 { expected } else { Vec::new() },
            "{second} s"
        );
    }
}

#[test]
fn an_owner_that_is_silent_for_two_seconds_is_unreachable() {
    let mut node = Node::new(process("reader"));
    let _answered = node.follow(turn(1), &process("other"), seconds(0));
    node.tick(seconds(1));
    assert!(node.answer(turn(1), &process("other")).is_none());
    node.tick(seconds(2));
    let answer = node.answer(turn(1), &process("other"));
    assert!(matches!(answer, Some(Err(BrokerError::Unreachable(owner))) if owner == process("other")));
}

#[test]
fn a_waiting_caller_is_woken_if_the_turn_is_followed_at_another_owner() {
    let mut node = Node::new(process("reader"));
    let mut answered = node.follow(turn(1), &process("other"), seconds(0));
    node.follow(turn(1), &process("next"), seconds(0));
    assert!(answered.poll_changed(&mut Context::from_waker(Waker::noop())).is_ready());
    let answer = node.answer(turn(1), &process("other"));
    assert!(matches!(answer, Some(Err(BrokerError::Unreachable(owner))) if owner == process("other")));
}

#[test]
fn a_waiting_caller_is_woken_if_no_mirror_can_be_made() {
    let (mut node, live) = (Node::new(process("reader")), running(1));
    let mut batch = live.operations(LogPosition::default()).batch().unwrap();
    // Text of a part that was never started.
    let (fence, at, provider, model) = (Fence(1), Timestamp::default(), "offline".into(), "offline".into());
    batch.operations.push(LogOperation::Open { seq: 2, fence, at, step: 1, provider, model });
    batch.operations.push(LogOperation::Show { seq: 3, pieces: vec![Piece::Text(0, "lost".into())] });
    let mut answered = node.follow(turn(1), &process("other"), seconds(0));
    receives(&mut node, vec![Message::Operations(batch)], seconds(0), &[]);
    assert!(answered.poll_changed(&mut Context::from_waker(Waker::noop())).is_ready());
    assert!(matches!(node.answer(turn(1), &process("other")), Some(Err(_))));
}

#[test]
fn a_mirror_with_a_gap_asks_once_and_repeats_without_an_answer() {
    let (mut reader, live) = (Node::new(process("reader")), running(1));
    let mut operations = live.operations(LogPosition::default());
    let batch = operations.batch().unwrap();
    assert!(matches!(batch.operations[0], LogOperation::Begin { .. }));
    let _answered = reader.follow(turn(1), &process("other"), seconds(0));
    receives(&mut reader, vec![Message::Operations(batch)], seconds(0), &[]);
    sent(&mut reader, seconds(0));
    notes(&live);
    let _lost = operations.batch();
    let mut asked = || {
        notes(&live);
        Message::Operations(operations.batch().unwrap())
    };
    let late = [asked(), asked()];
    receives(&mut reader, late.to_vec(), seconds(1), &[]);
    let after = LogPosition { seq: 1, messages: 0 };
    let again = vec![(
        Recipient::Process(process("other")),
        vec![Message::Follow(FollowRequest { turn: turn(1), fence: Fence(1), after })],
    )];
    assert_eq!(sent(&mut reader, seconds(1)), again);
    reader.tick(seconds(1));
    assert_eq!(sent(&mut reader, seconds(1)), []);
    reader.tick(seconds(2));
    assert_eq!(sent(&mut reader, seconds(2)), again);
}

#[test]
fn a_stop_goes_to_the_owner_and_to_no_other() {
    let mut node = Node::new(process("one"));
    node.stop(turn(1), &process("owner"), StopReason::Cancelled);
    let stop = Message::Stop { turn: turn(1), reason: StopReason::Cancelled };
    assert_eq!(sent(&mut node, seconds(0)), [(Recipient::Process(process("owner")), vec![stop.clone()])]);
    assert_eq!(receives(&mut node, vec![stop], seconds(0), &[]), [(turn(1), StopReason::Cancelled)]);
}
