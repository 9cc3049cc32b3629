//! Property tests of the registry: random histories of two turns, compared with a model.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn over_any_history_each_turn_is_found_stopped_and_forgotten_as_the_model_says(actions in actions()) {
        let (turns, mut models, mut now) = (TurnRegistry::default(), [Model::default(), Model::default()], 0);
        for (which, action) in actions {
            let concerned = if let Action::Pass = action { 0..2 } else { which..which + 1 };
            now += if let Action::Pass = action { 30 } else { 0 };
            for which in concerned {
                models[which].perform(action, &turns, turn(which as u128), now);
            }
            for (which, model) in models.iter().enumerate() {
                let (found, expected) = (turns.find(turn(which as u128)), model.found());
                prop_assert_eq!(found.as_ref().map(Arc::as_ptr), expected.map(Arc::as_ptr));
                prop_assert!(model.run.as_ref().is_none_or(|run| run.stop().reason() == model.stop));
            }
            prop_assert_eq!(kept(&turns), models.iter().filter(|model| model.is_known()).count());
        }
        for (which, model) in models.iter_mut().enumerate() {
            for action in [Action::EndRun, Action::Withdraw, Action::ForgetStop, Action::Leave, Action::Pass] {
                model.perform(action, &turns, turn(which as u128), now + 60);
            }
            model.perform(Action::Pass, &turns, turn(which as u128), now + 120);
        }
        prop_assert_eq!(kept(&turns), 0);
    }
}

#[derive(Debug, Clone, Copy)]
enum Action {
    Open,
    BeginRun,
    Replace,
    WriteEnd,
    EndRun,
    /// Ends a run that lost its turn to a later one.
    EndLostRun,
    Withdraw,
    Stop(StopReason),
    ForgetStop,
    Share,
    /// Drops the follower of the shared log.
    Leave,
    /// Advances the time by half the retention time of ended turns.
    Pass,
}

fn actions() -> impl Strategy<Value = Vec<(usize, Action)>> {
    use Action::{
        BeginRun, EndLostRun, EndRun, ForgetStop, Leave, Open, Pass, Replace, Share, Stop, Withdraw, WriteEnd,
    };
    let stops = [Stop(StopReason::Cancelled), Stop(StopReason::Superseded)];
    let others = [Open, BeginRun, Replace, WriteEnd, EndRun, EndLostRun, Withdraw, ForgetStop, Share, Leave, Pass];
    vec((0..2_usize, prop::sample::select([&stops[..], &others].concat())), 0..40)
}

/// The expected state of one turn in the registry.
#[derive(Default)]
struct Model {
    shown: Shown,
    run: Option<TurnRun>,
    lost: Vec<TurnRun>,
    /// The stop reason of the run, or the one that the next run inherits.
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

    fn perform(&mut self, action: Action, turns: &TurnRegistry, turn: TurnId, now: i64) {
        let over = !matches!(self.shown, Shown::Live(_)) && self.found().is_some();
        match action {
            // An ended turn is not claimed again.
            Action::BeginRun if over => {}
            Action::BeginRun => self.lost.extend(self.run.replace(turns.begin_run(turn, None))),
            Action::Open => {
                let opened = turns.open(turn, live(turn), at(now));
                match self.found() {
                    Some(found) => assert!(Arc::ptr_eq(found, &opened)),
                    None => self.shown = Shown::Live(opened),
                }
            }
            Action::Replace => {
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
            Action::WriteEnd => match &self.shown {
                Shown::Live(live) if !live.read(TurnLog::has_ended) => end(live),
                _ => {}
            },
            Action::EndRun => {
                let Some(run) = self.run.take() else { return };
                turns.end_run(&run, at(now));
                self.stop = None;
                self.conclude(now);
            }
            Action::EndLostRun => {
                if let Some(lost) = self.lost.pop() {
                    turns.end_run(&lost, at(now));
                }
            }
            Action::Withdraw => {
                let Shown::Live(live) = &self.shown else { return };
                turns.withdraw(turn, live, at(now));
                assert_eq!(live.is_closed(), self.run.is_none());
                if self.run.is_none() {
                    self.conclude(now);
                }
            }
            Action::Stop(reason) => {
                assert_eq!(turns.stop(turn, reason), over || self.run.is_some());
                if !over {
                    self.stop.get_or_insert(reason);
                }
            }
            Action::ForgetStop => {
                turns.forget_stop(turn);
                if self.run.is_none() {
                    self.stop = None;
                }
            }
            Action::Share => {
                let shared = turns.share(turn, ended(turn));
                match self.found() {
                    Some(found) => assert_eq!(Arc::ptr_eq(found, &shared), over),
                    None => (self.shown, self.follower) = (Shown::Restored, Some(shared)),
                }
            }
            Action::Leave => self.follower = None,
            Action::Pass => {
                turns.lock().drop_old(at(now));
                if matches!(self.shown, Shown::Ended(_, since) if now - since >= 60) {
                    self.shown = Shown::Nothing;
                }
            }
        }
    }

    /// Expects the published log to be closed, and to be kept if its turn has ended.
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

/// Counts the turns that the registry must not forget.
fn kept(turns: &TurnRegistry) -> usize {
    turns.lock().entries.values().filter(|entry| !entry.is_vacant()).count()
}
