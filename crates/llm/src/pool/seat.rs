//! A provider of a pool, and the state the pool keeps about it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use turnkit_core::ports::{LlmProvider, MissingModel, ModelLimits};
use turnkit_core::{ChatRequest, ModelName, Part, Price, Str, Tier, Timestamp};

use super::downgrade::{LearntCapabilities, MissingCapabilities};
use super::health::{Freeze, Health};
use super::limiter::{Limiter, RateLimit, RatePermit};
use super::slots::{Slot, Slots};
use crate::profile::{Capability, ModelProfile};
use crate::provider::Provider;

/// Maximum number of models to remember facts about, since clients may be able to name any model.
pub(super) const MAX_MODELS: usize = 256;
/// Estimated bytes of text per token, until usage is reported.
const BYTES_OF_TOKEN: f64 = 4.0;
/// Estimated tokens per image. The actual number depends on its size in pixels, not in bytes.
const TOKENS_OF_IMAGE: f64 = 1_000.0;

/// A provider for a [`Pool`](super::Pool).
#[derive(Clone)]
pub struct Member {
    /// The name of the provider, also used in its answers.
    pub id: Str,
    /// The provider that answers.
    pub provider: Arc<dyn LlmProvider>,
    /// The models it serves, the default first.
    pub models: Vec<MemberModel>,
    /// Tags that a route may require.
    pub tags: Vec<Str>,
    /// Maximum number of concurrent answers; `None` means unlimited.
    pub max_concurrency: Option<usize>,
    /// The rate limit; `None` means unlimited.
    pub rate_limit: Option<RateLimit>,
}

/// A model of a member.
#[derive(Debug, Clone, PartialEq)]
pub struct MemberModel {
    /// The provider's name for the model.
    pub name: ModelName,
    /// Facts about the model.
    pub profile: ModelProfile,
}

/// The capacity that a request takes at a seat. It is released on drop.
pub(super) struct CallPermit {
    pub(super) slot: Slot,
    /// The share of the rate limit, if there is one.
    pub(super) rate: Option<RatePermit>,
}

/// A member of a pool, with its state.
pub(super) struct Seat {
    pub(super) id: Str,
    pub(super) provider: Arc<dyn LlmProvider>,
    pub(super) models: Vec<MemberModel>,
    pub(super) tags: Vec<Str>,
    pub(super) slots: Arc<Slots>,
    limiter: Option<Arc<Limiter>>,
    pub(super) calls: AtomicU64,
    pub(super) failures: AtomicU64,
    /// The number of the turn in which the seat was last chosen; 0 if never.
    pub(super) last_turn: AtomicU64,
    /// Set if `state` holds learnt facts. Every call asks every fitting seat for them, and most seats have none.
    has_learnt: AtomicBool,
    state: Mutex<SeatState>,
}

/// The state of a seat that changes with the outcome of its requests.
#[derive(Debug, Default)]
pub(super) struct SeatState {
    pub(super) health: Health,
    /// Models that the provider does not serve, with the times until which this is assumed.
    pub(super) missing: HashMap<ModelName, Timestamp>,
    learnt: HashMap<ModelName, LearntCapabilities>,
}

impl Member {
    /// Creates a member from an endpoint, with its configured models and without tags and limits.
    pub fn from_provider(provider: Provider) -> Self {
        let model =
            |name: &ModelName| MemberModel { name: name.clone(), profile: provider.profile(&name.0).into_owned() };
        let endpoint = provider.endpoint();
        let (id, models) = (Str::from(endpoint.id.as_str()), endpoint.models.iter().map(model).collect());
        Self { models, ..Self::new(id, Arc::new(provider)) }
    }

    /// Creates a member without models, tags and limits.
    pub fn new(id: impl Into<Str>, provider: Arc<dyn LlmProvider>) -> Self {
        Self { id: id.into(), provider, models: vec![], tags: vec![], max_concurrency: None, rate_limit: None }
    }
}

