//! Tests of following a running turn: every write wakes the waiting followers, and every follower reaches the end.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use futures_core::Stream;
use proptest::collection::vec;
use proptest::prelude::*;
use turnkit_core::{
    CallUid, Delta, Entry, Fence, FollowerCounts, LiveTurn, Message, PartKind, Recorded, SessionId, StagingMark, Tail,
    TailItem, Timestamp, ToolProgress, TurnEvent, TurnId, TurnLog, TurnStatus, Usage,
};

const CASES: u32 = 10_000;

#[derive(Default)]
struct Alarm(AtomicUsize);

impl Wake for Alarm {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl Alarm {
    fn rings(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

/// A follower and its waker.
struct Follower {
    tail: Tail,
    alarm: Arc<Alarm>,
}

impl Follower {
    fn of(live: &Arc<LiveTurn>, after: u32) -> Self {
        Self { tail: live.tail(after), alarm: Arc::default() }
    }

    fn poll(&mut self) -> (Poll<bool>, Vec<TurnEvent>) {
        let waker = Waker::from(Arc::clone(&self.alarm));
        let mut events = Vec::new();
        (self.tail.poll_batch(&mut Context::from_waker(&waker), &mut events), events)
    }
}

fn started() -> Arc<LiveTurn> {
    let mut log = TurnLog::new(SessionId::default(), TurnId::default(), 1, Fence(1));
    log.stage_message(Entry::new(Message::user("Hi")));
    log.stage(Timestamp::default(), Recorded::turn_started("a"));
    log.commit();
    LiveTurn::new(log)
}

fn notice() -> Recorded {
    Recorded::Notice { code: "n".to_owned(), text: "something".to_owned() }
}

fn end() -> Recorded {
    Recorded::TurnEnded { status: TurnStatus::Completed, usage: Usage::default(), steps: 1, steered_into: None }
}

#[derive(Debug, Clone, Copy)]
enum Action {
    Stage,
    Unstage,
    Commit,
    Reveal,
    Nothing,
    Poll(usize),
}

fn actions() -> impl Strategy<Value = Vec<Action>> {
    use Action::{Commit, Nothing, Poll, Reveal, Stage, Unstage};
    let all = vec![Stage, Stage, Unstage, Commit, Reveal, Nothing, Poll(0), Poll(1), Poll(0), Poll(1)];
    vec(prop::sample::select(all), 0..30)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn only_visible_events_wake_waiting_followers(actions in actions()) {
        let live = started();
        let mut followers = [Follower::of(&live, 0), Follower::of(&live, 1)];
        let (mut seen, mut waits) = ([0, 1], [false, false]);
        for action in actions {
            let visible = live.read(TurnLog::last_visible_seq);
            let rings = followers.each_ref().map(|follower| follower.alarm.rings());
            match action {
                Action::Stage => live.write(|log| log.stage(Timestamp::default(), notice())),
                Action::Unstage => live.write(|log| log.unstage(StagingMark::default())),
                Action::Commit => live.write(TurnLog::commit),
                Action::Reveal => live.write(TurnLog::reveal),
                Action::Nothing => live.write(|_| ()),
                Action::Poll(which) => {
                    let (poll, events) = followers[which].poll();
                    let has_new = seen[which] < visible;
                    prop_assert_eq!(poll, if has_new { Poll::Ready(true) } else { Poll::Pending });
                    let numbers: Vec<u32> = events.iter().map(|event| event.seq).collect();
                    prop_assert_eq!(numbers, (seen[which] + 1..=visible).collect::<Vec<_>>());
                    seen[which] = visible;
                    waits[which] = !has_new;
                }
            }
            let grew = live.read(TurnLog::last_visible_seq) > visible;
            for which in 0..2 {
                let rung = followers[which].alarm.rings() - rings[which];
                prop_assert_eq!(rung, usize::from(grew && waits[which]));
                waits[which] &= !grew;
            }
        }
    }
}

#[test]
fn every_piece_of_a_running_answer_wakes_waiting_followers() {
    let live = started();
    let mut follower = Follower::of(&live, 1);
    live.write(|log| log.open_attempt(Timestamp::default(), 1, "provider", "model"));
    live.write(|log| log.show(&Delta::start(0, PartKind::Text))).unwrap();
    assert_eq!(follower.poll().1.len(), 2);
    for rings in 0..5 {
        assert_eq!(follower.poll(), (Poll::Pending, vec![]));
        assert_eq!(follower.alarm.rings(), rings);
        live.write(|log| log.show(&Delta::text(0, "a"))).unwrap();
        assert_eq!((follower.alarm.rings(), follower.poll().1.len()), (rings + 1, 1));
    }
}

#[test]
fn a_long_backlog_is_read_in_parts_that_follow_on_each_other() {
    const EVENTS: u32 = 5_000;
    let stored = started();
    stored.write(|log| {
        (1..EVENTS).for_each(|_| log.stage(Timestamp::default(), notice()));
        log.commit();
    });
    let running = started();
    running.write(|log| log.open_attempt(Timestamp::default(), 1, "provider", "model"));
    running.write(|log| log.show(&Delta::start(0, PartKind::Text))).unwrap();
    for _ in 3..EVENTS {
        running.write(|log| log.show(&Delta::text(0, "token "))).unwrap();
    }
    for live in [stored, running] {
        let (mut follower, mut all) = (Follower::of(&live, 0), Vec::new());
        while let (Poll::Ready(true), events) = follower.poll() {
            assert!(events.len() <= 64, "{} at once", events.len());
            all.extend(events);
        }
        assert_eq!(all, live.read(TurnLog::events));
        assert_eq!(all.iter().map(|event| event.seq).collect::<Vec<_>>(), (1..=EVENTS).collect::<Vec<_>>());
    }
}

#[test]
fn followers_reach_their_end_after_the_terminal_event() {
    let live = started();
    let (mut early, mut late) = (Follower::of(&live, 1), Follower::of(&live, 2));
    assert_eq!(early.poll().0, Poll::Pending);
    live.write(|log| {
        log.stage(Timestamp::default(), end());
        log.commit();
    });
    assert_eq!(early.alarm.rings(), 1);
    let (poll, events) = early.poll();
    assert_eq!((poll, events.len()), (Poll::Ready(true), 1));
    assert_eq!(early.poll(), (Poll::Ready(false), vec![]));
    assert_eq!(early.poll(), (Poll::Ready(false), vec![]));
    assert_eq!(late.poll(), (Poll::Ready(false), vec![]));
    assert!(!live.is_closed());
}

#[test]
fn a_terminal_event_that_is_not_durable_is_not_the_end() {
    let live = started();
    let mut follower = Follower::of(&live, 1);
    live.write(|log| log.stage(Timestamp::default(), end()));
    assert_eq!(follower.poll(), (Poll::Pending, vec![]));
    assert!(!live.read(TurnLog::has_ended));
    live.write(|log| log.unstage(StagingMark::default()));
    assert_eq!((follower.poll(), follower.alarm.rings()), ((Poll::Pending, vec![]), 0));
}

#[test]
fn closing_wakes_all_followers_and_ends_those_that_have_read_everything() {
    let live = started();
    let (mut behind, mut waiting) = (Follower::of(&live, 0), Follower::of(&live, 1));
    assert_eq!(waiting.poll().0, Poll::Pending);
    live.write(|log| log.stage(Timestamp::default(), notice()));
    live.close();
    assert!(live.is_closed());
    assert_eq!(waiting.alarm.rings(), 1);
    assert_eq!(waiting.poll(), (Poll::Ready(false), vec![]));
    assert_eq!((behind.poll().1.len(), behind.poll().0), (1, Poll::Ready(false)));
}

#[test]
fn a_tail_is_a_stream_that_ends() {
    let live = started();
    live.write(|log| {
        log.stage(Timestamp::default(), notice());
        log.stage(Timestamp::default(), end());
        log.commit();
    });
    let mut tail = live.tail(0);
    let mut next = || Pin::new(&mut tail).poll_next(&mut Context::from_waker(Waker::noop()));
    let numbers: Vec<_> = std::iter::from_fn(|| match next() {
        Poll::Ready(event) => event,
        Poll::Pending => None,
    })
    .map(|event| event.seq)
    .collect();
    assert_eq!(numbers, [1, 2, 3]);
    assert_eq!(next(), Poll::Ready(None));
}

#[test]
fn followers_are_counted_while_they_follow() {
    let live = started();
    let (one, two) = (live.tail(0), live.tail(1));
    assert_eq!(live.follower_counts(), FollowerCounts { current: 2, total: 2 });
    drop(one);
    assert_eq!(live.follower_counts(), FollowerCounts { current: 1, total: 2 });
    drop(two);
    assert_eq!(live.follower_counts(), FollowerCounts { current: 0, total: 2 });
}

#[test]
fn a_short_visit_still_wakes_the_task_waiting_for_followers() {
    let (live, alarm) = (started(), Arc::<Alarm>::default());
    let waker = Waker::from(Arc::clone(&alarm));
    let before = live.follower_counts();
    let mut waiting = Box::pin(live.follower_counts_changed(before));
    assert_eq!(waiting.as_mut().poll(&mut Context::from_waker(&waker)), Poll::Pending);
    drop(live.tail(0));
    assert!(alarm.rings() > 0);
    let poll = waiting.as_mut().poll(&mut Context::from_waker(&waker));
    assert_eq!(poll, Poll::Ready(FollowerCounts { current: 0, total: 1 }));
}

#[test]
fn a_follower_that_left_is_not_woken() {
    let live = started();
    let (mut left, mut stays) = (Follower::of(&live, 1), Follower::of(&live, 1));
    assert_eq!((left.poll().0, stays.poll().0), (Poll::Pending, Poll::Pending));
    let alarm = Arc::clone(&left.alarm);
    drop(left);
    assert_eq!(Arc::strong_count(&alarm), 1, "its waker is kept");
    live.close();
    assert_eq!((alarm.rings(), stays.alarm.rings()), (0, 1));
}

/// A waker that unparks a thread.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

#[test]
fn threads_that_follow_a_fast_writer_miss_nothing() {
    const TOKENS: u32 = 5_000;
    let live = started();
    let follow = |live: &Arc<LiveTurn>| {
        let mut tail = live.tail(0);
        thread::spawn(move || {
            let waker = Waker::from(Arc::new(Unpark(thread::current())));
            let mut events = Vec::new();
            loop {
                match tail.poll_batch(&mut Context::from_waker(&waker), &mut events) {
                    Poll::Ready(true) => {}
                    Poll::Ready(false) => return events,
                    Poll::Pending => thread::park(),
                }
            }
        })
    };
    let followers = [follow(&live), follow(&live)];
    live.write(|log| log.open_attempt(Timestamp::default(), 1, "provider", "model"));
    live.write(|log| log.show(&Delta::start(0, PartKind::Text))).unwrap();
    for _ in 0..TOKENS {
        live.write(|log| log.show(&Delta::text(0, "token "))).unwrap();
    }
    live.close();
    for follower in followers {
        let events = follower.join().unwrap();
        let numbers: Vec<u32> = events.iter().map(|event| event.seq).collect();
        assert_eq!(numbers, (1..=TOKENS + 3).collect::<Vec<_>>());
    }
}

#[test]
fn an_ended_turn_holds_no_reference_to_the_task_that_ran_it() {
    let (live, task) = (started(), Arc::new(Alarm::default()));
    let waker = Waker::from(Arc::clone(&task));
    let mut context = Context::from_waker(&waker);
    let mut change = Box::pin(live.follower_counts_changed(live.follower_counts()));
    assert!(change.as_mut().poll(&mut context).is_pending());
    drop((change, waker));
    assert!(Arc::strong_count(&task) > 1);
    live.close();
    assert_eq!(Arc::strong_count(&task), 1);
}

fn call(ordinal: u16) -> CallUid {
    CallUid { turn: TurnId::default(), step: 1, ordinal }
}

fn runs(live: &LiveTurn, ordinals: &[u16]) {
    live.write(|log| {
        for ordinal in ordinals {
            log.stage(Timestamp::default(), Recorded::ToolStarted { uid: call(*ordinal) });
        }
    });
}

fn finishes(live: &LiveTurn, ordinal: u16) {
    live.write(|log| {
        log.stage(Timestamp::default(), Recorded::ToolFinished { uid: call(ordinal), ms: 1 });
        log.commit();
    });
}

/// Returns everything that the follower can read now: the number of each event, and the call and text of each report.
fn read_items(tail: &mut Tail) -> Vec<String> {
    let mut items = Vec::new();
    while let Poll::Ready(Some(item)) = tail.poll_item(&mut Context::from_waker(Waker::noop())) {
        items.push(match item {
            TailItem::Event(event) => event.seq.to_string(),
            TailItem::Progress(progress) => format!("{} {}", progress.uid.ordinal, progress.text),
        });
    }
    items
}

#[test]
fn a_follower_reads_the_last_report_of_each_call_that_runs_once() {
    let live = started();
    let mut early = live.tail(0);
    assert_eq!(read_items(&mut early), ["1"]);
    runs(&live, &[0, 1]);
    live.report(ToolProgress::new(call(0), "a"));
    assert_eq!(read_items(&mut early), [""; 0], "the start of the call is not visible yet");
    live.write(TurnLog::commit);
    live.report(ToolProgress::new(call(0), "b"));
    live.report(ToolProgress::new(call(1), "c"));
    assert_eq!(read_items(&mut early), ["2", "3", "0 b", "1 c"]);
    assert_eq!(read_items(&mut early), [""; 0]);
    finishes(&live, 0);
    live.report(ToolProgress::new(call(0), "too late"));
    live.report(ToolProgress::new(call(1), "d"));
    assert_eq!(read_items(&mut early), ["4", "1 d"]);
    assert_eq!(read_items(&mut live.tail(3)), ["4", "1 d"], "one that comes later reads the last report");
    finishes(&live, 1);
    assert_eq!(read_items(&mut live.tail(0)), ["1", "2", "3", "4", "5"]);
}

#[test]
fn a_report_wakes_waiting_followers() {
    let live = started();
    let mut follower = Follower::of(&live, 1);
    assert_eq!(follower.poll().0, Poll::Pending);
    runs(&live, &[0]);
    live.write(TurnLog::commit);
    assert_eq!(follower.poll().0, Poll::Ready(true));
    assert_eq!(follower.poll().0, Poll::Pending);
    let rings = follower.alarm.rings();
    live.report(ToolProgress::new(call(0), "half"));
    assert_eq!(follower.alarm.rings(), rings + 1);
    assert_eq!(follower.poll(), (Poll::Ready(true), Vec::new()));
    assert_eq!(follower.tail.take_progress(), [ToolProgress::new(call(0), "half")]);
    assert_eq!(follower.poll().0, Poll::Pending);
}
