//! One call: asks providers one after the other, with retries, until one of them answers.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use turnkit_core::ports::{CallContext, Opened};
use turnkit_core::{ChatRequest, ModelName, ProviderError, ProviderErrorKind as Kind, Tier};

use super::Pool;
use super::downgrade::{How, Lacks};
use super::freeze::{Blame, may_be_brought_about};
use super::lease::{Lease, Leased};
use super::limiter::Taken;
use super::pass::{Admitted, Pass};
use super::retry::pause;
use super::route::{self, Choice};
use super::seat::Place;
use super::story::{Story, another_model};

/// Upper bound on the wait for a place, regardless of the configuration.
const LONGEST_WAIT: Duration = Duration::from_secs(24 * 60 * 60);

/// A call in progress.
pub(super) struct Call<'a> {
    pub(super) pool: &'a Pool,
    pub(super) request: ChatRequest,
    context: &'a CallContext,
    /// Candidates that have not been asked yet, the best first.
    pub(super) choices: Vec<Choice>,
    /// Set if no other provider can replace the requested one.
    pub(super) insists: bool,
    pub(super) tier: Tier,
    /// How long to wait for a place.
    pub(super) patience: Duration,
    /// The time already spent on waiting. Time spent on attempts does not count.
    pub(super) waited: Duration,
    pub(super) story: Story,
}

impl<'a> Call<'a> {
    /// Creates a call for `request`.
    ///
    /// # Errors
    /// No provider fits.
    pub(super) fn new(pool: &'a Pool, request: ChatRequest, context: &'a CallContext) -> Result<Self, ProviderError> {
        let route = request.route.as_deref();
        let mut choices = route::choices(&pool.seats, route, request.model.as_ref())?;
        let now = pool.clock.now();
        for choice in &mut choices {
            if let Some(seat) = pool.seats.get(choice.seat) {
                choice.lacks = seat.lacks(choice.model.as_ref(), now).of(&request);
            }
        }
        route::order(&mut choices, pool.options.strategy, &pool.seats, &pool.dice);
        let named = route.is_some_and(|route| route.provider.is_some());
        let tier = route.map_or(Tier::default(), |route| route.tier);
        let insists = named || choices.len() == 1;
        let patience = pool.options.max_wait.min(LONGEST_WAIT);
        let story = Story::default();
        Ok(Self { pool, request, context, choices, insists, tier, patience, waited: Duration::ZERO, story })
    }

    /// Asks the candidates in order.
    pub(super) async fn run(mut self) -> Result<Opened, ProviderError> {
        while let Some(admitted) = self.admit().await {
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
        Err(self.nobody())
    }

    /// Returns the error when no provider answers. If the model was not found, it lists the available models.
    fn nobody(self) -> ProviderError {
        let Self { pool, request, story, .. } = self;
        let mut error = story.end().unwrap_or_else(|| {
            ProviderError::new(Kind::Unavailable, format!("none of {} providers may be asked", pool.seats.len()))
        });
        if error.kind == Kind::ModelNotFound {
            let offers = route::offers(&pool.seats, request.route.as_deref(), pool.clock.now());
            error.message.push_str(&format!("; to be asked for there are {offers}"));
        }
        error
    }

    /// Asks one provider. Retries after temporary failures, and with a reduced request if the provider does not support
    /// all of it.
    async fn ask(&self, admitted: Admitted) -> Result<Opened, ProviderError> {
        let Admitted { choice, mut pass, place: Place { slot, mut taken } } = admitted;
        let Choice { model, exact, lacks: known, .. } = choice;
        let seat = Arc::clone(&pass.seat);
        let mut lacks = known;
        let mut tries = 0;
        loop {
            tries += 1;
            seat.calls.fetch_add(1, Ordering::Relaxed);
            taken.iter_mut().for_each(Taken::sent);
            let error = match seat.provider.stream(self.sent(model.as_ref(), lacks), self.context).await {
                Ok(opened) => {
                    pass.opened(model.as_ref());
                    let learnt = lacks.beyond(known);
                    if learnt != Lacks::default() {
                        seat.learn(model.as_ref(), learnt, self.pool.clock.now());
                    }
                    let clock = Arc::clone(&self.pool.clock);
                    let lease = Lease { pass, model, clock, taken, _slot: slot };
                    let unmet = self.request.model.as_ref().filter(|_| !exact);
                    return Ok(self.opened(opened, lease, unmet, known, lacks));
                }
                Err(error) => error,
            };
            seat.failures.fetch_add(1, Ordering::Relaxed);
            // A provider that rejects a request or fails on it counts no tokens.
            taken.iter_mut().for_each(|taken| taken.used(0.0));
            if let Some(less) = lacks.learn(error.kind, &self.request) {
                lacks = less;
                tries = 0;
            } else {
                let again = pause(&error, tries, |most| self.pool.dice.up_to(most));
                let is_worth_it = pass.is_current() && (self.insists || !pass.is_probe());
                let Some(pause) = again.filter(|_| is_worth_it) else {
                    self.blame(pass, model.as_ref(), &error);
                    return Err(error);
                };
                tokio::time::sleep(pause).await;
            }
            let within_rate = seat.within_rate(seat.tokens(&self.request));
            let Ok(again) = tokio::time::timeout(self.patience, within_rate).await else {
                self.blame(pass, model.as_ref(), &error);
                return Err(error);
            };
            taken = again;
        }
    }

    /// Attributes a failure to its cause. A failure that the request itself may have caused is attributed to one
    /// provider only, so that one request cannot freeze them all.
    fn blame(&self, mut pass: Pass, model: Option<&ModelName>, error: &ProviderError) {
        if !(may_be_brought_about(error.kind) && self.story.casts_doubt_on_the_request()) {
            pass.failed(model, error, self.pool.clock.now());
        }
    }

    /// Returns the request for one provider.
    fn sent(&self, model: Option<&ModelName>, lacks: Lacks) -> ChatRequest {
        lacks.without(ChatRequest { model: model.cloned(), ..self.request.clone() })
    }

    /// Returns the answer, with notices about earlier failures. `unmet` is the requested model if the provider does not
    /// list it.
    fn opened(&self, opened: Opened, lease: Lease, unmet: Option<&ModelName>, known: Lacks, lacks: Lacks) -> Opened {
        let Opened { provider, model, mut notices, deltas, prices } = opened;
        let another = |asked: &ModelName| another_model(&provider, &model, asked);
        let unmet = || unmet.filter(|asked| *asked.0 != *model).map(another);
        let mut told: Vec<_> = self.story.notice(&provider, &model).or_else(unmet).into_iter().collect();
        told.extend(lacks.beyond(known).notices(How::Retried, &model));
        told.extend(known.notices(How::Asked, &model));
        told.append(&mut notices);
        Opened { provider, model, prices, notices: told, deltas: Box::pin(Leased::new(deltas, lease)) }
    }
}

/// Reports whether another provider may succeed.
pub(crate) fn goes_on_after(error: &ProviderError) -> bool {
    let lacks = matches!(error.kind, Kind::ToolsUnsupported | Kind::ImagesUnsupported);
    error.is_missing_endpoint() || lacks || Blame::of(error.kind) != Blame::Request
}
