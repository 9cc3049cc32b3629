//! Tests of mirrors: which operations are applied, which are rejected, and when a mirror ends.
#![expect(clippy::unwrap_used, reason = "operations that do not fit are a failed test")]

use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use turnkit_core::{
    Delta, Entry, Fence, FollowerCounts, LiveTurn, LogBatch, LogOperation, LogPosition, Message, Mirror, MirrorError,
    PartKind, Piece, Recorded, SessionId, StagingMark, Timestamp, ToolProgress, TurnId, TurnLog, TurnStatus, Usage,
};

const START: LogPosition = LogPosition { seq: 0, messages: 0 };

fn started() -> Arc<LiveTurn> {
    let mut log = TurnLog::new(SessionId::default(), TurnId::default(), 3, Fence(5));
    log.stage_message(Entry::new(Message::user("Hi")));
    log.stage(Timestamp::default(), Recorded::turn_started("a"));
    log.commit();
    LiveTurn::new(log)
}

fn speaks(live: &LiveTurn, deltas: &[Delta]) {
    live.write(|log| deltas.iter().try_for_each(|delta| log.show(delta))).unwrap();
}

fn ends(live: &LiveTurn) {
    live.write(|log| {
        let kind = Recorded::TurnEnded {
            status: TurnStatus::Completed,
            usage: Usage::default(),
            steps: 1,
            steered_into: None,
        };
        log.stage(Timestamp::default(), kind);
        log.commit();
    });
}

#[test]
fn the_operations_of_an_answer_are_its_pieces_and_then_its_boundary() {
    let live = started();
    let mut operations = live.operations(START);
    assert_eq!(operations.batch().unwrap().operations.len(), 3, "beginning, message, entry");
    live.write(|log| log.open_attempt(Timestamp::default(), 1, "provider", "model"));
    speaks(&live, &[Delta::start(0, PartKind::Text), Delta::text(0, "he"), Delta::text(0, "llo")]);
    let shown = operations.batch().unwrap();
    let pieces = vec![Piece::Start(0, PartKind::Text, None), Piece::Text(0, "he".into()), Piece::Text(0, "llo".into())];
    assert_eq!(shown.after, LogPosition { seq: 1, messages: 1 });
    assert_eq!(shown.operations[1..], [LogOperation::Show { seq: 3, pieces }]);
    assert_eq!(
        serde_json::to_string(&shown.operations[1]).unwrap(),
        r#"{"show":{"seq":3,"pieces":[{"s":[0,"text",null]},{"t":[0,"he"]},{"t":[0,"llo"]}]}}"#
    );

    live.write(|log| {
        let place = log.stage_message(Entry::new(Message::user("hello")));
        log.close_attempt(Some(place));
        log.stage(Timestamp::default(), Recorded::ToolStarted { uid: uid() });
    });
    assert_eq!(operations.batch(), None, "what is staged stays here");
    live.write(TurnLog::commit);
    let boundary = operations.batch().unwrap().operations;
    assert!(
        matches!(
            &boundary[..],
            [LogOperation::Message { .. }, LogOperation::Entry { seq: 2, .. }, LogOperation::Entry { seq: 6, .. }]
        ),
        "{boundary:?}"
    );
}

#[test]
fn a_gap_is_refused_and_filled_by_the_operations_after_its_position() {
    let live = started();
    let mut operations = live.operations(START);
    let mut mirror = Mirror::begin(operations.batch().unwrap()).unwrap();
    live.write(|log| log.open_attempt(Timestamp::default(), 1, "provider", "model"));
    let _lost = operations.batch().unwrap();
    speaks(&live, &[Delta::start(0, PartKind::Text), Delta::text(0, "hello")]);
    let expected = LogPosition { seq: 1, messages: 1 };
    let refused = mirror.apply(operations.batch().unwrap());
    assert_eq!(refused, Err(MirrorError::Gap { expected, got: LogPosition { seq: 2, messages: 1 } }));
    assert_eq!(mirror.position(), expected);

    mirror.apply(live.operations(mirror.position()).batch().unwrap()).unwrap();
    assert_eq!(mirror.live().read(TurnLog::events), live.read(TurnLog::events));
}

#[test]
fn a_message_that_is_missing_is_a_gap_though_no_event_is() {
    let live = started();
    let whole = live.operations(START).batch().unwrap();
    let without = LogBatch { operations: vec![whole.operations[0].clone()], ..whole.clone() };
    let mut mirror = Mirror::begin(without).unwrap();
    let after = LogPosition { seq: 0, messages: 1 };
    let late = LogBatch { after, operations: whole.operations[2..].to_vec(), ..whole };
    assert_eq!(mirror.apply(late), Err(MirrorError::Gap { expected: START, got: after }));
}

#[test]
fn a_repeated_batch_changes_nothing() {
    let live = started();
    let whole = live.operations(START).batch().unwrap();
    let mut mirror = Mirror::begin(whole.clone()).unwrap();
    ends(&live);
    let end = live.operations(mirror.position()).batch().unwrap();
    for batch in [&whole, &end, &whole, &end] {
        mirror.apply(batch.clone()).unwrap();
    }
    assert_eq!(mirror.live().read(TurnLog::events), live.read(TurnLog::events));
    assert!(mirror.live().is_closed());
}

