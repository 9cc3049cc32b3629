//! One provider of a pool, with what is known of it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use turnkit_core::ports::{LlmProvider, MissingModel, ModelLimits};
use turnkit_core::{ChatRequest, ModelName, Part, Price, Str, Tier, Timestamp};

use super::downgrade::{Lacks, Learnt};
use super::health::{Freeze, Health};
use super::limiter::{Limiter, RateLimit, Taken};
use super::slots::{Slot, Slots};
use crate::profile::{Capability, ModelProfile};
use crate::provider::Provider;

/// Of how many models something is remembered; clients may be able to name any.
pub(super) const MOST_MODELS: usize = 256;
/// How many bytes of text are taken for one token before anybody has counted.
const BYTES_OF_TOKEN: f64 = 4.0;
/// How many tokens are taken for an image: what one has depends on its size in pixels, not in bytes.
const TOKENS_OF_IMAGE: f64 = 1_000.0;

/// A provider for a [`Pool`](super::Pool).
#[derive(Clone)]
pub struct Member {
    /// What it is called, also in what it answers.
    pub id: Str,
    /// Who answers.
    pub provider: Arc<dyn LlmProvider>,
    /// The models it serves, its default first.
    pub models: Vec<MemberModel>,
    /// What a route may require.
    pub tags: Vec<Str>,
    /// How many answers it may be giving at once; absent: as many as are asked for.
    pub max_concurrency: Option<usize>,
    /// How often it may be asked; absent: as often as there is something to ask.
    pub rate_limit: Option<RateLimit>,
}

/// A model of a member.
#[derive(Debug, Clone, PartialEq)]
pub struct MemberModel {
    /// What its provider calls it.
    pub name: ModelName,
    /// What is known of it.
    pub profile: ModelProfile,
}

/// The room that asking a seat takes: free again when it is dropped.
pub(super) struct Place {
    pub(super) slot: Slot,
    /// What was taken of the rate, where that is limited.
    pub(super) taken: Option<Taken>,
}

/// A member at work.
pub(super) struct Seat {
    pub(super) id: Str,
    pub(super) provider: Arc<dyn LlmProvider>,
    pub(super) models: Vec<MemberModel>,
    pub(super) tags: Vec<Str>,
    pub(super) slots: Arc<Slots>,
    limiter: Option<Arc<Limiter>>,
    pub(super) calls: AtomicU64,
    pub(super) failures: AtomicU64,
    /// The number of the turn in which it was last chosen, 0 if never.
    pub(super) last_turn: AtomicU64,
    /// Whether something was learnt: every call asks that of everyone who fits, and of most there is nothing to tell.
    has_learnt: AtomicBool,
    known: Mutex<Known>,
}

/// What was found out.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub(super) health: Health,
    /// Models that it does not serve, and until when that is believed.
    pub(super) missing: HashMap<ModelName, Timestamp>,
    learnt: HashMap<ModelName, Learnt>,
}

impl Member {
    /// An endpoint as a member, with the models it is configured with, and without tags and limits.
    pub fn of(provider: Provider) -> Self {
        let model =
            |name: &ModelName| MemberModel { name: name.clone(), profile: provider.profile(&name.0).into_owned() };
        let endpoint = provider.endpoint();
        let (id, models) = (Str::from(endpoint.id.as_str()), endpoint.models.iter().map(model).collect());
        Self { models, ..Self::new(id, Arc::new(provider)) }
    }

    /// A member without models, tags and limits.
    pub fn new(id: impl Into<Str>, provider: Arc<dyn LlmProvider>) -> Self {
        Self { id: id.into(), provider, models: vec![], tags: vec![], max_concurrency: None, rate_limit: None }
    }
}

