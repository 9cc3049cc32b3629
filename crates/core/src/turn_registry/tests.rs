//! What the registry promises, case by case, and over random histories against a model.

use std::task::{Context, Waker};

use proptest::collection::vec;
use proptest::prelude::*;
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
    let kind = Recorded::TurnEnded { status: TurnStatus::Completed, usage: Usage::default(), steps: 1 };
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

#[derive(Debug, Clone, Copy)]
enum Deed {
    Open,
    BeginRun,
    Replace,
    WriteEnd,
    EndRun,
    /// A run that lost its turn to a later one ends.
    EndLostRun,
    Withdraw,
    Stop(StopReason),
    ForgetStop,
    Share,
    /// The follower of the shared log leaves.
    Leave,
    /// Half of the time passes for which ended turns are kept.
    Pass,
}

/// What the registry should know of one turn.
#[derive(Default)]
struct Model {
    shown: Shown,
    run: Option<TurnRun>,
    lost: Vec<TurnRun>,
    /// The reason that the run knows, or else inherits once it begins.
    stop: Option<StopReason>,
    follower: Option<Arc<LiveTurn>>,
}

#[derive(Default)]
enum Shown {
    #[default]
    Nothing,
    Live(Arc<LiveTurn>),
    Ended(Arc<LiveTurn>, i64),
    Restored,
}

impl Model {
    fn found(&self) -> Option<&Arc<LiveTurn>> {
        match &self.shown {
            Shown::Nothing => None,
            Shown::Live(live) | Shown::Ended(live, _) => Some(live),
            Shown::Restored => self.follower.as_ref(),
        }
    }

    fn is_known(&self) -> bool {
        self.found().is_some() || self.run.is_some() || self.stop.is_some()
    }

    fn perform(&mut self, deed: Deed, turns: &TurnRegistry, turn: TurnId, now: i64) {
        let over = !matches!(self.shown, Shown::Live(_)) && self.found().is_some();
        match deed {
            // A turn that is over is not claimed again.
            Deed::BeginRun if over => {}
            Deed::BeginRun => self.lost.extend(self.run.replace(turns.begin_run(turn, None))),
            Deed::Open => {
                let opened = turns.open(turn, live(turn), at(now));
                match self.found() {
                    Some(found) => assert!(Arc::ptr_eq(found, &opened)),
                    None => self.shown = Shown::Live(opened),
                }
            }
            Deed::Replace => {
                let log = live(turn);
                if let Some(lost) = self.lost.last() {
                    turns.replace(lost, live(turn));
                }
                let Some(run) = &self.run else { return };
                turns.replace(run, Arc::clone(&log));
                if let Shown::Live(before) = std::mem::replace(&mut self.shown, Shown::Live(log)) {
                    assert!(before.is_closed());
                }
            }
            Deed::WriteEnd => match &self.shown {
                Shown::Live(live) if !live.read(TurnLog::has_ended) => end(live),
                _ => {}
            },
            Deed::EndRun => {
                let Some(run) = self.run.take() else { return };
                turns.end_run(&run, at(now));
                self.stop = None;
                self.conclude(now);
            }
            Deed::EndLostRun => {
                if let Some(lost) = self.lost.pop() {
                    turns.end_run(&lost, at(now));
                }
            }
            Deed::Withdraw => {
                let Shown::Live(live) = &self.shown else { return };
                turns.withdraw(turn, live, at(now));
                assert_eq!(live.is_closed(), self.run.is_none());
                if self.run.is_none() {
                    self.conclude(now);
                }
            }
            Deed::Stop(reason) => {
                assert_eq!(turns.stop(turn, reason), over || self.run.is_some());
                if !over {
                    self.stop.get_or_insert(reason);
                }
            }
            Deed::ForgetStop => {
                turns.forget_stop(turn);
                if self.run.is_none() {
                    self.stop = None;
                }
            }
            Deed::Share => {
                let shared = turns.share(turn, ended(turn));
                match self.found() {
                    Some(found) => assert_eq!(Arc::ptr_eq(found, &shared), over),
                    None => (self.shown, self.follower) = (Shown::Restored, Some(shared)),
                }
            }
            Deed::Leave => self.follower = None,
            Deed::Pass => {
                turns.lock().forget_old(at(now));
                if matches!(self.shown, Shown::Ended(_, since) if now - since >= 60) {
                    self.shown = Shown::Nothing;
                }
            }
        }
    }

    /// The shown log is closed, and kept if its turn has ended.
    fn conclude(&mut self, now: i64) {
        let Shown::Live(live) = &self.shown else { return };
        let live = Arc::clone(live);
        assert!(live.is_closed());
        self.shown = Shown::Nothing;
        if live.read(TurnLog::has_ended) {
            (self.shown, self.stop) = (Shown::Ended(live, now), None);
        }
    }
}

/// The turns that the registry must not forget.
fn kept(turns: &TurnRegistry) -> usize {
    turns.lock().entries.values().filter(|entry| !entry.is_vacant()).count()
}

fn deeds() -> impl Strategy<Value = Vec<(usize, Deed)>> {
    use Deed::{BeginRun, EndLostRun, EndRun, ForgetStop, Leave, Open, Pass, Replace, Share, Stop, Withdraw, WriteEnd};
    let stops = [Stop(StopReason::Cancelled), Stop(StopReason::Superseded)];
    let others = [Open, BeginRun, Replace, WriteEnd, EndRun, EndLostRun, Withdraw, ForgetStop, Share, Leave, Pass];
    vec((0..2_usize, prop::sample::select([&stops[..], &others].concat())), 0..40)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn over_any_history_each_turn_is_found_stopped_and_forgotten_as_the_model_says(deeds in deeds()) {
        let (turns, mut models, mut now) = (TurnRegistry::default(), [Model::default(), Model::default()], 0);
        for (which, deed) in deeds {
            let concerned = if let Deed::Pass = deed { 0..2 } else { which..which + 1 };
            now += if let Deed::Pass = deed { 30 } else { 0 };
            for which in concerned {
                models[which].perform(deed, &turns, turn(which as u128), now);
            }
            for (which, model) in models.iter().enumerate() {
                let (found, expected) = (turns.find(turn(which as u128)), model.found());
                prop_assert_eq!(found.as_ref().map(Arc::as_ptr), expected.map(Arc::as_ptr));
                prop_assert!(model.run.as_ref().is_none_or(|run| run.stop().reason() == model.stop));
            }
            prop_assert_eq!(kept(&turns), models.iter().filter(|model| model.is_known()).count());
        }
        for (which, model) in models.iter_mut().enumerate() {
            for deed in [Deed::EndRun, Deed::Withdraw, Deed::ForgetStop, Deed::Leave, Deed::Pass] {
                model.perform(deed, &turns, turn(which as u128), now + 60);
            }
            model.perform(Deed::Pass, &turns, turn(which as u128), now + 120);
        }
        prop_assert_eq!(kept(&turns), 0);
    }
}
