//! One call: who is asked, again and next, until somebody answers.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::Instant;
use turnkit_core::ports::{CallContext, Opened};
use turnkit_core::{ChatRequest, ModelName, ProviderError, ProviderErrorKind as Kind, Tier};

use super::Pool;
use super::downgrade::{How, Lacks};
use super::freeze::Blame;
use super::lease::{Lease, Leased};
use super::pass::Pass;
use super::retry::pause;
use super::route::{self, Choice};
use super::slots::Slot;
use super::story::{Story, all_frozen};

/// Nobody waits longer for a place, whatever is configured.
const LONGEST_WAIT: Duration = Duration::from_secs(24 * 60 * 60);

/// A call under way.
pub(super) struct Call<'a> {
    pool: &'a Pool,
    request: ChatRequest,
    context: &'a CallContext,
    /// Who has not been asked yet, the best first.
    choices: Vec<Choice>,
    /// Whether nobody can stand in for the one that was asked for.
    insists: bool,
    tier: Tier,
    /// Until when to wait for a place.
    deadline: Option<Instant>,
    story: Story,
}

/// Somebody who may be asked now.
struct Admitted {
    choice: Choice,
    pass: Pass,
    slot: Slot,
    tokens: f64,
}

impl<'a> Call<'a> {
    /// A call for `request`.
    ///
    /// # Errors
    /// Nobody fits.
    pub(super) fn new(pool: &'a Pool, request: ChatRequest, context: &'a CallContext) -> Result<Self, ProviderError> {
        let route = request.route.as_deref();
        let mut choices = route::choices(&pool.seats, route, request.model.as_ref())?;
        let now = pool.clock.now();
        for choice in &mut choices {
            if let Some(seat) = pool.seats.get(choice.seat) {
                choice.lacks = seat.lacks(choice.model.as_ref(), now).of(&request);
            }
        }
        let turn = pool.turn.fetch_add(1, Ordering::Relaxed);
        route::order(&mut choices, pool.options.strategy, &pool.seats, turn, &pool.dice);
        let named = route.is_some_and(|route| route.provider.is_some());
        let tier = route.map_or(Tier::default(), |route| route.tier);
        let insists = named || choices.len() == 1;
        Ok(Self { pool, request, context, choices, insists, tier, deadline: None, story: Story::default() })
    }

    /// Asks one after the other.
    pub(super) async fn run(mut self) -> Result<Opened, ProviderError> {
        while let Some(admitted) = self.admit().await? {
            let id = admitted.pass.seat.id.clone();
            match self.ask(admitted).await {
                Ok(opened) => return Ok(opened),
                Err(error) if goes_on_after(&error) => {
                    tracing::info!(turn = %self.context.turn, provider = %id, why = error.kind.code(), "call failed");
                    self.story.failed(&id, error);
                }
                Err(error) => return Err(error),
            }
        }
        let Self { pool, story, .. } = self;
        Err(story.end().unwrap_or_else(|| {
            ProviderError::new(Kind::Unavailable, format!("none of {} providers may be asked", pool.seats.len()))
        }))
    }

    /// The best of those who have not been asked and may be asked now; waits if all of them are busy. `None` if nobody
    /// is left.
    ///
    /// # Errors
    /// All are frozen, and none was asked; or they were busy for too long.
    async fn admit(&mut self) -> Result<Option<Admitted>, ProviderError> {
        loop {
            if self.choices.is_empty() {
                return Ok(None);
            }
            let now = self.pool.clock.now();
            let mut busy: Option<(usize, (Duration, usize))> = None;
            let mut ready = None;
            for (index, choice) in self.choices.iter().enumerate() {
                let Some(seat) = self.pool.seats.get(choice.seat) else { continue };
                let Some(pass) = seat.admit(choice.model.as_ref(), self.insists, now) else { continue };
                let tokens = seat.tokens(&self.request);
                if let Some(slot) = seat.try_enter(self.tier, tokens) {
                    ready = Some((index, pass, slot, tokens));
                    break;
                }
                let wait = (seat.outlook(tokens), seat.waiting());
                if busy.is_none_or(|(_, shortest)| wait < shortest) {
                    busy = Some((index, wait));
                }
            }
            if let Some((index, pass, slot, tokens)) = ready {
                return Ok(Some(Admitted { choice: self.choices.remove(index), pass, slot, tokens }));
            }
            let Some((index, _)) = busy else { return self.nobody() };
            if let Some(admitted) = self.wait_for(index).await? {
                return Ok(Some(admitted));
            }
        }
    }

