//! Admission: selects the provider for the next attempt. The best candidate with a free place wins; otherwise the first
//! to have one.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tokio::time::{Instant, sleep, timeout_at};
use turnkit_core::{ProviderError, ProviderErrorKind as Kind, Timestamp};

use super::call::Call;
use super::pass::{Admitted, Pass};
use super::route::Choice;
use super::seat::{Place, Seat};
use super::story::all_frozen;

/// State of a candidate.
enum Look {
    /// It can be asked now.
    Ready(Pass, Place),
    /// It has no free place.
    Busy,
    /// It is frozen.
    Frozen,
}

/// A queue for a place.
#[derive(Debug, Clone, Copy)]
struct Line {
    /// The index of the candidate.
    index: usize,
    /// How long the candidate stays frozen.
    opens_in: Duration,
}

impl Call<'_> {
    /// Admits the best remaining candidate that can be asked. Waits for a place at the candidates that fulfil most of
    /// the request. A candidate that fulfils less is tried only if no better one can be asked or has a place in time.
    /// Returns `None` if no candidate is left; the story then holds the reason.
    pub(super) async fn admit(&mut self) -> Option<Admitted> {
        let mut lacking = self.choices.first()?.lacks.count();
        loop {
            let now = self.pool.clock.now();
            let (mut busy, mut thawing) = (Vec::new(), Vec::new());
            for index in 0..self.choices.len() {
                if self.lacking(index).is_none_or(|count| count > lacking) {
                    break;
                }
                match self.look_at(index, now) {
                    Look::Ready(pass, place) => return Some(self.choose(index, pass, place)),
                    Look::Busy => busy.push(Line { index, opens_in: Duration::ZERO }),
                    Look::Frozen => thawing.extend(self.thawing(index, now)),
                }
            }
            let mut late = None;
            if !busy.is_empty() {
                let since = Instant::now();
                busy.append(&mut thawing);
                let waited_for = self.wait_for(&busy).await;
                self.waited += since.elapsed();
                match waited_for {
                    Ok(Some(admitted)) => return Some(admitted),
                    // All of them were frozen meanwhile. Others may have thawed.
                    Ok(None) => continue,
                    Err(error) => late = Some(error),
                }
            }
            let more = self.choices.iter().map(|choice| choice.lacks.count()).find(|count| *count > lacking);
            let Some(more) = more else {
                self.story.left(late.unwrap_or_else(|| self.all_frozen(now)));
                return None;
            };
            lacking = more;
        }
    }

    /// Returns how many features of the request a candidate lacks.
    fn lacking(&self, index: usize) -> Option<u8> {
        self.choices.get(index).map(|choice| choice.lacks.count())
    }

    fn look_at(&self, index: usize, now: Timestamp) -> Look {
        let Some((seat, choice)) = self.seated(index) else { return Look::Frozen };
        let Some(pass) = Pass::admit(seat, choice.model.as_ref(), self.insists, now) else { return Look::Frozen };
        let tokens = seat.tokens(&self.request);
        seat.try_enter(self.tier, tokens).map_or(Look::Busy, |place| Look::Ready(pass, place))
    }

    /// Returns the queue of a candidate that is frozen for a known time.
    fn thawing(&self, index: usize, now: Timestamp) -> Option<Line> {
        let until = self.seated(index)?.0.thaws()?;
        // After the end of a freeze, another request probes the provider, for an unknown time.
        (until > now).then(|| Line { index, opens_in: until.since(now) })
    }

    /// Waits in all of these queues that may yield a place in time, until one does. Returns `None` if every candidate
    /// that yielded a place is frozen.
    ///
    /// # Errors
    /// No queue yields a place in time.
    async fn wait_for(&mut self, all: &[Line]) -> Result<Option<Admitted>, ProviderError> {
        let left = self.patience.saturating_sub(self.waited);
        let deadline = Instant::now() + left;
        let tier = self.tier;
        let mut lines = FuturesUnordered::new();
        for Line { index, opens_in } in all.iter().copied() {
            let Some((seat, _)) = self.seated(index) else { continue };
            let (seat, tokens) = (Arc::clone(seat), seat.tokens(&self.request));
            if opens_in.max(seat.soonest(tokens)) <= left {
                lines.push(async move {
                    // Even a zero sleep would lose the position in the queue.
                    if opens_in > Duration::ZERO {
                        sleep(opens_in).await;
                    }
                    (index, seat.enter(tier, tokens).await)
                });
            }
        }
        if lines.is_empty() {
            return Err(self.late(all));
        }
        while let Some((index, place)) = timeout_at(deadline, lines.next()).await.map_err(|_| self.late(all))? {
            let Some((seat, choice)) = self.seated(index) else { continue };
            if let Some(pass) = Pass::admit(seat, choice.model.as_ref(), self.insists, self.pool.clock.now()) {
                drop(lines);
                return Ok(Some(self.choose(index, pass, place)));
            }
        }
        Ok(None)
    }

    /// Selects a candidate.
    fn choose(&mut self, index: usize, pass: Pass, place: Place) -> Admitted {
        let turn = self.pool.turns.fetch_add(1, Ordering::Relaxed) + 1;
        pass.seat.last_turn.store(turn, Ordering::Relaxed);
        Admitted { choice: self.choices.remove(index), pass, place }
    }

    fn seated(&self, index: usize) -> Option<(&Arc<Seat>, &Choice)> {
        let choice = self.choices.get(index)?;
        Some((self.pool.seats.get(choice.seat)?, choice))
    }

    fn all_frozen(&self, now: Timestamp) -> ProviderError {
        let left = (0..self.choices.len()).filter_map(|index| self.seated(index));
        all_frozen(left.map(|(seat, choice)| (seat.as_ref(), choice.model.as_ref())), now)
    }

    fn late(&self, lines: &[Line]) -> ProviderError {
        let patience = self.patience.as_secs();
        let message = format!("whoever may be asked is busy, and nobody would have a place within {patience} s");
        let outlook = |line: &Line| {
            let (seat, _) = self.seated(line.index)?;
            Some(line.opens_in.max(seat.outlook(seat.tokens(&self.request))))
        };
        let soonest = lines.iter().filter_map(outlook).min();
        ProviderError { retry_after: soonest, ..ProviderError::new(Kind::Unavailable, message) }
    }
}