#[test]
fn a_report_of_a_running_call_reaches_followers_of_the_mirror_once() {
    let live = started();
    let mut operations = live.operations(START);
    let mut mirror = Mirror::begin(operations.batch().unwrap()).unwrap();
    live.write(|log| {
        log.stage(Timestamp::default(), Recorded::ToolStarted { uid: uid() });
        log.commit();
    });
    let started = operations.batch().unwrap();
    live.report(ToolProgress::new(uid(), "half"));
    let half = operations.batch().unwrap();
    assert_eq!(
        serde_json::to_string(&half.operations).unwrap(),
        format!(r#"[{{"progress":{{"number":1,"progress":{{"call_id":"{}","text":"half"}}}}}}]"#, uid())
    );
    live.report(ToolProgress::new(uid(), "done"));
    let done = operations.batch().unwrap();
    let mut follower = mirror.live().tail(1);
    let mut context = Context::from_waker(Waker::noop());
    let mut told = Vec::new();
    for batch in [&started, &half, &done, &half, &done] {
        mirror.apply(batch.clone()).unwrap();
        while follower.poll_batch(&mut context, &mut Vec::new()) == Poll::Ready(true) {
            told.extend(follower.take_progress().into_iter().map(|progress| progress.text));
        }
    }
    assert_eq!(told, ["half", "done"]);
    let earlier_owner = LogBatch { fence: Fence(4), ..done };
    mirror.apply(earlier_owner).unwrap();
    assert_eq!(follower.poll_batch(&mut context, &mut Vec::new()), Poll::Pending);
}

#[test]
fn a_later_owner_ends_a_mirror_and_an_earlier_one_is_ignored() {
    let live = started();
    let batch = live.operations(START).batch().unwrap();
    let mut mirror = Mirror::begin(batch.clone()).unwrap();
    mirror.apply(LogBatch { fence: Fence(4), after: LogPosition { seq: 9, messages: 9 }, ..batch.clone() }).unwrap();
    assert!(!mirror.live().is_closed());
    assert_eq!(mirror.apply(LogBatch { fence: Fence(6), ..batch }), Err(MirrorError::OtherOwner(Fence(6))));
    assert!(mirror.live().is_closed());
}

#[test]
fn a_mirror_ends_with_the_owners_work_on_the_turn() {
    let live = started();
    let mut operations = live.operations(START);
    let mut mirror = Mirror::begin(operations.batch().unwrap()).unwrap();
    let mut follower = mirror.live().tail(1);
    let mut context = Context::from_waker(Waker::noop());
    assert_eq!(follower.poll_batch(&mut context, &mut Vec::new()), Poll::Pending);
    live.close();
    mirror.apply(operations.batch().unwrap()).unwrap();
    assert_eq!(follower.poll_batch(&mut context, &mut Vec::new()), Poll::Ready(false));
    assert!(!mirror.live().read(TurnLog::has_ended));
    assert_eq!(operations.poll_batch(&mut context), Poll::Ready(None));
}

#[test]
fn a_follower_elsewhere_is_woken_and_counts_as_a_follower() {
    let live = started();
    let mut operations = live.operations(START);
    assert_eq!(live.follower_counts(), FollowerCounts { current: 1, total: 1 });
    operations.batch();
    let mut context = Context::from_waker(Waker::noop());
    assert!(operations.poll_batch(&mut context).is_pending());
    live.write(|log| log.unstage(StagingMark::default()));
    assert!(operations.poll_batch(&mut context).is_pending());
    ends(&live);
    assert!(matches!(operations.poll_batch(&mut context), Poll::Ready(Some(_))));
    assert_eq!(operations.poll_batch(&mut context), Poll::Ready(None));
    drop(operations);
    assert_eq!(live.follower_counts(), FollowerCounts { current: 0, total: 1 });
}

#[test]
fn a_long_turn_is_sent_in_parts() {
    let live = started();
    live.write(|log| log.open_attempt(Timestamp::default(), 1, "provider", "model"));
    speaks(&live, &[Delta::start(0, PartKind::Text)]);
    (0..2_000).for_each(|_| speaks(&live, &[Delta::text(0, "token ")]));
    let (mut operations, mut batches) = (live.operations(START), Vec::new());
    batches.extend(std::iter::from_fn(|| operations.batch()));
    assert!((7..=9).contains(&batches.len()), "{}", batches.len());
    let mut batches = batches.into_iter();
    let mut mirror = Mirror::begin(batches.next().unwrap()).unwrap();
    batches.for_each(|batch| mirror.apply(batch).unwrap());
    assert_eq!(mirror.live().read(TurnLog::events), live.read(TurnLog::events));
}

#[test]
fn pieces_that_no_attempt_shows_end_the_mirror() {
    let live = started();
    live.write(|log| log.open_attempt(Timestamp::default(), 1, "provider", "model"));
    let batch = live.operations(START).batch().unwrap();
    let mut mirror = Mirror::begin(batch.clone()).unwrap();
    let pieces = vec![Piece::Text(7, "text of no part".into())];
    let absurd =
        LogBatch { after: mirror.position(), operations: vec![LogOperation::Show { seq: 3, pieces }], ..batch };
    assert!(matches!(mirror.apply(absurd), Err(MirrorError::Misfit(_))));
    assert!(mirror.live().is_closed());
}

fn uid() -> turnkit_core::CallUid {
    turnkit_core::CallUid { turn: TurnId::default(), step: 1, ordinal: 0 }
}
