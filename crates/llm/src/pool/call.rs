//! One call: asks providers one after the other, with retries, until one of them answers.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::Instant;
use turnkit_core::ports::{CallContext, OpenedAnswer};
use turnkit_core::{ChatRequest, FailedAttempt, ModelName, ProviderError, ProviderErrorKind as Kind, Str, Tier};

use super::Pool;
use super::downgrade::{DowngradeCause, MissingCapabilities};
use super::failures::{CallFailures, another_model};
use super::freeze::{Blame, may_be_caused_by_request};
use super::lease::{Lease, Leased};
use super::limiter::RatePermit;
use super::pass::{Admitted, Pass};
use super::retry::pause;
use super::route::{self, Choice};
use super::seat::{CallPermit, Seat};

/// Upper bound on the wait for a slot, regardless of the configuration.
const MAX_WAIT: Duration = Duration::from_secs(24 * 60 * 60);

/// The largest number of failed attempts that are reported with an answer, or with the error if there is none.
const MAX_FAILED: usize = 32;

/// A call in progress.
pub(super) struct Call<'a> {
    pub(super) pool: &'a Pool,
    pub(super) request: ChatRequest,
    context: &'a CallContext,
    /// Candidates that have not been asked yet, the best first.
    pub(super) choices: Vec<Choice>,
    /// Set if no other provider can replace the requested one.
    pub(super) bypasses_freeze: bool,
    pub(super) tier: Tier,
    /// How long to wait for a slot.
    pub(super) max_wait: Duration,
    /// The time already spent on waiting. Time spent on attempts does not count.
    pub(super) waited: Duration,
    pub(super) failures: CallFailures,
    /// The attempts that failed so far, at most [`MAX_FAILED`].
    failed: Vec<FailedAttempt>,
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
                choice.missing = seat.missing_capabilities(choice.model.as_ref(), now).of(&request);
            }
        }
        route::order(&mut choices, pool.options.strategy, &pool.seats, &pool.dice);
        let named = route.is_some_and(|route| route.provider.is_some());
        let tier = route.map_or(Tier::default(), |route| route.tier);
        let bypasses_freeze = named || choices.len() == 1;
        let max_wait = pool.options.max_wait.min(MAX_WAIT);
        let failures = CallFailures::default();
        let (waited, failed) = (Duration::ZERO, Vec::new());
        Ok(Self { pool, request, context, choices, bypasses_freeze, tier, max_wait, waited, failures, failed })
    }

    /// Asks the candidates in order.
    pub(super) async fn run(mut self) -> Result<OpenedAnswer, ProviderError> {
        while let Some(admitted) = self.admit().await {
            let id = admitted.pass.seat.id.clone();
            match self.ask(admitted).await {
                Ok(opened) => return Ok(opened),
                Err(error) if can_fail_over(&error) => {
                    let reason = error.kind.code();
                    tracing::info!(turn = %self.context.turn, provider = %id, reason, "call failed");
                    self.failures.add(&id, error);
                }
                Err(error) => return Err(ProviderError { attempts: self.failed, ..error }),
            }
        }
        Err(self.into_error())
    }

    /// Returns the error when no provider answers. If the model was not found, it lists the available models.
    fn into_error(self) -> ProviderError {
        let Self { pool, request, failures, failed: attempts, .. } = self;
        let mut error = failures.into_error().unwrap_or_else(|| {
            ProviderError::new(Kind::Unavailable, format!("none of the {} providers is available", pool.seats.len()))
        });
        if error.kind == Kind::ModelNotFound {
            let offers = route::offers(&pool.seats, request.route.as_deref(), pool.clock.now());
            error.message.push_str(&format!("; available models: {offers}"));
        }
        error.attempts = attempts;
        error
    }

    /// Asks one provider. Retries after temporary failures, and with a reduced request if the provider does not support
    /// all of it.
    async fn ask(&mut self, admitted: Admitted) -> Result<OpenedAnswer, ProviderError> {
        let Admitted { choice, mut pass, permit: CallPermit { slot, mut rate } } = admitted;
        let Choice { model, exact, missing: known, .. } = choice;
        let seat = Arc::clone(&pass.seat);
        let mut missing = known;
        let mut tries = 0;
        loop {
            tries += 1;
            seat.calls.fetch_add(1, Ordering::Relaxed);
            rate.iter_mut().for_each(RatePermit::mark_sent);
            let began = Instant::now();
            let error = match seat.provider.stream(self.sent(model.as_ref(), missing), self.context).await {
                Ok(opened) => {
                    pass.opened(model.as_ref());
                    let learnt = missing.beyond(known);
                    if learnt != MissingCapabilities::default() {
                        seat.learn(model.as_ref(), learnt, self.pool.clock.now());
                    }
                    let clock = Arc::clone(&self.pool.clock);
                    let lease = Lease { pass, model, clock, rate, _slot: slot };
                    let unmet = self.request.model.clone().filter(|_| !exact);
                    return Ok(self.opened(opened, lease, unmet.as_ref(), known, missing));
                }
                Err(error) => error,
            };
            seat.failures.fetch_add(1, Ordering::Relaxed);
            self.add_failed(&seat, model.as_ref(), &error, began);
            // A provider that rejects a request or fails on it counts no tokens.
            rate.iter_mut().for_each(|rate| rate.set_tokens(0.0));
            if let Some(less) = missing.with_rejected(error.kind, &self.request) {
                missing = less;
                tries = 0;
            } else {
                let again = pause(&error, tries, |most| self.pool.dice.up_to(most));
                let is_worth_it = pass.is_current() && (self.bypasses_freeze || !pass.is_probe());
                let Some(pause) = again.filter(|_| is_worth_it) else {
                    self.blame(pass, model.as_ref(), &error);
                    return Err(error);
                };
                tokio::time::sleep(pause).await;
            }
            let within_rate = seat.within_rate(seat.tokens(&self.request));
            let Ok(again) = tokio::time::timeout(self.max_wait, within_rate).await else {
                self.blame(pass, model.as_ref(), &error);
                return Err(error);
            };
            rate = again;
        }
    }

    /// Records an attempt for the caller, who learns of it with the answer or the error.
    fn add_failed(&mut self, seat: &Seat, model: Option<&ModelName>, error: &ProviderError, began: Instant) {
        if self.failed.len() < MAX_FAILED {
            let model = seat.model(model).map_or_else(Str::default, |model| Str::from(&*model.0));
            let ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
            self.failed.push(FailedAttempt { provider: seat.id.clone(), model, code: error.kind.code().into(), ms });
        }
    }

    /// Attributes a failure to its cause. A failure that the request itself may have caused is attributed to one
    /// provider only, so that one request cannot freeze them all.
    fn blame(&self, mut pass: Pass, model: Option<&ModelName>, error: &ProviderError) {
        if !(may_be_caused_by_request(error.kind) && self.failures.suspects_request()) {
            pass.failed(model, error, self.pool.clock.now());
        }
    }

    /// Returns the request for one provider.
    fn sent(&self, model: Option<&ModelName>, missing: MissingCapabilities) -> ChatRequest {
        missing.without(ChatRequest { model: model.cloned(), ..self.request.clone() })
    }

    /// Returns the answer, with notices about earlier failures. `unmet` is the requested model if the provider does not
    /// list it.
    fn opened(
        &mut self,
        opened: OpenedAnswer,
        lease: Lease,
        unmet: Option<&ModelName>,
        known: MissingCapabilities,
        missing: MissingCapabilities,
    ) -> OpenedAnswer {
        let OpenedAnswer { provider, model, mut notices, mut failed, deltas, prices } = opened;
        let another = |asked: &ModelName| another_model(&provider, &model, asked);
        let unmet = || unmet.filter(|asked| *asked.0 != *model).map(another);
        let mut all_notices: Vec<_> = self.failures.notice(&provider, &model).or_else(unmet).into_iter().collect();
        all_notices.extend(missing.beyond(known).notices(DowngradeCause::Rejected, &model));
        all_notices.extend(known.notices(DowngradeCause::Known, &model));
        all_notices.append(&mut notices);
        let mut all_failed = std::mem::take(&mut self.failed);
        all_failed.append(&mut failed);
        let deltas = Box::pin(Leased::new(deltas, lease));
        OpenedAnswer { provider, model, prices, notices: all_notices, failed: all_failed, deltas }
    }
}

/// Reports whether another provider may succeed.
pub(crate) fn can_fail_over(error: &ProviderError) -> bool {
    let missing = matches!(error.kind, Kind::ToolsUnsupported | Kind::ImagesUnsupported);
    error.is_missing_endpoint() || missing || Blame::for_kind(error.kind) != Blame::Request
}