    /// All that are left are frozen.
    fn nobody(&mut self) -> Result<Option<Admitted>, ProviderError> {
        if !self.story.is_empty() {
            return Ok(None);
        }
        let seats = self.choices.iter().filter_map(|choice| {
            let seat = self.pool.seats.get(choice.seat)?;
            Some((seat.as_ref(), choice.model.as_ref()))
        });
        Err(all_frozen(seats, self.pool.clock.now()))
    }

    /// Waits for a place at one of them. `None` if it was frozen meanwhile.
    async fn wait_for(&mut self, index: usize) -> Result<Option<Admitted>, ProviderError> {
        let Some(choice) = self.choices.get(index) else { return Ok(None) };
        let Some(seat) = self.pool.seats.get(choice.seat).map(Arc::clone) else { return Ok(None) };
        let patience = self.pool.options.max_wait.min(LONGEST_WAIT);
        let deadline = *self.deadline.get_or_insert_with(|| Instant::now() + patience);
        let tokens = seat.tokens(&self.request);
        if seat.outlook(tokens) > deadline.saturating_duration_since(Instant::now()) {
            return Err(busy(patience, seat.outlook(tokens)));
        }
        let entered = tokio::time::timeout_at(deadline, seat.enter(self.tier, tokens)).await;
        let slot = entered.map_err(|_| busy(patience, seat.outlook(tokens)))?;
        let pass = seat.admit(choice.model.as_ref(), self.insists, self.pool.clock.now());
        Ok(pass.map(|pass| Admitted { choice: self.choices.remove(index), pass, slot, tokens }))
    }

    /// Asks one of them: again after a failure that may pass, and for less where it cannot do all.
    async fn ask(&self, admitted: Admitted) -> Result<Opened, ProviderError> {
        let Admitted { choice, mut pass, slot, tokens } = admitted;
        let Choice { model, lacks: known, .. } = choice;
        let seat = Arc::clone(&pass.seat);
        let mut lacks = known;
        let mut tries = 0;
        loop {
            tries += 1;
            seat.calls.fetch_add(1, Ordering::Relaxed);
            let error = match seat.provider.stream(self.sent(model.as_ref(), lacks), self.context).await {
                Ok(opened) => {
                    pass.opened();
                    seat.learn(model.as_ref(), lacks.beyond(known), self.pool.clock.now());
                    let counted = (tokens > 0.0).then_some(tokens);
                    let clock = Arc::clone(&self.pool.clock);
                    let lease = Lease { pass, model, clock, tokens: counted, _slot: slot };
                    return Ok(self.opened(opened, lease, known, lacks));
                }
                Err(error) => error,
            };
            let now = self.pool.clock.now();
            if let Some(less) = lacks.learn(error.kind, &self.request) {
                lacks = less;
                tries = 0;
            } else {
                let again = pause(&error, tries, |most| self.pool.dice.up_to(most));
                let Some(pause) = again.filter(|_| !pass.is_probe() && pass.is_current()) else {
                    pass.failed(model.as_ref(), &error, now);
                    return Err(error);
                };
                tokio::time::sleep(pause).await;
            }
            let patience = self.pool.options.max_wait.min(LONGEST_WAIT);
            if tokio::time::timeout(patience, seat.within_rate(tokens)).await.is_err() {
                pass.failed(model.as_ref(), &error, now);
                return Err(error);
            }
        }
    }

    /// The request as one of them gets it.
    fn sent(&self, model: Option<&ModelName>, lacks: Lacks) -> ChatRequest {
        lacks.without(ChatRequest { model: model.cloned(), ..self.request.clone() })
    }

    /// The answer, with what happened on the way to it.
    fn opened(&self, opened: Opened, lease: Lease, known: Lacks, lacks: Lacks) -> Opened {
        let Opened { provider, model, mut notices, deltas, prices } = opened;
        let mut told: Vec<_> = self.story.notice(&provider, &model).into_iter().collect();
        told.extend(lacks.beyond(known).notices(How::Retried, &model));
        // What was known before is told once, not with every step.
        if self.context.step == 1 {
            told.extend(known.notices(How::Asked, &model));
        }
        told.append(&mut notices);
        Opened { provider, model, prices, notices: told, deltas: Box::pin(Leased::new(deltas, lease)) }
    }
}

/// Whether another provider may do better.
pub(crate) fn goes_on_after(error: &ProviderError) -> bool {
    let lacks = matches!(error.kind, Kind::ToolsUnsupported | Kind::ImagesUnsupported);
    error.is_of_nowhere() || lacks || Blame::of(error.kind) != Blame::Request
}

fn busy(patience: Duration, outlook: Duration) -> ProviderError {
    let message =
        format!("all providers that fit are busy, and none would have a place within {} s", patience.as_secs());
    ProviderError { retry_after: Some(outlook), ..ProviderError::new(Kind::Unavailable, message) }
}
