//! Unit tests of the registry.

mod histories;

use std::task::{Context, Waker};

use uuid::Uuid;

use super::*;
use crate::{Fence, Recorded, SessionId, TurnStatus, Usage};

fn turn(number: u128) -> TurnId {
    TurnId(Uuid::from_u128(number))
}

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_millis(seconds * 1000)
}

fn live(turn: TurnId) -> Arc<LiveTurn> {
    LiveTurn::new(TurnLog::new(SessionId::default(), turn, 1, Fence(1)))
}

fn end(live: &LiveTurn) {
    let kind =
        Recorded::TurnEnded { status: TurnStatus::Completed, usage: Usage::default(), steps: 1, steered_into: None };
    live.write(|log| {
        log.stage(Timestamp::default(), kind);
        log.commit();
    });
}

fn ended(turn: TurnId) -> Arc<LiveTurn> {
    let live = live(turn);
    end(&live);
    live
}

impl TurnRegistry {
    fn entries(&self) -> usize {
        self.lock().entries.len()
    }

    fn finds(&self, turn: TurnId, live: &Arc<LiveTurn>) -> bool {
        self.find(turn).is_some_and(|found| Arc::ptr_eq(&found, live))
    }
}

#[test]
fn the_first_to_open_a_turn_wins() {
    let turns = TurnRegistry::default();
    let first = turns.open(turn(1), live(turn(1)), at(0));
    let second = turns.open(turn(1), live(turn(1)), at(0));
    assert!(Arc::ptr_eq(&first, &second));
}

#[test]
fn a_stop_that_comes_before_the_run_is_inherited_by_it() {
    let turns = TurnRegistry::default();
    assert!(!turns.stop(turn(1), StopReason::Cancelled));
    turns.open(turn(1), live(turn(1)), at(0));
    let run = turns.begin_run(turn(1), None);
    assert_eq!(run.stop().reason(), Some(StopReason::Cancelled));
    assert_eq!(turns.begin_run(turn(2), None).stop().reason(), None);
}

#[test]
fn a_claim_that_carries_a_stop_raises_it_with_the_reason_that_the_store_has() {
    let turns = TurnRegistry::default();
    turns.stop(turn(1), StopReason::Cancelled);
    for number in [1, 2] {
        let run = turns.begin_run(turn(number), Some(StopReason::Superseded));
        assert_eq!(run.stop().reason(), Some(StopReason::Superseded));
    }
}

#[test]
fn a_stop_reaches_a_run_before_and_after_its_log_is_replaced() {
    for replaced_first in [true, false] {
        let turns = TurnRegistry::default();
        let (shown, read) = (turns.open(turn(1), live(turn(1)), at(0)), live(turn(1)));
        let run = turns.begin_run(turn(1), None);
        if replaced_first {
            turns.replace(&run, Arc::clone(&read));
        }
        assert!(turns.stop(turn(1), StopReason::Cancelled));
        if !replaced_first {
            turns.replace(&run, Arc::clone(&read));
        }
        assert_eq!(run.stop().reason(), Some(StopReason::Cancelled));
        assert!(shown.is_closed() && !read.is_closed() && turns.finds(turn(1), &read));
    }
}

#[test]
fn the_first_reason_stays_wherever_it_comes_in() {
    let turns = TurnRegistry::default();
    turns.stop(turn(1), StopReason::Superseded);
    turns.stop(turn(1), StopReason::Cancelled);
    let run = turns.begin_run(turn(1), None);
    turns.stop(turn(1), StopReason::Cancelled);
    run.stop().raise(StopReason::Cancelled);
    assert_eq!(run.stop().reason(), Some(StopReason::Superseded));
}

#[test]
fn a_stop_of_a_turn_that_is_over_leaves_nothing() {
    let turns = TurnRegistry::default();
    let run = turns.begin_run(turn(1), None);
    end(&turns.open(turn(1), live(turn(1)), at(0)));
    turns.end_run(&run, at(0));
    assert!(turns.stop(turn(1), StopReason::Cancelled), "it is over");

    let restored = turns.share(turn(2), ended(turn(2)));
    assert!(turns.stop(turn(2), StopReason::Cancelled), "it is over, as its followers know");

    assert!(!turns.stop(turn(3), StopReason::Cancelled));
    turns.forget_stop(turn(3));
    turns.open(turn(4), live(turn(4)), at(60));
    assert_eq!(turns.entries(), 2, "the restored one and the one that runs");
    drop(restored);
}