impl MemberModel {
    /// A model of which nothing is known.
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
            known: Mutex::default(),
        }
    }

    /// The model a choice stands for.
    pub(super) fn model<'a>(&'a self, chosen: Option<&'a ModelName>) -> Option<&'a ModelName> {
        chosen.or_else(|| self.models.first().map(|model| &model.name))
    }

    /// What input and output cost at a model, as long as the input is not so long that it costs more.
    pub(super) fn price(&self, chosen: Option<&ModelName>) -> Option<(Price, Price)> {
        let rates = &self.profile(chosen)?.prices.as_ref()?.rates;
        Some((rates.input, rates.output))
    }

    /// Returns the limits of a model, if they are known.
    pub(super) fn limits(&self, chosen: Option<&ModelName>) -> Option<ModelLimits> {
        let known = self.profile(chosen).and_then(ModelProfile::limits);
        known.or_else(|| self.provider.limits(self.model(chosen), None))
    }

    /// How many more answers it could be giving.
    pub(super) fn free(&self) -> u64 {
        let most = self.slots.most().map_or(u64::MAX, |most| most as u64);
        most.saturating_sub(self.slots.used() as u64)
    }

    /// What a model is known to lack.
    pub(super) fn lacks(&self, chosen: Option<&ModelName>, now: Timestamp) -> Lacks {
        let profile = self.profile(chosen);
        let cannot = |capability| profile.is_some_and(|profile| !profile.can(capability));
        let mut lacks = Lacks {
            tools: cannot(Capability::Tools),
            images: cannot(Capability::Vision),
            files: cannot(Capability::Files),
        };
        if !self.has_learnt.load(Ordering::Relaxed) {
            return lacks;
        }
        let known = self.known();
        if let Some(learnt) = self.model(chosen).and_then(|model| known.learnt.get(model)) {
            let learnt = learnt.lacks(now);
            lacks =
                Lacks { tools: lacks.tools || learnt.tools, images: lacks.images || learnt.images, files: lacks.files };
        }
        lacks
    }

    /// Remembers what a model was found to lack.
    pub(super) fn learn(&self, chosen: Option<&ModelName>, lacks: Lacks, now: Timestamp) {
        let Some(model) = self.model(chosen) else { return };
        let mut known = self.known();
        if known.learnt.len() < MOST_MODELS || known.learnt.contains_key(model) {
            known.learnt.entry(model.clone()).or_default().remember(lacks, now);
            self.has_learnt.store(true, Ordering::Relaxed);
        }
    }

    /// Why it is left alone, if it is.
    pub(super) fn frozen(&self) -> Option<Freeze> {
        self.known().health.frozen().cloned()
    }

    /// When it may be asked again, if it is left alone until a moment that is known.
    pub(super) fn thaws(&self) -> Option<Timestamp> {
        self.known().health.frozen()?.until
    }

    /// Until when a model is believed not to be there.
    pub(super) fn missing(&self, chosen: Option<&ModelName>, now: Timestamp) -> Option<Timestamp> {
        let known = self.known();
        self.model(chosen).and_then(|model| known.missing.get(model)).copied().filter(|until| now < *until)
    }

    /// The models that are believed not to be there, by name.
    pub(super) fn all_missing(&self, now: Timestamp) -> Vec<MissingModel> {
        let known = self.known();
        let believed = known.missing.iter().filter(|(_, until)| now < **until);
        let mut missing: Vec<_> =
            believed.map(|(model, until)| MissingModel { model: model.clone(), until: *until }).collect();
        missing.sort_by(|one, other| one.model.0.cmp(&other.model.0));
        missing
    }

    /// Forgets every failure. Gives whether it was frozen.
    pub(super) fn thaw(&self) -> bool {
        self.known().health.thaw()
    }

    /// Forgets which models are not there, and what the others cannot do.
    pub(super) fn forget_models(&self) {
        let mut known = self.known();
        known.missing.clear();
        known.learnt.clear();
        self.has_learnt.store(false, Ordering::Relaxed);
    }

    /// About how many tokens a request has; only those that are limited are counted.
    pub(super) fn tokens(&self, request: &ChatRequest) -> f64 {
        if !self.limiter.as_ref().is_some_and(|limiter| limiter.counts_tokens()) {
            return 0.0;
        }
        let of_part = |part: &Part| match part {
            Part::Image(_) | Part::File(_) => TOKENS_OF_IMAGE,
            _ => part.text_bytes() as f64 / BYTES_OF_TOKEN,
        };
        let instructions = request.instructions.as_ref().map_or(0, |text| text.len()) as f64 / BYTES_OF_TOKEN;
        instructions + request.history.iter().flat_map(|entry| &entry.message().parts).map(of_part).sum::<f64>()
    }

    /// A slot and a place within the rate, if both are free.
    pub(super) fn try_enter(&self, tier: Tier, tokens: f64) -> Option<Place> {
        let slot = self.slots.try_take(tier)?;
        let taken = match &self.limiter {
            Some(limiter) => Some(limiter.try_take(tokens)?),
            None => None,
        };
        Some(Place { slot, taken })
    }

    /// A slot and a place within the rate, as soon as it is this one's turn.
    pub(super) async fn enter(&self, tier: Tier, tokens: f64) -> Place {
        let slot = self.slots.take(tier).await;
        Place { slot, taken: self.within_rate(tokens).await }
    }

    /// Waits until another request may be sent.
    pub(super) async fn within_rate(&self, tokens: f64) -> Option<Taken> {
        match &self.limiter {
            Some(limiter) => Some(limiter.take(tokens).await),
            None => None,
        }
    }

    /// How long somebody who comes now will wait for the rate, at least.
    pub(super) fn soonest(&self, tokens: f64) -> Duration {
        self.limiter.as_ref().map_or(Duration::ZERO, |limiter| limiter.soonest(tokens))
    }

    /// About how long somebody who comes now will wait for the rate.
    pub(super) fn outlook(&self, tokens: f64) -> Duration {
        self.limiter.as_ref().map_or(Duration::ZERO, |limiter| limiter.outlook(tokens))
    }

    /// How many wait to ask it.
    pub(super) fn waiting(&self) -> usize {
        self.slots.waiting() + self.limiter.as_ref().map_or(0, |limiter| limiter.waiting())
    }

    fn profile(&self, chosen: Option<&ModelName>) -> Option<&ModelProfile> {
        let wanted = |model: &&MemberModel| chosen.is_none_or(|name| model.name == *name);
        self.models.iter().find(wanted).map(|model| &model.profile)
    }

    pub(super) fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