impl MemberModel {
    /// Creates a model without known facts.
    pub fn new(name: impl Into<Arc<str>>) -> Self {
        Self { name: ModelName(name.into()), profile: ModelProfile::default() }
    }
}

impl AsRef<Seat> for Seat {
    fn as_ref(&self) -> &Seat {
        self
    }
}

impl Seat {
    pub(super) fn new(member: Member) -> Self {
        let Member { id, provider, models, tags, max_concurrency, rate_limit } = member;
        Self {
            id,
            provider,
            models,
            tags,
            slots: Slots::new(max_concurrency),
            limiter: rate_limit.map(|limit| Arc::new(Limiter::new(limit, Instant::now()))),
            calls: AtomicU64::new(0),
            failures: AtomicU64::new(0),
            last_turn: AtomicU64::new(0),
            has_learnt: AtomicBool::new(false),
            state: Mutex::default(),
        }
    }

    /// Returns the model that a choice refers to.
    pub(super) fn model<'a>(&'a self, chosen: Option<&'a ModelName>) -> Option<&'a ModelName> {
        chosen.or_else(|| self.models.first().map(|model| &model.name))
    }

    /// Returns the input and output prices of a model, without the surcharge for long inputs.
    pub(super) fn price(&self, chosen: Option<&ModelName>) -> Option<(Price, Price)> {
        let rates = &self.profile(chosen)?.prices.as_ref()?.rates;
        Some((rates.input, rates.output))
    }

    /// Returns the limits of a model, if they are known.
    pub(super) fn limits(&self, chosen: Option<&ModelName>) -> Option<ModelLimits> {
        let known = self.profile(chosen).and_then(ModelProfile::limits);
        known.or_else(|| self.provider.limits(self.model(chosen), None))
    }

    /// Returns how many more answers the provider can give concurrently.
    pub(super) fn free(&self) -> u64 {
        let most = self.slots.capacity().map_or(u64::MAX, |most| most as u64);
        most.saturating_sub(self.slots.used() as u64)
    }

    /// Returns the features that a model is known to lack.
    pub(super) fn missing_capabilities(&self, chosen: Option<&ModelName>, now: Timestamp) -> MissingCapabilities {
        let profile = self.profile(chosen);
        let cannot = |capability| profile.is_some_and(|profile| !profile.can(capability));
        let mut missing = MissingCapabilities {
            tools: cannot(Capability::Tools),
            images: cannot(Capability::Vision),
            files: cannot(Capability::Files),
        };
        if !self.has_learnt.load(Ordering::Relaxed) {
            return missing;
        }
        let state = self.state();
        if let Some(learnt) = self.model(chosen).and_then(|model| state.learnt.get(model)) {
            let learnt = learnt.missing(now);
            missing = MissingCapabilities {
                tools: missing.tools || learnt.tools,
                images: missing.images || learnt.images,
                files: missing.files,
            };
        }
        missing
    }

    /// Records features found missing at a model.
    pub(super) fn learn(&self, chosen: Option<&ModelName>, missing: MissingCapabilities, now: Timestamp) {
        let Some(model) = self.model(chosen) else { return };
        let mut state = self.state();
        if state.learnt.len() < MAX_MODELS || state.learnt.contains_key(model) {
            state.learnt.entry(model.clone()).or_default().remember(missing, now);
            self.has_learnt.store(true, Ordering::Relaxed);
        }
    }

    /// Returns the current freeze, if there is one.
    pub(super) fn frozen(&self) -> Option<Freeze> {
        self.state().health.frozen().cloned()
    }

    /// Returns the end of the current freeze, if it has one.
    pub(super) fn thaws(&self) -> Option<Timestamp> {
        self.state().health.frozen()?.until
    }

    /// Returns the time until which a model is assumed missing.
    pub(super) fn missing_until(&self, chosen: Option<&ModelName>, now: Timestamp) -> Option<Timestamp> {
        let state = self.state();
        self.model(chosen).and_then(|model| state.missing.get(model)).copied().filter(|until| now < *until)
    }