#[test]
fn a_stop_of_a_turn_that_was_let_go_before_its_end_is_for_its_next_run() {
    let turns = TurnRegistry::default();
    let opened = turns.open(turn(1), live(turn(1)), at(0));
    let run = turns.begin_run(turn(1), None);
    turns.end_run(&run, at(0));
    assert!(opened.is_closed() && turns.find(turn(1)).is_none());
    assert!(!turns.stop(turn(1), StopReason::Cancelled));
    assert_eq!(run.stop().reason(), None);
    assert_eq!(turns.begin_run(turn(1), None).stop().reason(), Some(StopReason::Cancelled));
}

#[test]
fn a_stop_ends_with_the_run_that_it_reached() {
    let turns = TurnRegistry::default();
    let run = turns.begin_run(turn(1), None);
    turns.stop(turn(1), StopReason::Cancelled);
    turns.end_run(&run, at(0));
    assert_eq!(turns.entries(), 0);
    assert_eq!(turns.begin_run(turn(1), None).stop().reason(), None, "the store tells the next one");
}

#[test]
fn a_run_that_lost_its_turn_does_not_touch_the_later_one() {
    let turns = TurnRegistry::default();
    let lost = turns.begin_run(turn(1), None);
    turns.replace(&lost, live(turn(1)));
    turns.stop(turn(1), StopReason::Superseded);
    let (later, log) = (turns.begin_run(turn(1), None), live(turn(1)));
    turns.replace(&later, Arc::clone(&log));
    turns.replace(&lost, live(turn(1)));
    turns.end_run(&lost, at(0));
    assert!(turns.finds(turn(1), &log) && !log.is_closed());
    assert_eq!(later.stop().reason(), Some(StopReason::Superseded));
}

#[test]
fn a_run_that_is_over_keeps_nothing_of_its_task() {
    let turns = TurnRegistry::default();
    let run = turns.begin_run(turn(1), None);
    end(&turns.open(turn(1), live(turn(1)), at(0)));
    assert!(run.stop().poll_raised(&mut Context::from_waker(Waker::noop())).is_pending());
    turns.end_run(&run, at(0));
    assert_eq!(Arc::strong_count(&run.stop), 1, "the waker goes with the run");
}

#[test]
fn an_ended_turn_is_found_for_a_minute() {
    let turns = TurnRegistry::default();
    let run = turns.begin_run(turn(1), None);
    end(&turns.open(turn(1), live(turn(1)), at(0)));
    turns.end_run(&run, at(0));
    for (seconds, found) in [(0, true), (59, true), (60, false)] {
        turns.open(turn(2), live(turn(2)), at(seconds));
        assert_eq!(turns.find(turn(1)).is_some(), found, "after {seconds} s");
    }
}

#[test]
fn a_queued_turn_that_is_withdrawn_ends_for_its_followers() {
    let turns = TurnRegistry::default();
    let (gone, dropped) = (turns.open(turn(1), live(turn(1)), at(0)), turns.open(turn(2), live(turn(2)), at(0)));
    end(&dropped);
    for (number, shown) in [(1, &gone), (2, &dropped)] {
        turns.withdraw(turn(number), shown, at(0));
        assert!(shown.is_closed());
    }
    assert!(turns.find(turn(1)).is_none() && turns.finds(turn(2), &dropped));
}

#[test]
fn a_turn_that_has_begun_is_not_withdrawn() {
    let turns = TurnRegistry::default();
    let shown = turns.open(turn(1), live(turn(1)), at(0));
    turns.begin_run(turn(1), None);
    turns.withdraw(turn(1), &shown, at(0));
    turns.withdraw(turn(1), &live(turn(1)), at(0));
    assert!(!shown.is_closed() && turns.finds(turn(1), &shown));
}

#[test]
fn a_restored_log_is_shared_while_it_has_followers_if_its_turn_has_ended() {
    let turns = TurnRegistry::default();
    let first = turns.share(turn(1), ended(turn(1)));
    assert!(Arc::ptr_eq(&first, &turns.share(turn(1), ended(turn(1)))) && turns.finds(turn(1), &first));
    drop(first);
    assert!(turns.find(turn(1)).is_none());
    let running = turns.share(turn(2), live(turn(2)));
    assert!(turns.find(turn(2)).is_none());
    let opened = turns.open(turn(2), running, at(0));
    turns.share(turn(2), ended(turn(2)));
    assert!(turns.finds(turn(2), &opened), "the live log stays");
}

#[test]
fn restored_logs_without_followers_make_room() {
    let turns = TurnRegistry::default();
    let held = turns.share(turn(0), ended(turn(0)));
    for number in 1..10_000 {
        turns.share(turn(number), ended(turn(number)));
    }
    assert!(turns.entries() <= 200, "{}", turns.entries());
    assert!(turns.finds(turn(0), &held));
}
