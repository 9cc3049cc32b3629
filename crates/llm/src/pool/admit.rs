//! Admission: selects the provider for the next attempt. The best candidate with a free slot wins; otherwise the first
//! to have one.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tokio::time::{Instant, sleep, timeout_at};
use turnkit_core::{ProviderError, ProviderErrorKind as Kind, Timestamp};

use super::call::Call;
use super::failures::all_frozen;
use super::pass::{Admitted, Pass};
use super::route::Choice;
use super::seat::{CallPermit, Seat};

/// State of a candidate.
enum CandidateState {
    /// It can be asked now.
    Ready(Pass, CallPermit),
    /// It has no free slot.
    Busy,
    /// It is frozen.
    Frozen,
}

/// A busy or frozen candidate that the call may wait for.
#[derive(Debug, Clone, Copy)]
struct QueueCandidate {
    /// The index of the candidate.
    index: usize,
    /// How long the candidate stays frozen.
    opens_in: Duration,
}

impl Call<'_> {
    /// Admits the best remaining candidate that can be asked. Waits for a slot at the candidates that fulfil most of
    /// the request. A candidate that fulfils less is tried only if no better one can be asked or has a slot in time.
    /// Returns `None` if no candidate is left; `failures` then holds the reason.
    pub(super) async fn admit(&mut self) -> Option<Admitted> {
        let mut lacking = self.choices.first()?.missing.count();
        loop {
            let now = self.pool.clock.now();
            let (mut busy, mut thawing) = (Vec::new(), Vec::new());
            for index in 0..self.choices.len() {
                if self.lacking(index).is_none_or(|count| count > lacking) {
                    break;
                }
                match self.candidate_state(index, now) {
                    CandidateState::Ready(pass, permit) => return Some(self.choose(index, pass, permit)),
                    CandidateState::Busy => busy.push(QueueCandidate { index, opens_in: Duration::ZERO }),
                    CandidateState::Frozen => thawing.extend(self.thawing(index, now)),
                }
            }
            let mut busy_error = None;
            if !busy.is_empty() {
                let since = Instant::now();
                busy.append(&mut thawing);
                let waited_for = self.wait_for(&busy).await;
                self.waited += since.elapsed();
                match waited_for {
                    Ok(Some(admitted)) => return Some(admitted),
                    // All of them were frozen meanwhile. Others may have thawed.
                    Ok(None) => continue,
                    Err(error) => busy_error = Some(error),
                }
            }
            let more = self.choices.iter().map(|choice| choice.missing.count()).find(|count| *count > lacking);
            let Some(more) = more else {
                self.failures.set_remaining(busy_error.unwrap_or_else(|| self.all_frozen(now)));
                return None;
            };
            lacking = more;
        }
    }

    /// Returns how many features of the request a candidate lacks.
    fn lacking(&self, index: usize) -> Option<u8> {
        self.choices.get(index).map(|choice| choice.missing.count())
    }

    fn candidate_state(&self, index: usize, now: Timestamp) -> CandidateState {
        let Some((seat, choice)) = self.seated(index) else { return CandidateState::Frozen };
        let Some(pass) = Pass::admit(seat, choice.model.as_ref(), self.bypasses_freeze, now) else {
            return CandidateState::Frozen;
        };
        let tokens = seat.tokens(&self.request);
        seat.try_acquire(self.tier, tokens).map_or(CandidateState::Busy, |permit| CandidateState::Ready(pass, permit))
    }

    /// Returns a candidate that is frozen for a known time.
    fn thawing(&self, index: usize, now: Timestamp) -> Option<QueueCandidate> {
        let until = self.seated(index)?.0.thaws()?;
        // After the end of a freeze, another request probes the provider, for an unknown time.
        (until > now).then(|| QueueCandidate { index, opens_in: until.since(now) })
    }

    /// Waits in all of these queues that may yield a slot in time, until one does. Returns `None` if every candidate
    /// that yielded a slot is frozen.
    ///
    /// # Errors
    /// No queue yields a slot in time.
    async fn wait_for(&mut self, all: &[QueueCandidate]) -> Result<Option<Admitted>, ProviderError> {
        let left = self.max_wait.saturating_sub(self.waited);
        let deadline = Instant::now() + left;
        let tier = self.tier;
        let mut queues = FuturesUnordered::new();
        for QueueCandidate { index, opens_in } in all.iter().copied() {
            let Some((seat, _)) = self.seated(index) else { continue };
            let (seat, tokens) = (Arc::clone(seat), seat.tokens(&self.request));
            if opens_in.max(seat.min_wait(tokens)) <= left {
                queues.push(async move {
                    // Even a zero sleep would lose the position in the queue.
                    if opens_in > Duration::ZERO {
                        sleep(opens_in).await;
                    }
                    (index, seat.acquire(tier, tokens).await)
                });
            }
        }
        if queues.is_empty() {
            return Err(self.all_busy(all));
        }
        while let Some((index, permit)) = timeout_at(deadline, queues.next()).await.map_err(|_| self.all_busy(all))? {
            let Some((seat, choice)) = self.seated(index) else { continue };
            if let Some(pass) = Pass::admit(seat, choice.model.as_ref(), self.bypasses_freeze, self.pool.clock.now()) {
                drop(queues);
                return Ok(Some(self.choose(index, pass, permit)));
            }
        }
        Ok(None)
    }

    /// Selects a candidate.
    fn choose(&mut self, index: usize, pass: Pass, permit: CallPermit) -> Admitted {
        let turn = self.pool.turns.fetch_add(1, Ordering::Relaxed) + 1;
        pass.seat.last_turn.store(turn, Ordering::Relaxed);
        Admitted { choice: self.choices.remove(index), pass, permit }
    }

    fn seated(&self, index: usize) -> Option<(&Arc<Seat>, &Choice)> {
        let choice = self.choices.get(index)?;
        Some((self.pool.seats.get(choice.seat)?, choice))
    }

    fn all_frozen(&self, now: Timestamp) -> ProviderError {
        let left = (0..self.choices.len()).filter_map(|index| self.seated(index));
        all_frozen(left.map(|(seat, choice)| (seat.as_ref(), choice.model.as_ref())), now)
    }

    fn all_busy(&self, candidates: &[QueueCandidate]) -> ProviderError {
        let max_wait = self.max_wait.as_secs();
        let message = format!("all matching providers are busy, and none has a free slot within {max_wait} s");
        let wait = |candidate: &QueueCandidate| {
            let (seat, _) = self.seated(candidate.index)?;
            Some(candidate.opens_in.max(seat.estimated_wait(seat.tokens(&self.request))))
        };
        let min_wait = candidates.iter().filter_map(wait).min();
        ProviderError { retry_after: min_wait, ..ProviderError::new(Kind::Unavailable, message) }
    }
}
