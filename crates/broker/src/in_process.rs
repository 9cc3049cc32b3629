//! The broker of one process.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use turnkit_core::ports::{Broker, Clock};
use turnkit_core::{LiveTurn, SessionId, Signal, StopReason, Timestamp, TurnId, TurnLog};

use crate::signals::Signals;

/// How long an ended turn can be followed from memory.
const KEEP_ENDED: Duration = Duration::from_secs(60);
/// How many bytes of ended turns are kept.
const KEEP_BYTES: usize = 64 * 1024 * 1024;

/// Live turns by id, and for a minute those that have ended.
///
/// ```
/// use std::sync::Arc;
/// use turnkit_broker::InProcess;
/// use turnkit_core::ports::{Broker, Clock};
/// use turnkit_core::{Fence, LiveTurn, SessionId, Timestamp, TurnId, TurnLog};
///
/// struct Midnight;
/// impl Clock for Midnight {
///     fn now(&self) -> Timestamp {
///         Timestamp::default()
///     }
/// }
///
/// let broker = InProcess::new(Arc::new(Midnight));
/// let turn = TurnId::default();
/// broker.open(turn, LiveTurn::new(TurnLog::new(SessionId::default(), turn, 1, Fence(1))));
/// assert!(broker.find(turn).is_some());
/// ```
pub struct InProcess {
    clock: Arc<dyn Clock>,
    turns: Mutex<Turns>,
    signals: Signals,
}

#[derive(Default)]
struct Turns {
    live: HashMap<TurnId, Arc<LiveTurn>>,
    /// Turns in `live` that have ended, the oldest first.
    ended: VecDeque<Ended>,
    ended_bytes: usize,
}

struct Ended {
    turn: TurnId,
    at: Timestamp,
    bytes: usize,
}

impl InProcess {
    /// A broker that knows no turn.
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, turns: Mutex::default(), signals: Signals::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Turns> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Broker for InProcess {
    fn open(&self, turn: TurnId, live: Arc<LiveTurn>) -> Arc<LiveTurn> {
        let mut turns = self.lock();
        turns.forget_old(self.clock.now());
        Arc::clone(turns.live.entry(turn).or_insert(live))
    }

    fn replace(&self, turn: TurnId, live: Arc<LiveTurn>) -> Option<Arc<LiveTurn>> {
        let before = self.lock().live.insert(turn, live);
        if let Some(before) = &before {
            before.close();
        }
        before
    }

    fn find(&self, turn: TurnId) -> Option<Arc<LiveTurn>> {
        self.lock().live.get(&turn).cloned()
    }

    fn close(&self, turn: TurnId) {
        let now = self.clock.now();
        let mut turns = self.lock();
        let Some(live) = turns.live.get(&turn).filter(|live| !live.is_closed()).cloned() else { return };
        live.close();
        if live.read(TurnLog::has_ended) {
            let bytes = live.read(TurnLog::bytes);
            turns.ended_bytes += bytes;
            turns.ended.push_back(Ended { turn, at: now, bytes });
        } else {
            turns.live.remove(&turn);
        }
        turns.forget_old(now);
    }

    fn stop(&self, turn: TurnId, reason: StopReason) {
        if let Some(live) = self.find(turn) {
            live.stop(reason);
        }
    }

    fn changes(&self, session: SessionId) -> Arc<Signal> {
        self.signals.of(session)
    }

    fn changed(&self, session: SessionId) {
        self.signals.raise(session);
    }
}

impl Turns {
    /// Forgets ended turns that are old, or too many. Followers keep what they hold.
    fn forget_old(&mut self, now: Timestamp) {
        while let Some(oldest) = self.ended.front() {
            if now.since(oldest.at) < KEEP_ENDED && self.ended_bytes <= KEEP_BYTES {
                break;
            }
            self.ended_bytes -= oldest.bytes;
            self.live.remove(&oldest.turn);
            self.ended.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use turnkit_core::{Fence, Recorded, SessionId, TurnStatus, Usage};
    use uuid::Uuid;

    use super::*;

    #[derive(Default)]
    struct HandClock(AtomicI64);

    impl Clock for HandClock {
        fn now(&self) -> Timestamp {
            Timestamp::from_millis(self.0.load(Ordering::Relaxed))
        }
    }

    fn live(turn: TurnId, ended: bool) -> Arc<LiveTurn> {
        let mut log = TurnLog::new(SessionId::default(), turn, 1, Fence(1));
        if ended {
            let kind = Recorded::TurnEnded { status: TurnStatus::Completed, usage: Usage::default(), steps: 1 };
            log.stage(Timestamp::default(), kind);
            log.commit();
        }
        LiveTurn::new(log)
    }

    fn turn(number: u128) -> TurnId {
        TurnId(Uuid::from_u128(number))
    }

    #[test]
    fn the_first_to_open_a_turn_wins() {
        let broker = InProcess::new(Arc::new(HandClock::default()));
        let first = broker.open(turn(1), live(turn(1), false));
        let second = broker.open(turn(1), live(turn(1), false));
        assert!(Arc::ptr_eq(&first, &second));
    }

    #[test]
    fn a_turn_that_is_taken_over_is_followed_from_its_new_owner() {
        let broker = InProcess::new(Arc::new(HandClock::default()));
        let before = broker.open(turn(1), live(turn(1), false));
        let after = live(turn(1), false);
        let replaced = broker.replace(turn(1), Arc::clone(&after));
        assert!(before.is_closed() && replaced.is_some_and(|replaced| Arc::ptr_eq(&replaced, &before)));
        assert!(broker.find(turn(1)).is_some_and(|found| Arc::ptr_eq(&found, &after)));
    }

    #[test]
    fn an_ended_turn_is_found_for_a_minute() {
        let clock = Arc::new(HandClock::default());
        let broker = InProcess::new(clock.clone());
        broker.open(turn(1), live(turn(1), true));
        broker.close(turn(1));
        for (seconds, found) in [(0, true), (59, true), (60, false)] {
            clock.0.store(seconds * 1000, Ordering::Relaxed);
            broker.open(turn(2), live(turn(2), false));
            assert_eq!(broker.find(turn(1)).is_some(), found, "after {seconds} s");
        }
    }

    #[test]
    fn a_turn_let_go_before_its_end_is_forgotten_and_its_followers_come_to_an_end() {
        let broker = InProcess::new(Arc::new(HandClock::default()));
        let opened = broker.open(turn(1), live(turn(1), false));
        broker.close(turn(1));
        assert!(broker.find(turn(1)).is_none());
        assert!(opened.is_closed());
    }

    #[test]
    fn stopping_reaches_the_owner_and_the_first_reason_stays() {
        let broker = InProcess::new(Arc::new(HandClock::default()));
        let opened = broker.open(turn(1), live(turn(1), false));
        broker.stop(turn(1), StopReason::Superseded);
        broker.stop(turn(1), StopReason::Cancelled);
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        assert_eq!(opened.poll_stopped(&mut context), std::task::Poll::Ready(StopReason::Superseded));
    }
}