    /// Returns the models assumed missing, sorted by name.
    pub(super) fn all_missing(&self, now: Timestamp) -> Vec<MissingModel> {
        let state = self.state();
        let believed = state.missing.iter().filter(|(_, until)| now < **until);
        let mut missing: Vec<_> =
            believed.map(|(model, until)| MissingModel { model: model.clone(), until: *until }).collect();
        missing.sort_by(|one, other| one.model.0.cmp(&other.model.0));
        missing
    }

    /// Clears all failures. Returns `true` if the provider was frozen.
    pub(super) fn thaw(&self) -> bool {
        self.state().health.thaw()
    }

    /// Forgets which models are missing and which features the others lack.
    pub(super) fn forget_models(&self) {
        let mut state = self.state();
        state.missing.clear();
        state.learnt.clear();
        self.has_learnt.store(false, Ordering::Relaxed);
    }

    /// Estimates the number of tokens in a request. Returns 0 if tokens are not limited.
    pub(super) fn tokens(&self, request: &ChatRequest) -> f64 {
        if !self.limiter.as_ref().is_some_and(|limiter| limiter.counts_tokens()) {
            return 0.0;
        }
        let of_part = |part: &Part| match part {
            Part::Image(_) | Part::File(_) => TOKENS_OF_IMAGE,
            Part::ToolResult(result) => {
                let images: usize = result.images.iter().map(|image| image.url.len()).sum();
                let text = part.text_bytes().saturating_sub(images) as f64 / BYTES_OF_TOKEN;
                text + TOKENS_OF_IMAGE * result.images.len() as f64
            }
            _ => part.text_bytes() as f64 / BYTES_OF_TOKEN,
        };
        let instructions = request.instructions.as_ref().map_or(0, |text| text.len()) as f64 / BYTES_OF_TOKEN;
        instructions + request.history.iter().flat_map(|entry| &entry.message().parts).map(of_part).sum::<f64>()
    }

    /// Takes a slot and a share of the rate limit, if both are available.
    pub(super) fn try_acquire(&self, tier: Tier, tokens: f64) -> Option<CallPermit> {
        let slot = self.slots.try_take(tier)?;
        let rate = match &self.limiter {
            Some(limiter) => Some(limiter.try_take(tokens)?),
            None => None,
        };
        Some(CallPermit { slot, rate })
    }

    /// Waits for a slot, then for a share of the rate limit.
    pub(super) async fn acquire(&self, tier: Tier, tokens: f64) -> CallPermit {
        let slot = self.slots.take(tier).await;
        CallPermit { slot, rate: self.within_rate(tokens).await }
    }

    /// Waits until the rate limit allows another request.
    pub(super) async fn within_rate(&self, tokens: f64) -> Option<RatePermit> {
        match &self.limiter {
            Some(limiter) => Some(limiter.take(tokens).await),
            None => None,
        }
    }

    /// Lower bound on a new request's wait for the rate limit.
    pub(super) fn min_wait(&self, tokens: f64) -> Duration {
        self.limiter.as_ref().map_or(Duration::ZERO, |limiter| limiter.min_wait(tokens))
    }

    /// Approximate wait of a new request for the rate limit.
    pub(super) fn estimated_wait(&self, tokens: f64) -> Duration {
        self.limiter.as_ref().map_or(Duration::ZERO, |limiter| limiter.estimated_wait(tokens))
    }

    /// Returns the number of requests that wait for a slot.
    pub(super) fn waiting(&self) -> usize {
        self.slots.waiting() + self.limiter.as_ref().map_or(0, |limiter| limiter.waiting())
    }

    fn profile(&self, chosen: Option<&ModelName>) -> Option<&ModelProfile> {
        let wanted = |model: &&MemberModel| chosen.is_none_or(|name| model.name == *name);
        self.models.iter().find(wanted).map(|model| &model.profile)
    }

    pub(super) fn state(&self) -> MutexGuard<'_, SeatState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
